package io.kvroute.index;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.index.IndexOperations.Naming;
import io.kvroute.index.IndexOperations.Style;
import io.kvroute.index.NaiveIndex.Block;
import io.kvroute.index.NaiveIndex.Rank;
import io.kvroute.memory.Arena;
import io.kvroute.memory.CapacityExceededException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that are no snapshot, or not the one that was written, or that lie. */
final class SnapshotRefusalTest {
  private static final long SEED = 20_260_101;

  private static byte[] large;

  @TempDir Path folder;

  private Path file() {
    return folder.resolve("index.snapshot");
  }

  private String refused(final byte[] bytes, final String what) throws IOException {
    Files.write(file(), bytes);
    try (Arena arena = Arena.ofCapacity(1L << 30)) {
      final SnapshotException failure =
          assertThrows(
              SnapshotException.class,
              () -> IndexSnapshot.restore(file(), RadixIndex.builder().arena(arena)),
              what);
      arena.assertNothingLive();
      assertTrue(failure.getMessage().matches("(?s)[a-z].*=.*[0-9].*"), failure.getMessage());
      return failure.getMessage();
    }
  }

  // ------ damage

  /** Makes a snapshot of several chunks. */
  @BeforeAll
  static void writeLarge(@TempDir final Path folder) throws IOException {
    final Path file = folder.resolve("large.snapshot");
    try (RadixIndex index =
        RadixIndex.builder().blockCapacity(300_000).edgeCapacity(10_000).build()) {
      new SyntheticWorkload(index, 8).build(250_000);
      IndexSnapshot.write(index, file);
      large = Files.readAllBytes(file);
    }
  }

  private static byte[] large() {
    return large.clone();
  }

  /** Where the chunks begin, and the end of the file. */
  private static int[] chunks(final byte[] bytes) {
    final ByteBuffer view = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    final int[] starts = new int[view.getInt(SnapshotLayout.CHUNKS_AT) + 1];
    int at = SnapshotLayout.HEADER_LENGTH;
    for (int i = 0; i < starts.length; i++) {
      starts[i] = at;
      at += i + 1 < starts.length ? SnapshotLayout.CHUNK_LENGTH + view.getInt(at) : 0;
    }
    return starts;
  }

  @Test
  void shouldRefuseAFileThatWasCutShortAnywhere() throws IOException {
    final byte[] whole = large();
    final int[] chunks = chunks(whole);
    assertTrue(chunks.length > 4, "chunks=" + chunks.length);
    for (int length = 0; length <= SnapshotLayout.HEADER_LENGTH; length += 4) {
      refused(Arrays.copyOf(whole, length), "length=" + length);
    }
    for (final int start : chunks) {
      for (final int length : new int[] {start - 1, start, start + 1, start + 15, start + 16}) {
        if (length < whole.length) {
          refused(Arrays.copyOf(whole, length), "length=" + length);
        }
      }
    }
    final Random random = new Random(SEED);
    for (int i = 0; i < 20; i++) {
      final int length = random.nextInt(whole.length);
      refused(Arrays.copyOf(whole, length), "length=" + length);
    }
  }

  @Test
  void shouldRefuseAFileInWhichABitWasFlipped() throws IOException {
    final byte[] whole = large();
    final int[] chunks = chunks(whole);
    for (int at = 0; at < SnapshotLayout.HEADER_LENGTH; at++) {
      flipped(whole, at, at % 8);
    }
    for (int i = 0; i + 1 < chunks.length; i++) {
      for (int at = chunks[i]; at < chunks[i] + SnapshotLayout.CHUNK_LENGTH; at++) {
        flipped(whole, at, at % 8);
      }
    }
    final Random random = new Random(SEED);
    for (int i = 0; i < 60; i++) {
      flipped(whole, random.nextInt(whole.length), random.nextInt(8));
    }
    flipped(whole, whole.length - 1, 7);
  }

  private void flipped(final byte[] whole, final int at, final int bit) throws IOException {
    whole[at] ^= (byte) (1 << bit);
    refused(whole, "at=" + at + " bit=" + bit + " seed=" + SEED);
    whole[at] ^= (byte) (1 << bit);
  }

  @Test
  void shouldRefuseAFileThatIsTooLong() throws IOException {
    final byte[] whole = large();
    for (final int more : new int[] {1, 8, 16, 4096}) {
      assertEquals(
          "snapshot is too long: fileLength=" + (whole.length + more) + " expected=" + whole.length,
          refused(Arrays.copyOf(whole, whole.length + more), "more=" + more));
    }
  }

  @Test
  void shouldRefuseAFileWhoseChunksWereSwappedOrRepeated() throws IOException {
    final byte[] whole = large();
    final int[] chunks = chunks(whole);
    // All chunks but the last are equally long here.
    final int length = chunks[1] - chunks[0];
    for (int i = 0; i + 2 < chunks.length - 1; i++) {
      final byte[] swapped = whole.clone();
      System.arraycopy(whole, chunks[i], swapped, chunks[i + 1], length);
      System.arraycopy(whole, chunks[i + 1], swapped, chunks[i], length);
      refused(swapped, "swapped=" + i);
      final byte[] repeated = whole.clone();
      System.arraycopy(whole, chunks[i], repeated, chunks[i + 1], length);
      refused(repeated, "repeated=" + i);
      // Numbers that are right, too, do not help.
      ByteBuffer.wrap(swapped).order(ByteOrder.LITTLE_ENDIAN).putInt(chunks[i] + 4, i);
      ByteBuffer.wrap(swapped).order(ByteOrder.LITTLE_ENDIAN).putInt(chunks[i + 1] + 4, i + 1);
      refused(swapped, "renumbered=" + i);
    }
  }

  @Test
  void shouldRefuseAChunkOfAnotherSnapshot() throws IOException {
    final byte[] whole = large();
    final SnapshotForge forge = new SnapshotForge(whole);
    final int at = chunks(whole)[1] + SnapshotLayout.CHUNK_LENGTH;
    forge.putLong(at, forge.getLong(at) + 1);
    final byte[] other = forge.sealed();
    final byte[] mixed = whole.clone();
    System.arraycopy(other, chunks(whole)[1], mixed, chunks(whole)[1], 1 << 19);
    System.arraycopy(
        other, chunks(whole)[1], mixed, chunks(whole)[1], chunks(whole)[2] - chunks(whole)[1]);
    assertTrue(
        refused(mixed, "mixed").startsWith("chunks of the snapshot are not those of its header: "));
  }

  @Test
  void shouldRefuseFilesOfOtherKinds() throws IOException {
    final byte[] whole = small();
    assertEquals(
        "not a snapshot of an index: it does not begin with KVRINDEX: fileLength=0",
        refused(new byte[0], "empty"));
    refused("{\"worker_id\":1}\n".repeat(50).getBytes(StandardCharsets.UTF_8), "text");
    final byte[] magic = whole.clone();
    magic[7] = 'Y';
    refused(magic, "magic");
    final SnapshotForge version = new SnapshotForge(whole);
    version.putInt(SnapshotLayout.VERSION_AT, 2);
    assertEquals(
        "snapshot has an unknown version: version=2 known=1",
        refused(version.headerSealed(), "version"));
    final SnapshotForge order = new SnapshotForge(whole);
    order.putInt(SnapshotLayout.ORDER_AT, 0x0D0C0B0A);
    assertEquals(
        "snapshot has the other byte order: mark=0xd0c0b0a",
        refused(order.headerSealed(), "byte order"));
    final SnapshotForge mark = new SnapshotForge(whole);
    mark.putInt(SnapshotLayout.ORDER_AT, 7);
    refused(mark.headerSealed(), "mark");
  }

  // ------ lies with checksums that are right

  private static List<Block> blocks(final int from, final int to) {
    return IntStream.range(from, to).mapToObj(i -> new Block(1000 + i, i)).toList();
  }

  /**
   * Two ranks, three edges: one of 10 blocks that both hold, 4 of them only partly; below it one of
   * 6 and one of 5; own names of the second rank for two blocks.
   */
  private byte[] small() throws IOException {
    try (RadixIndex index = RadixIndex.builder().blockCapacity(100).build()) {
      final IndexDriver driver = new IndexDriver(index);
      final Rank first = new Rank(1, 0);
      final Rank second = new Rank(-1, 1);
      driver.stored(first, 0, null, blocks(0, 16));
      driver.stored(first, 0, 1009L, blocks(100, 105));
      driver.stored(second, 0, null, List.of(new Block(1, 0), new Block(2, 1)));
      driver.stored(second, 0, 2L, blocks(2, 10));
      driver.stored(second, 2, null, List.of(new Block(1, 0)));
      driver.stored(second, 2, null, List.of(new Block(3, 0)));
      IndexSnapshot.write(index, file());
      return Files.readAllBytes(file());
    }
  }

  private record Lie(String name, Consumer<SnapshotForge> tell) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Lie lie(final String name, final Consumer<SnapshotForge> tell) {
    return new Lie(name, tell);
  }

  static Stream<Lie> lies() {
    return Stream.of(
        lie("more ranks", f -> f.putInt(SnapshotLayout.RANKS_AT, 3)),
        lie("no chunks", f -> f.putInt(SnapshotLayout.CHUNKS_AT, 0)),
        lie("negative chunks", f -> f.putInt(SnapshotLayout.CHUNKS_AT, -1)),
        lie("negative edges", f -> f.putInt(SnapshotLayout.EDGES_AT, -1)),
        lie("negative body", f -> f.putLong(SnapshotLayout.BODY_LENGTH_AT, -16)),
        lie("more blocks", f -> f.putLong(SnapshotLayout.BLOCKS_AT, 22)),
        lie("endless blocks", f -> f.putLong(SnapshotLayout.BLOCKS_AT, 1L << 60)),
        lie("endless words", f -> f.putLong(SnapshotLayout.WORDS_AT, 1L << 60)),
        lie(
            "less held",
            f -> f.putLong(SnapshotLayout.HELD_AT, f.getLong(SnapshotLayout.HELD_AT) - 1)),
        lie("negative units", f -> f.putLong(SnapshotLayout.UNITS_AT, -1)),
        lie("less units", f -> f.putLong(SnapshotLayout.UNITS_AT, 0)),
        lie("no block capacity", f -> f.putInt(SnapshotLayout.BLOCK_CAPACITY_AT, 0)),
        lie("small edge capacity", f -> f.putInt(SnapshotLayout.EDGE_CAPACITY_AT, 1)),
        lie("ranks swapped", f -> f.putLong(SnapshotForge.rank(1), 0)),
        lie(
            "rank twice",
            f -> {
              f.putLong(SnapshotForge.rank(1), 1);
              f.putInt(SnapshotForge.rank(1) + SnapshotLayout.RANK_DP, 0);
            }),
        lie("rank flags", f -> f.putInt(SnapshotForge.rank(1) + SnapshotLayout.RANK_FLAGS, 2)),
        lie("own parent", f -> f.putInt(f.edges().get(0) + SnapshotLayout.EDGE_PARENT, 1)),
        lie("later parent", f -> f.putInt(f.edges().get(0) + SnapshotLayout.EDGE_PARENT, 2)),
        lie("negative parent", f -> f.putInt(f.edges().get(1) + SnapshotLayout.EDGE_PARENT, -1)),
        lie("no age", f -> f.putInt(f.edges().get(2) + SnapshotLayout.EDGE_AGE, 0)),
        lie("negative age", f -> f.putInt(f.edges().get(2) + SnapshotLayout.EDGE_AGE, -1)),
        lie("great age", f -> f.putInt(f.edges().get(2) + SnapshotLayout.EDGE_AGE, 4)),
        lie("age left out", f -> f.putInt(f.edges().get(2) + SnapshotLayout.EDGE_AGE, 3)),
        lie("age twice", f -> f.putInt(f.edges().get(2) + SnapshotLayout.EDGE_AGE, 1)),
        lie("age of a parent", f -> f.putInt(f.edges().get(0) + SnapshotLayout.EDGE_AGE, 3)),
        lie("no count", f -> f.putInt(f.edges().get(2) + SnapshotLayout.EDGE_COUNT, 0)),
        lie("negative count", f -> f.putInt(f.edges().get(2) + SnapshotLayout.EDGE_COUNT, -5)),
        lie("great count", f -> f.putInt(f.edges().get(2) + SnapshotLayout.EDGE_COUNT, 6)),
        lie("edge zero", f -> f.putInt(f.edges().get(0) + SnapshotLayout.EDGE_ZERO, 1)),
        lie("negative words", f -> f.putInt(f.edges().get(0) + SnapshotLayout.EDGE_WORDS, -1)),
        lie("great words", f -> f.putInt(f.edges().get(0) + SnapshotLayout.EDGE_WORDS, 5)),
        lie("negative parts", f -> f.putInt(f.edges().get(0) + SnapshotLayout.EDGE_PARTS, -1)),
        lie("great parts", f -> f.putInt(f.edges().get(0) + SnapshotLayout.EDGE_PARTS, 1 << 30)),
        lie("no bits", f -> f.putLong(SnapshotForge.firstWord(f.edges().get(0)), 0)),
        lie("unknown rank", f -> f.putLong(SnapshotForge.firstWord(f.edges().get(0)), 5)),
        lie(
            "word of no tier",
            f -> f.putInt(SnapshotForge.firstWord(f.edges().get(0)) + SnapshotLayout.WORD_TIER, 4)),
        lie(
            "negative word",
            f ->
                f.putInt(
                    SnapshotForge.firstWord(f.edges().get(0)) + SnapshotLayout.WORD_INDEX, -1)),
        lie(
            "word of no rank",
            f ->
                f.putInt(SnapshotForge.firstWord(f.edges().get(0)) + SnapshotLayout.WORD_INDEX, 1)),
        lie(
            "part of no rank",
            f -> f.putInt(f.firstPart(f.edges().get(0)) + SnapshotLayout.PART_OWNER, 2 << 16 | 2)),
        lie(
            "part of no tier",
            f -> f.putInt(f.firstPart(f.edges().get(0)) + SnapshotLayout.PART_OWNER, 4 << 16 | 1)),
        lie(
            "negative part",
            f -> f.putInt(f.firstPart(f.edges().get(0)) + SnapshotLayout.PART_OWNER, -1)),
        lie(
            "part of a full holder",
            f -> f.putInt(f.firstPart(f.edges().get(0)) + SnapshotLayout.PART_OWNER, 1)),
        lie(
            "no cutoff",
            f -> f.putInt(f.firstPart(f.edges().get(0)) + SnapshotLayout.PART_CUTOFF, 0)),
        lie(
            "full cutoff",
            f -> f.putInt(f.firstPart(f.edges().get(0)) + SnapshotLayout.PART_CUTOFF, 10)),
        lie(
            "negative cutoff",
            f -> f.putInt(f.firstPart(f.edges().get(0)) + SnapshotLayout.PART_CUTOFF, -1)),
        lie("twins", f -> f.putLong(f.firstBlock(f.edges().get(2)), 10)),
        lie("children swapped", f -> f.putLong(f.firstBlock(f.edges().get(1)), 101)),
        lie("hash twice", f -> f.putLong(f.firstBlock(f.edges().get(1)) + 8, 1000)),
        lie("name of no edge", f -> f.putInt(f.names() + SnapshotLayout.NAME_EDGE, 0)),
        lie("name of unknown edge", f -> f.putInt(f.names() + SnapshotLayout.NAME_EDGE, 4)),
        lie("name of negative edge", f -> f.putInt(f.names() + SnapshotLayout.NAME_EDGE, -1)),
        lie("name behind the end", f -> f.putInt(f.names() + SnapshotLayout.NAME_INDEX, 10)),
        lie("name before the beginning", f -> f.putInt(f.names() + SnapshotLayout.NAME_INDEX, -1)),
        lie("name of no rank", f -> f.putInt(f.names() + SnapshotLayout.NAME_OWNER, 1 << 16 | 2)),
        lie("name without tiers", f -> f.putInt(f.names() + SnapshotLayout.NAME_OWNER, 1)),
        lie(
            "name in other tiers",
            f -> f.putInt(f.names() + SnapshotLayout.NAME_OWNER, 8 << 16 | 1)),
        lie(
            "name in too many tiers",
            f -> f.putInt(f.names() + SnapshotLayout.NAME_OWNER, 16 << 16 | 1)),
        lie("name zero", f -> f.putInt(f.names() + SnapshotLayout.NAME_ZERO, 1)),
        lie("names swapped", f -> f.putLong(f.names(), 4)),
        lie("name twice", f -> f.putLong(f.names() + 2 * SnapshotLayout.NAME_LENGTH, 3)),
        lie(
            "name of another block",
            f -> f.putLong(f.names() + 2 * SnapshotLayout.NAME_LENGTH, 1005)),
        lie("needless name", f -> f.putLong(f.names() + 2 * SnapshotLayout.NAME_LENGTH, 1001)));
  }

  @ParameterizedTest
  @MethodSource("lies")
  void shouldRefuseALieWithChecksumsThatAreRight(final Lie lie) throws IOException {
    final byte[] honest = small();
    final SnapshotForge forge = new SnapshotForge(honest);
    lie.tell.accept(forge);
    refused(forge.sealed(), lie.name);
    assertArrayEquals(honest, new SnapshotForge(honest).sealed(), "what is sealed when honest");
  }

  @Test
  void shouldRefuseALeafThatNobodyHoldsToItsEnd() throws IOException {
    final byte[] honest = small();
    final SnapshotForge forge = new SnapshotForge(honest);
    final int edge = forge.edges().get(2);
    assertEquals(0, forge.getInt(edge + SnapshotLayout.EDGE_PARTS));
    // The word of 16 bytes becomes two partial holders of 8.
    forge.putInt(edge + SnapshotLayout.EDGE_WORDS, 0);
    forge.putInt(edge + SnapshotLayout.EDGE_PARTS, 2);
    forge.putInt(SnapshotForge.firstWord(edge), 0);
    forge.putInt(SnapshotForge.firstWord(edge) + SnapshotLayout.PART_CUTOFF, 1);
    forge.putInt(SnapshotForge.firstWord(edge) + 8, 1);
    forge.putInt(SnapshotForge.firstWord(edge) + 8 + SnapshotLayout.PART_CUTOFF, 4);
    forge.putLong(SnapshotLayout.WORDS_AT, forge.getLong(SnapshotLayout.WORDS_AT) - 1);
    forge.putLong(SnapshotLayout.PARTS_AT, forge.getLong(SnapshotLayout.PARTS_AT) + 2);
    forge.putLong(SnapshotLayout.UNITS_AT, forge.getLong(SnapshotLayout.UNITS_AT) + 1);
    assertEquals(
        "snapshot contradicts itself: edge without children is not held to its end: edge=3",
        refused(forge.sealed(), "leaf"));
  }

  @Test
  void shouldNotReserveMoreThanAFileCanHoldWhateverItsHeaderSays() throws IOException {
    final SnapshotForge forge = new SnapshotForge(small());
    forge.putInt(SnapshotLayout.BLOCK_CAPACITY_AT, RadixIndexBuilder.MAX_BLOCKS);
    Files.write(file(), forge.sealed());
    try (Arena arena = Arena.ofCapacity(1 << 20)) {
      assertThrows(
          CapacityExceededException.class,
          () -> IndexSnapshot.restore(file(), RadixIndex.builder().arena(arena)));
      arena.assertNothingLive();
      final RadixIndexBuilder fitting = IndexSnapshot.info(file()).fitting().arena(arena);
      try (RadixIndex restored = IndexSnapshot.restore(file(), fitting)) {
        IndexInvariants.check(restored);
      }
    }
  }

  /** Whatever a number in the body is changed to: the file is refused, or the index is sound. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 4, 15})
  void shouldNeverMakeABrokenIndexOfAForgedFile(final long seed) throws IOException {
    final Style style =
        seed % 2 == 0
            ? new Style(3, 2, 2, 20, 4, Naming.TINY, 10)
            : new Style(3, 1, 2, 30, 3, Naming.ALIASES, 6);
    final byte[] honest;
    try (SnapshotTwin twin = new SnapshotTwin(style, seed)) {
      twin.run(150);
      IndexSnapshot.write(twin.index(), file());
      // Small capacities, so that many can be made.
      try (RadixIndex small = IndexSnapshot.restore(file(), IndexSnapshot.info(file()).fitting())) {
        IndexSnapshot.write(small, file());
      }
      honest = Files.readAllBytes(file());
    }
    final Random random = new Random(seed);
    final int[] structure = new SnapshotForge(honest).structure();
    int sound = 0;
    int refused = 0;
    for (int i = 0; i < 2_000; i++) {
      final SnapshotForge forge = new SnapshotForge(honest);
      for (int n = random.nextInt(3); n >= 0; n--) {
        final int at =
            random.nextInt(4) == 0
                ? SnapshotForge.body() + 4 * random.nextInt((honest.length - 200) / 4)
                : structure[random.nextInt(structure.length)];
        forge.putInt(at, other(forge.getInt(at), random));
      }
      Files.write(file(), forge.sealed());
      if (isSoundWhenRestored("seed=" + seed + " round=" + i)) {
        sound++;
      } else {
        refused++;
      }
    }
    assertTrue(sound > 20 && refused > 20, "sound=" + sound + " refused=" + refused);
  }

  private static int other(final int value, final Random random) {
    return switch (random.nextInt(8)) {
      case 0 -> value + 1;
      case 1 -> value - 1;
      case 2 -> -value;
      case 3 -> random.nextInt(70);
      case 4 -> value ^ 1 << random.nextInt(32);
      case 5 -> Integer.MAX_VALUE;
      case 6 -> Integer.MIN_VALUE;
      default -> random.nextInt();
    };
  }

  private boolean isSoundWhenRestored(final String what) {
    try (Arena arena = Arena.ofCapacity(1 << 26)) {
      try (RadixIndex restored = IndexSnapshot.restore(file(), RadixIndex.builder().arena(arena))) {
        IndexInvariants.check(restored);
        final byte[] dump = SnapshotTwin.dump(restored);
        IndexSnapshot.write(restored, file());
        try (RadixIndex again =
            IndexSnapshot.restore(file(), IndexSnapshot.info(file()).fitting())) {
          assertArrayEquals(dump, SnapshotTwin.dump(again), what);
        }
        for (final long worker : restored.workers()) {
          restored.removeWorker(worker);
        }
        restored.sweepAll();
        assertEquals(0, restored.usedBytes(), what);
        return true;
      } catch (final SnapshotException | CapacityExceededException refusal) {
        arena.assertNothingLive();
        return false;
      } catch (final AssertionError | RuntimeException failure) {
        throw new AssertionError(what, failure);
      }
    }
  }
}
