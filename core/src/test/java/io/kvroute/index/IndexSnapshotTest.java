package io.kvroute.index;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.index.IndexOperations.Naming;
import io.kvroute.index.IndexOperations.Style;
import io.kvroute.index.NaiveIndex.Block;
import io.kvroute.index.NaiveIndex.Rank;
import io.kvroute.memory.Arena;
import io.kvroute.memory.CapacityExceededException;
import io.kvroute.protocol.StorageTier;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class IndexSnapshotTest {
  private static final int QUERIES = 10_000;

  @TempDir Path folder;

  static Stream<Style> styles() {
    return Stream.of(
        new Style(3, 2, 2, 60, 1, Naming.AGREED, 3),
        new Style(3, 2, 3, 40, 4, Naming.AGREED, 10),
        new Style(70, 2, 1, 50, 3, Naming.AGREED, 2),
        new Style(4, 2, 3, 60, 2, Naming.SALTED, 6),
        new Style(3, 1, 2, 40, 4, Naming.ALIASES, 6),
        new Style(3, 2, 2, 20, 4, Naming.TINY, 10));
  }

  private Path file() {
    return folder.resolve("index.snapshot");
  }

  @ParameterizedTest
  @MethodSource("styles")
  void shouldRestoreAnIndexThatAnswersAndDumpsLikeTheOneThatWasWritten(final Style style) {
    try (SnapshotTwin twin = new SnapshotTwin(style, 7)) {
      for (int round = 0; round < 3; round++) {
        twin.run(600);
        final long length = IndexSnapshot.write(twin.index(), file());
        assertEquals(length, file().toFile().length());
        try (RadixIndex restored = IndexSnapshot.restore(file(), twin.builder())) {
          IndexInvariants.check(restored);
          assertArrayEquals(SnapshotTwin.dump(twin.index()), SnapshotTwin.dump(restored));
          assertArrayEquals(twin.index().workers(), restored.workers());
          twin.compare(restored, QUERIES / 3 + 1);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("styles")
  void shouldGoOnInStepWithTheNaiveTwinAfterARestore(final Style style) {
    try (SnapshotTwin twin = new SnapshotTwin(style, 11)) {
      for (int round = 0; round < 4; round++) {
        twin.run(300);
        IndexSnapshot.write(twin.index(), file());
        twin.use(IndexSnapshot.restore(file(), twin.builder()));
        twin.compareWithNaive(200);
        IndexInvariants.check(twin.index());
      }
      for (final Rank rank : List.copyOf(twin.naive.ranks)) {
        twin.index().removeWorkerDpRank(rank.workerId(), rank.dpRank());
      }
      twin.index().sweepAll();
      assertEquals(0, twin.index().usedBytes());
    }
  }

  @ParameterizedTest
  @MethodSource("styles")
  void shouldWriteTheSameBytesForARestoredIndex(final Style style) throws IOException {
    try (SnapshotTwin twin = new SnapshotTwin(style, 13)) {
      twin.run(1_500);
      final Path again = folder.resolve("again.snapshot");
      IndexSnapshot.write(twin.index(), file());
      try (RadixIndex restored =
          IndexSnapshot.restore(file(), IndexSnapshot.info(file()).fitting())) {
        IndexInvariants.check(restored);
        assertArrayEquals(SnapshotTwin.dump(twin.index()), SnapshotTwin.dump(restored));
        IndexSnapshot.write(restored, again);
      }
      try (RadixIndex restored = IndexSnapshot.restore(again, twin.builder())) {
        IndexSnapshot.write(restored, again);
      }
      assertArrayEquals(Files.readAllBytes(file()), Files.readAllBytes(again));
    }
  }

  @ParameterizedTest
  @MethodSource("styles")
  void shouldMakeTheSameOfADumpAsOfASnapshot(final Style style) {
    try (SnapshotTwin twin = new SnapshotTwin(style, 23);
        RadixIndex byEvents = twin.builder().build()) {
      twin.run(900);
      IndexSnapshot.write(twin.index(), file());
      twin.index().dump(byEvents);
      try (RadixIndex restored = IndexSnapshot.restore(file(), twin.builder())) {
        assertArrayEquals(SnapshotTwin.dump(byEvents), SnapshotTwin.dump(restored));
        twin.compareAnswers(byEvents, restored, 500);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("styles")
  void shouldCarryPartitionsThroughAFileEach(final Style style) {
    try (SnapshotTwin twin = new SnapshotTwin(style, 29);
        PartitionedIndex before = partitioned(3, style);
        PartitionedIndex after = partitioned(2, style);
        RadixIndex oneBefore = twin.builder().build();
        RadixIndex oneAfter = twin.builder().build()) {
      twin.run(900);
      twin.index().dump(before);
      before.drain();
      for (int p = 0; p < before.partitionCount(); p++) {
        IndexSnapshot.write(before.partition(p), file());
        try (RadixIndex restored = IndexSnapshot.restore(file(), RadixIndex.builder())) {
          restored.dump(after);
        }
      }
      before.dump(oneBefore);
      after.dump(oneAfter);
      assertArrayEquals(SnapshotTwin.dump(oneBefore), SnapshotTwin.dump(oneAfter));
      twin.compareAnswers(twin.index(), oneAfter, 300);
    }
  }

  private static PartitionedIndex partitioned(final int partitions, final Style style) {
    return PartitionedIndex.builder()
        .partitionCount(partitions)
        .blockCapacity(20_000)
        .rankCapacity(style.ranks())
        .ownNameCapacity(20_000)
        .build();
  }

  @Test
  void shouldRestoreWhereAllHashesCollide() {
    try (SnapshotTwin twin = new SnapshotTwin(new Style(3, 2, 3, 30, 4, Naming.SALTED, 10), 19)) {
      twin.run(700);
      IndexSnapshot.write(twin.index(), file());
      twin.use(IndexSnapshot.restore(file(), twin.builder().tagMask(0)));
      IndexInvariants.check(twin.index());
      twin.compareWithNaive(200);
      twin.run(300);
      IndexInvariants.check(twin.index());
    }
  }

  @ParameterizedTest
  @MethodSource("styles")
  void shouldReplaceOneWorkerByItsPartOfASnapshotAndLeaveTheOthers(final Style style) {
    try (SnapshotTwin twin = new SnapshotTwin(style, 17)) {
      twin.run(400);
      IndexSnapshot.write(twin.index(), file());
      try (RadixIndex before = IndexSnapshot.restore(file(), twin.builder())) {
        twin.run(400);
        for (final long worker : before.workers()) {
          final byte[][] others = new byte[2][];
          others[0] = dumpOthers(twin.index(), worker);
          IndexSnapshot.replaceWorker(twin.index(), worker, file());
          IndexInvariants.check(twin.index());
          others[1] = dumpOthers(twin.index(), worker);
          assertArrayEquals(others[0], others[1], "worker=" + worker);
          assertSameHolds(twin, before, twin.index(), worker);
        }
      }
    }
  }

  /** What the others hold, as a dump of an index that holds nothing else. */
  private byte[] dumpOthers(final RadixIndex index, final long worker) {
    try (RadixIndex copy = copy(index)) {
      copy.removeWorker(worker);
      return SnapshotTwin.dump(copy);
    }
  }

  private RadixIndex copy(final RadixIndex index) {
    final Path copy = folder.resolve("copy.snapshot");
    IndexSnapshot.write(index, copy);
    return IndexSnapshot.restore(copy, RadixIndex.builder());
  }

  /** Compares what one worker holds in two indexes, each reduced to that worker. */
  private void assertSameHolds(
      final SnapshotTwin twin, final RadixIndex first, final RadixIndex second, final long worker) {
    try (RadixIndex left = onlyOf(first, worker);
        RadixIndex right = onlyOf(second, worker)) {
      for (int tier = 0; tier < 4; tier++) {
        final StorageTier each = StorageTier.ofOrdinal(tier);
        assertEquals(left.heldBlocks(each), right.heldBlocks(each));
      }
      assertEquals(left.blockCount(), right.blockCount());
      twin.compareAnswers(left, right, 300);
    }
  }

  private RadixIndex onlyOf(final RadixIndex index, final long worker) {
    final RadixIndex copy = copy(index);
    for (final long other : copy.workers()) {
      if (other != worker) {
        copy.removeWorker(other);
      }
    }
    copy.sweepAll();
    return copy;
  }

  // ------ small cases

  private static final Rank RANK = new Rank(1, 0);

  private static List<Block> blocks(final int from, final int to) {
    return IntStream.range(from, to).mapToObj(i -> new Block(1000 + i, i)).toList();
  }

  private static RadixIndex small() {
    final RadixIndex index =
        RadixIndex.builder().blockCapacity(500).edgeCapacity(100).rankCapacity(7).build();
    final IndexDriver driver = new IndexDriver(index);
    driver.stored(RANK, 0, null, blocks(0, 40));
    driver.stored(new Rank(-1, -1), 2, null, blocks(0, 20));
    return index;
  }

  @Test
  void shouldTakeTheCapacitiesThatAreLeftOpenFromTheFile() {
    try (RadixIndex index = small()) {
      IndexSnapshot.write(index, file());
      final SnapshotInfo info = IndexSnapshot.info(file());
      assertEquals(500, info.blockCapacity());
      assertEquals(100, info.edgeCapacity());
      assertEquals(7, info.rankCapacity());
      assertEquals(256, info.ownNameCapacity());
      assertEquals(40, info.blocks());
      assertEquals(2, info.ranks());
      assertEquals(60, info.heldBlocks());
      try (RadixIndex restored = IndexSnapshot.restore(file(), RadixIndex.builder())) {
        IndexSnapshot.write(restored, file());
        assertEquals(info, IndexSnapshot.info(file()));
      }
      try (RadixIndex restored =
          IndexSnapshot.restore(file(), RadixIndex.builder().blockCapacity(90).rankCapacity(2))) {
        IndexSnapshot.write(restored, file());
        assertEquals(90, IndexSnapshot.info(file()).blockCapacity());
        assertEquals(2, IndexSnapshot.info(file()).rankCapacity());
        assertEquals(100, IndexSnapshot.info(file()).edgeCapacity());
      }
    }
  }

  @Test
  void shouldLeaveTheBuilderAsItWas() {
    try (RadixIndex index = small()) {
      IndexSnapshot.write(index, file());
      final RadixIndexBuilder builder = RadixIndex.builder();
      final long required = builder.requiredBytes();
      IndexSnapshot.restore(file(), builder).close();
      assertEquals(required, builder.requiredBytes());
    }
  }

  @Test
  void shouldRefuseCapacitiesThatAreTooSmallWithNumbers() {
    try (RadixIndex index = small()) {
      IndexSnapshot.write(index, file());
      final CapacityExceededException blocks =
          assertThrows(
              CapacityExceededException.class,
              () -> IndexSnapshot.restore(file(), RadixIndex.builder().blockCapacity(39)));
      assertEquals(
          "the snapshot does not fit into the index: it has more blocks: count=40 capacity=39",
          blocks.getMessage());
      final CapacityExceededException ranks =
          assertThrows(
              CapacityExceededException.class,
              () -> IndexSnapshot.restore(file(), RadixIndex.builder().rankCapacity(1)));
      assertEquals(
          "the snapshot does not fit into the index: it has more ranks: count=2 capacity=1",
          ranks.getMessage());
    }
  }

  @Test
  void shouldGiveAllMemoryBackWhenARestoreIsRefused() throws IOException {
    try (RadixIndex index = small();
        Arena arena = Arena.tracking(1 << 26)) {
      IndexSnapshot.write(index, file());
      IndexSnapshot.restore(file(), RadixIndex.builder().arena(arena)).close();
      arena.assertNothingLive();
      final SnapshotForge forge = new SnapshotForge(Files.readAllBytes(file()));
      // The count of the last block's edge is one more than there are blocks.
      final int count = forge.edges().get(0) + SnapshotLayout.EDGE_COUNT;
      forge.putInt(count, forge.getInt(count) + 1);
      Files.write(file(), forge.sealed());
      assertThrows(
          SnapshotException.class,
          () -> IndexSnapshot.restore(file(), RadixIndex.builder().arena(arena)));
      arena.assertNothingLive();
    }
  }

  @Test
  void shouldWriteAndRestoreAnEmptyIndex() {
    try (RadixIndex index = RadixIndex.builder().blockCapacity(10).build()) {
      IndexSnapshot.write(index, file());
      assertEquals(SnapshotLayout.HEADER_LENGTH, IndexSnapshot.info(file()).fileBytes());
      try (RadixIndex restored = IndexSnapshot.restore(file(), RadixIndex.builder())) {
        assertEquals(0, restored.blockCount());
        assertEquals(0, restored.rankCount());
      }
    }
  }

  @Test
  void shouldKeepRanksThatHoldNothing() {
    try (RadixIndex index = RadixIndex.builder().build()) {
      new IndexDriver(index).stored(new Rank(-5, 3), 0, null, List.of());
      IndexSnapshot.write(index, file());
      try (RadixIndex restored = IndexSnapshot.restore(file(), RadixIndex.builder())) {
        assertArrayEquals(new long[] {-5}, restored.workers());
      }
    }
  }

  @Test
  void shouldLeaveTheOldFileWhenANewOneCannotBeWritten() throws IOException {
    try (RadixIndex index = small()) {
      Files.createDirectories(file().resolve("not empty"));
      final UncheckedIOException failure =
          assertThrows(UncheckedIOException.class, () -> IndexSnapshot.write(index, file()));
      assertEquals("snapshot cannot be written: file=" + file(), failure.getMessage());
      assertTrue(Files.isDirectory(file().resolve("not empty")));
      try (Stream<Path> left = Files.list(folder)) {
        assertEquals(List.of(file()), left.toList());
      }
      final Path nowhere = folder.resolve("missing").resolve("file");
      assertThrows(UncheckedIOException.class, () -> IndexSnapshot.write(index, nowhere));
      assertFalse(Files.exists(nowhere));
    }
  }

  @Test
  void shouldReplaceAnOlderFile() throws IOException {
    try (RadixIndex index = small()) {
      Files.writeString(file(), "old");
      IndexSnapshot.write(index, file());
      assertEquals(40, IndexSnapshot.info(file()).blocks());
      try (Stream<Path> left = Files.list(folder)) {
        assertEquals(List.of(file()), left.toList());
      }
    }
  }

  @Test
  void shouldSayThatAFileIsMissing() {
    final UncheckedIOException failure =
        assertThrows(
            UncheckedIOException.class, () -> IndexSnapshot.restore(file(), RadixIndex.builder()));
    assertEquals("snapshot cannot be read: file=" + file(), failure.getMessage());
  }

  // ------ one worker

  @Test
  void shouldReplaceOneRankOfAWorkerByEvents() {
    try (RadixIndex index = small();
        RadixIndex other = RadixIndex.builder().build()) {
      final Rank second = new Rank(1, 1);
      final IndexDriver driver = new IndexDriver(index);
      driver.stored(second, 0, null, blocks(0, 10));
      final IndexDriver otherDriver = new IndexDriver(other);
      otherDriver.stored(RANK, 0, null, blocks(0, 3));
      otherDriver.stored(second, 0, null, blocks(0, 5));
      otherDriver.stored(new Rank(2, 0), 0, null, blocks(0, 7));
      assertEquals(1, index.replaceWorkerDpRank(1, 0, other::dump));
      assertEquals(3, index.heldBlocks(1, 0, StorageTier.DEVICE));
      assertEquals(10, index.heldBlocks(1, 1, StorageTier.DEVICE));
      assertEquals(0, index.heldBlocks(2, 0, StorageTier.DEVICE));
      assertEquals(20, index.heldBlocks(-1, -1, StorageTier.DISK));
      assertEquals(2, index.replaceWorker(1, other::dump));
      assertEquals(3, index.heldBlocks(1, 0, StorageTier.DEVICE));
      assertEquals(5, index.heldBlocks(1, 1, StorageTier.DEVICE));
      IndexInvariants.check(index);
    }
  }

  @Test
  void shouldEmptyAWorkerWhoseReplacementDoesNotFit() {
    try (RadixIndex index = RadixIndex.builder().blockCapacity(30).refusing().build();
        RadixIndex other = RadixIndex.builder().build()) {
      new IndexDriver(index).stored(RANK, 0, null, blocks(0, 10));
      new IndexDriver(index).stored(new Rank(2, 0), 0, null, blocks(0, 5));
      final IndexDriver otherDriver = new IndexDriver(other);
      otherDriver.stored(RANK, 0, null, blocks(0, 20));
      otherDriver.stored(RANK, 0, null, blocks(100, 130));
      final CapacityExceededException failure =
          assertThrows(CapacityExceededException.class, () -> index.replaceWorker(1, other::dump));
      assertEquals(
          "no room for what a worker is to hold: worker=1 event=1 blocks=20", failure.getMessage());
      assertEquals(0, index.heldBlocks(1, 0, StorageTier.DEVICE));
      assertEquals(5, index.heldBlocks(2, 0, StorageTier.DEVICE));
      IndexInvariants.check(index);
    }
  }

  @Test
  void shouldEvictWhatIsOldestToMakeRoomForAReplacement() {
    try (RadixIndex index = RadixIndex.builder().blockCapacity(30).edgeCapacity(8).build();
        RadixIndex other = RadixIndex.builder().build()) {
      new IndexDriver(index).stored(new Rank(2, 0), 0, null, blocks(200, 210));
      new IndexDriver(index).stored(RANK, 0, null, blocks(0, 10));
      final IndexDriver otherDriver = new IndexDriver(other);
      otherDriver.stored(RANK, 0, null, blocks(0, 20));
      otherDriver.stored(RANK, 0, null, blocks(100, 105));
      index.replaceWorker(1, other::dump);
      assertEquals(25, index.heldBlocks(1, 0, StorageTier.DEVICE));
      assertTrue(index.heldBlocks(2, 0, StorageTier.DEVICE) <= 5);
      assertTrue(index.isApproximate(2, 0));
      assertFalse(index.isApproximate(1, 0));
      IndexInvariants.check(index);
    }
  }

  @Test
  void shouldRestoreWhichRanksAreApproximateAndWhichLeavesAreOldest() {
    try (RadixIndex index = RadixIndex.builder().blockCapacity(40).edgeCapacity(8).build()) {
      final IndexDriver driver = new IndexDriver(index);
      driver.stored(new Rank(3, 0), 0, null, blocks(300, 320));
      driver.stored(RANK, 0, null, blocks(0, 10));
      driver.stored(new Rank(2, 0), 0, null, blocks(100, 110));
      driver.stored(new Rank(2, 0), 0, null, blocks(200, 210));
      driver.stored(RANK, 0, null, blocks(0, 10));
      assertTrue(index.isApproximate(3, 0));
      IndexSnapshot.write(index, file());
      try (RadixIndex restored = IndexSnapshot.restore(file(), RadixIndex.builder())) {
        assertTrue(restored.isApproximate(3, 0));
        assertEquals(1, restored.approximateRankCount());
        final Rank fourth = new Rank(4, 0);
        for (int i = 0; i < 5; i++) {
          final List<Block> more = blocks(1000 + 5 * i, 1005 + 5 * i);
          assertEquals(ApplyResult.OK, driver.stored(fourth, 0, null, more));
          assertEquals(ApplyResult.OK, new IndexDriver(restored).stored(fourth, 0, null, more));
          assertArrayEquals(SnapshotTwin.dump(index), SnapshotTwin.dump(restored), "i=" + i);
        }
        assertTrue(restored.isApproximate(2, 0));
      }
    }
  }

  @Test
  void shouldNotWriteWhatForgottenRanksHaveLeft() {
    try (RadixIndex index = RadixIndex.builder().sliceWork(1).build()) {
      final IndexDriver driver = new IndexDriver(index);
      driver.stored(RANK, 0, null, blocks(0, 40));
      driver.stored(new Rank(2, 0), 0, null, blocks(0, 20));
      index.removeWorker(1);
      assertEquals(40, index.blockCount());
      IndexSnapshot.write(index, file());
      assertEquals(20, IndexSnapshot.info(file()).blocks());
      assertEquals(1, IndexSnapshot.info(file()).ranks());
    }
  }

  @Test
  void shouldMarkAWorkerApproximateThatWasSoWhenTheSnapshotWasWritten() {
    try (RadixIndex index = small()) {
      index.tree().ranks.setApproximate(index.tree().ranks.find(1, 0), true);
      IndexSnapshot.write(index, file());
      index.clearAllBlocks(1);
      assertFalse(index.isApproximate(1, 0));
      IndexSnapshot.replaceWorker(index, 1, file());
      assertTrue(index.isApproximate(1, 0));
      assertFalse(index.isApproximate(-1, -1));
      assertEquals(40, index.heldBlocks(1, 0, StorageTier.DEVICE));
    }
  }

  @Test
  void shouldLeaveTheIndexAsItWasWhenTheSnapshotOfAWorkerIsDamaged() throws IOException {
    try (RadixIndex index = small()) {
      IndexSnapshot.write(index, file());
      final byte[] bytes = Files.readAllBytes(file());
      bytes[bytes.length / 2] ^= 4;
      Files.write(file(), bytes);
      final byte[] before = SnapshotTwin.dump(index);
      assertThrows(SnapshotException.class, () -> IndexSnapshot.replaceWorker(index, 1, file()));
      assertArrayEquals(before, SnapshotTwin.dump(index));
    }
  }
}
