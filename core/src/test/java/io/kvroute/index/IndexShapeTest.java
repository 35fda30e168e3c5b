package io.kvroute.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.index.IndexOperations.Style;
import io.kvroute.index.IndexShape.Prefix;
import io.kvroute.index.IndexShape.Structure;
import io.kvroute.index.NaiveIndex.Block;
import io.kvroute.index.NaiveIndex.Column;
import io.kvroute.index.NaiveIndex.Place;
import io.kvroute.index.NaiveIndex.Rank;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class IndexShapeTest {
  private static final Rank FIRST = new Rank(1, 0);
  private static final Rank SECOND = new Rank(2, 0);

  private static List<Block> blocks(final int from, final int to) {
    return IntStream.range(from, to).mapToObj(i -> new Block(1000 + i, i)).toList();
  }

  @Test
  void shouldTellTheShapeOfAnIndex() {
    try (RadixIndex index = RadixIndex.builder().build()) {
      final IndexDriver driver = new IndexDriver(index);
      driver.stored(FIRST, 0, null, blocks(0, 16));
      driver.stored(SECOND, 0, null, blocks(0, 12));
      driver.stored(SECOND, 2, null, blocks(0, 12));
      driver.stored(FIRST, 0, 1009L, blocks(100, 105));
      driver.stored(SECOND, 0, null, blocks(500, 501));
      final IndexShape shape = IndexShape.of(index, 10);
      assertEquals(22, shape.blocks());
      assertEquals(4, shape.edges());
      assertEquals(3, shape.leaves());
      assertEquals(16, shape.maxDepth());
      // Paths of 16, 15 and 1 blocks.
      assertEquals(List.of(0L, 1L, 0L, 0L, 1L, 1L), shape.depths());
      // Edges of 10, 6, 5 and 1 blocks.
      assertEquals(List.of(0L, 1L, 0L, 2L, 1L), shape.lengths());
      // Two edges below the root, two below the first of them.
      assertEquals(List.of(3L, 0L, 2L), shape.fanOuts());
      assertEquals(List.of(0L, 10L, 12L), shape.holders());
      assertEquals(
          List.of(
              new Prefix(12, 2, 0, 11, 1011),
              new Prefix(15, 1, 0, 104, 1104),
              new Prefix(1, 1, 500, 500, 1500)),
          shape.prefixes());
      assertEquals(1, IndexShape.of(index, 1).prefixes().size());
      assertEquals(21, shape.ranks().get(0).device());
      assertEquals(13, shape.ranks().get(1).device());
      assertEquals(12, shape.ranks().get(1).disk());
      assertEquals(25, shape.ranks().get(1).held());
    }
  }

  @Test
  void shouldTellTheShapeOfAnEmptyIndex() {
    final RadixIndex index = RadixIndex.builder().build();
    final IndexShape shape = IndexShape.of(index, 10);
    assertEquals(List.of(), shape.prefixes());
    assertEquals(List.of(1L), shape.fanOuts());
    assertEquals(List.of(), shape.depths());
    index.close();
    assertThrows(IllegalStateException.class, () -> IndexShape.of(index, 10));
  }

  @Test
  void shouldAccountForEveryByte() {
    final RadixIndexBuilder builder =
        RadixIndex.builder().blockCapacity(5_000).rankCapacity(3).ownNameCapacity(77);
    try (RadixIndex index = builder.build()) {
      final IndexDriver driver = new IndexDriver(index);
      driver.stored(FIRST, 0, null, blocks(0, 500));
      driver.stored(SECOND, 0, null, blocks(0, 7));
      driver.stored(SECOND, 0, null, List.of(new Block(3, 0)));
      final List<Structure> structures = IndexShape.of(index, 0).structures();
      assertEquals(
          builder.requiredBytes(), structures.stream().mapToLong(Structure::reservedBytes).sum());
      final Structure last = structures.get(structures.size() - 1);
      assertEquals(
          index.usedBytes() + last.usedBytes(),
          structures.stream().mapToLong(Structure::usedBytes).sum());
    }
  }

  static Stream<Style> styles() {
    return IndexSnapshotTest.styles();
  }

  @ParameterizedTest
  @MethodSource("styles")
  void shouldCountAsTheNaiveIndexDoes(final Style style) {
    try (SnapshotTwin twin = new SnapshotTwin(style, 3)) {
      for (int round = 0; round < 10; round++) {
        twin.run(80);
        final IndexShape shape = IndexShape.of(twin.index(), 3);
        final List<Place> places = twin.naive.places();
        assertEquals(places.size(), shape.blocks());
        final long[] holders = new long[33];
        long weight = 0;
        long leaves = 0;
        int maxDepth = 0;
        for (final Place place : places) {
          final long count = ranksHolding(place);
          holders[64 - Long.numberOfLeadingZeros(count)]++;
          weight = Math.max(weight, count * depth(place));
          leaves += place.children.isEmpty() ? 1 : 0;
          maxDepth = Math.max(maxDepth, depth(place));
        }
        for (int i = 0; i < holders.length; i++) {
          final long counted = i < shape.holders().size() ? shape.holders().get(i) : 0;
          assertEquals(holders[i], counted, "bucket=" + i);
        }
        assertEquals(leaves, shape.leaves());
        assertEquals(leaves, shape.depths().stream().mapToLong(Long::longValue).sum());
        assertEquals(shape.edges(), shape.lengths().stream().mapToLong(Long::longValue).sum());
        assertEquals(shape.edges() + 1, shape.fanOuts().stream().mapToLong(Long::longValue).sum());
        assertEquals(maxDepth, shape.maxDepth());
        assertEquals(weight, shape.prefixes().isEmpty() ? 0 : shape.prefixes().get(0).weight());
        assertDescending(shape.prefixes());
      }
    }
  }

  private static void assertDescending(final List<Prefix> prefixes) {
    final List<Prefix> sorted = new ArrayList<>(prefixes);
    sorted.sort(Comparator.comparingLong(Prefix::weight).reversed());
    assertEquals(sorted, prefixes);
    assertTrue(prefixes.size() <= 3);
  }

  private static long ranksHolding(final Place place) {
    return place.names.keySet().stream().map(Column::rank).distinct().count();
  }

  private static int depth(final Place place) {
    int depth = 0;
    for (Place each = place; each.parent != null; each = each.parent) {
      depth++;
    }
    return depth;
  }
}
