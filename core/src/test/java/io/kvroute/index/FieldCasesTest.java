package io.kvroute.index;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.hash.BlockHashOptions;
import io.kvroute.hash.BlockHashes;
import io.kvroute.hash.SequenceHash;
import io.kvroute.hash.Xxh3;
import io.kvroute.index.NaiveIndex.Block;
import io.kvroute.index.NaiveIndex.Rank;
import io.kvroute.memory.Arena;
import io.kvroute.memory.CapacityExceededException;
import io.kvroute.protocol.KvEventType;
import io.kvroute.protocol.StorageTier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What went wrong in other routers' indexes, as reported in public. */
final class FieldCasesTest {
  private static final int DEVICE = StorageTier.DEVICE.ordinal();
  private static final int HOST = StorageTier.HOST_PINNED.ordinal();
  private static final Rank RANK_10 = new Rank(1, 0);
  private static final Rank RANK_11 = new Rank(1, 1);
  private static final Rank RANK_20 = new Rank(2, 0);

  private RadixIndex index = newIndex(ClearScope.RANK);
  private IndexDriver driver = new IndexDriver(index);
  private final MatchScores scores = new MatchScores();

  private static RadixIndex newIndex(final ClearScope scope) {
    return RadixIndex.builder().blockCapacity(10_000).clearScope(scope).build();
  }

  private void use(final RadixIndex other) {
    index.close();
    index = other;
    driver = new IndexDriver(index);
  }

  @AfterEach
  void close() {
    IndexInvariants.check(index);
    index.close();
  }

  /** Blocks for tokens {@code 1..count}, four a block, with chain hashes. */
  private static List<Block> blocks(final int count) {
    return blocksOf(locals(count));
  }

  private static List<Block> blocksOf(final long[] locals) {
    final List<Block> blocks = new ArrayList<>();
    long chain = 0;
    for (int i = 0; i < locals.length; i++) {
      chain = i == 0 ? locals[0] : SequenceHash.next(chain, locals[i]);
      blocks.add(new Block(chain, locals[i]));
    }
    return blocks;
  }

  private static long[] locals(final int count) {
    final int[] tokens = new int[count];
    for (int i = 0; i < count; i++) {
      tokens[i] = i + 1;
    }
    return BlockHashes.computeBlockHashForSeq(tokens, 4, BlockHashOptions.DEFAULT);
  }

  private static List<Long> hashes(final List<Block> blocks) {
    return blocks.stream().map(Block::hash).toList();
  }

  private int device(final Rank rank, final long... locals) {
    return score(rank, StorageTier.DEVICE, locals);
  }

  private int score(final Rank rank, final StorageTier tier, final long... locals) {
    index.findInTier(locals, 0, locals.length, tier, false, scores);
    final int i = scores.indexOf(rank.workerId(), rank.dpRank());
    return i < 0 ? 0 : scores.extension(i, tier);
  }

  @Test
  void shouldChainTheBlocksOfABatchOneBelowTheOther() {
    final long[] all = locals(12);
    assertEquals(ApplyResult.OK, driver.stored(RANK_10, DEVICE, null, blocks(12)));
    assertEquals(3, device(RANK_10, all));
    assertEquals(2, device(RANK_10, all[0], all[1]));
    assertEquals(0, device(RANK_10, all[1]));
    assertEquals(1, device(RANK_10, all[0], all[2]));
  }

  @Test
  void shouldRefuseAParentThatIsTheHashOfNothing() {
    final long nothing = Xxh3.hash(new byte[0], 0, 0, 1337);
    assertEquals(Long.parseUnsignedLong("15128690059815094969"), nothing);
    assertEquals(
        ApplyResult.PARENT_BLOCK_NOT_FOUND, driver.stored(RANK_10, DEVICE, nothing, blocks(4)));
    assertEquals(0, index.blockCount());
    assertEquals(0, index.workers().length);
    assertEquals(
        1, index.counters().events(KvEventType.STORED, ApplyResult.PARENT_BLOCK_NOT_FOUND));
    assertEquals(1, index.counters().parentlessBlocks());
  }

  @Test
  void shouldKeepEqualTokensApartByPosition() {
    final int[] tokens = {7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7};
    final long[] locals = BlockHashes.computeBlockHashForSeq(tokens, 4, BlockHashOptions.DEFAULT);
    final long local = Long.parseUnsignedLong("16259602842512645169");
    assertArrayEquals(new long[] {local, local, local}, locals);
    final List<Block> blocks = blocksOf(locals);
    assertEquals(
        List.of(
            local,
            Long.parseUnsignedLong("9812067070305159075"),
            Long.parseUnsignedLong("14627771026779570828")),
        hashes(blocks));
    assertEquals(ApplyResult.OK, driver.stored(RANK_10, DEVICE, null, blocks));
    assertEquals(3, device(RANK_10, locals));
  }

  @Test
  void shouldRefuseAStoreThatNamesItselfAsParentWithoutHanging() {
    driver.stored(RANK_10, DEVICE, null, List.of(new Block(5, 50)));
    final long used = index.usedBytes();
    final List<Block> self = List.of(new Block(6, 60), new Block(5, 70), new Block(8, 80));
    final List<Block> twice = List.of(new Block(6, 60), new Block(8, 70), new Block(6, 80));
    assertTimeout(
        Duration.ofSeconds(1),
        () -> {
          for (final Long parent : List.of(5L, 6L)) {
            assertEquals(
                ApplyResult.INVALID_BLOCK_SEQUENCE, driver.stored(RANK_10, DEVICE, parent, self));
          }
          assertEquals(
              ApplyResult.INVALID_BLOCK_SEQUENCE, driver.stored(RANK_10, DEVICE, 5L, twice));
          assertEquals(
              ApplyResult.INVALID_BLOCK_SEQUENCE, driver.stored(RANK_10, DEVICE, null, twice));
          assertEquals(
              ApplyResult.INVALID_BLOCK_SEQUENCE, driver.stored(RANK_20, DEVICE, 99L, twice));
        });
    assertEquals(used, index.usedBytes());
    assertEquals(1, index.blockCount());
    assertEquals(
        5, index.counters().events(KvEventType.STORED, ApplyResult.INVALID_BLOCK_SEQUENCE));
  }

  @Test
  void shouldReturnAllMemoryWhenAWorkerIsRemoved() {
    final long floor = index.usedBytes();
    driver.stored(RANK_10, DEVICE, null, blocks(40));
    driver.stored(RANK_10, HOST, null, blocks(24));
    assertTrue(index.removeWorker(1));
    assertEquals(0, index.workers().length);
    assertEquals(floor, index.usedBytes());
    assertEquals(ApplyResult.BLOCK_NOT_FOUND, driver.removed(RANK_10, DEVICE, hashes(blocks(4))));
    assertEquals(0, index.workers().length);
  }

  @Test
  void shouldKeepRanksOfOneWorkerApart() {
    driver.stored(RANK_10, DEVICE, null, blocks(8));
    driver.stored(RANK_11, DEVICE, null, blocks(8));
    assertEquals(ApplyResult.OK, driver.removed(RANK_11, DEVICE, hashes(blocks(8))));
    assertEquals(2, device(RANK_10, locals(8)));
    assertEquals(0, device(RANK_11, locals(8)));
    assertArrayEquals(new long[] {1}, index.workers());
    assertTrue(index.removeWorkerDpRank(1, 0));
    assertArrayEquals(new long[] {1}, index.workers());
    assertTrue(index.removeWorkerDpRank(1, 1));
    assertEquals(0, index.workers().length);
  }

  @Test
  void shouldListWorkersInUnsignedOrder() {
    for (final long worker : new long[] {Long.MIN_VALUE, 1, -1, 7_587_886_108_854_196_461L}) {
      driver.stored(new Rank(worker, 0), DEVICE, null, blocks(4));
      driver.stored(new Rank(worker, -1), DEVICE, null, blocks(4));
      driver.stored(new Rank(worker, 3), DEVICE, null, blocks(4));
    }
    assertArrayEquals(
        new long[] {1, 7_587_886_108_854_196_461L, Long.MIN_VALUE, -1}, index.workers());
    index.find(locals(4), 0, 1, scores);
    assertEquals(12, scores.count());
    assertEquals(1, scores.workerId(0));
    assertEquals(0, scores.dpRank(0));
    assertEquals(3, scores.dpRank(1));
    assertEquals(-1, scores.dpRank(2));
    assertEquals(-1, scores.workerId(11));
  }

  private void fillForClear() {
    for (final Rank rank : List.of(RANK_10, RANK_11, RANK_20)) {
      driver.stored(rank, DEVICE, null, blocks(12));
    }
    driver.stored(RANK_10, HOST, null, blocks(12));
  }

  @Test
  void shouldClearOneRankInAllTiersWhenTheDeviceIsCleared() {
    fillForClear();
    assertEquals(ApplyResult.OK, driver.cleared(RANK_10, DEVICE));
    assertEquals(0, device(RANK_10, locals(12)));
    assertEquals(0, score(RANK_10, StorageTier.HOST_PINNED, locals(12)));
    assertEquals(3, device(RANK_11, locals(12)));
    assertEquals(3, device(RANK_20, locals(12)));
    assertEquals(
        ApplyResult.PARENT_BLOCK_NOT_FOUND,
        driver.stored(RANK_10, DEVICE, blocks(12).get(2).hash(), List.of(new Block(1, 2))));
    assertEquals(ApplyResult.OK, driver.cleared(RANK_10, DEVICE));
    assertArrayEquals(new long[] {1, 2}, index.workers());
    assertEquals(0, index.heldBlocks(1, 0, StorageTier.DEVICE));
    assertEquals(3, index.heldBlocks(1, 1, StorageTier.DEVICE));
  }

  @Test
  void shouldClearOneTierAloneWhenItIsNotTheDevice() {
    fillForClear();
    assertEquals(ApplyResult.OK, driver.cleared(RANK_10, HOST));
    assertEquals(3, device(RANK_10, locals(12)));
    assertEquals(0, score(RANK_10, StorageTier.HOST_PINNED, locals(12)));
  }

  @Test
  void shouldClearAllRanksOfTheWorkerInTheScopeWorker() {
    use(newIndex(ClearScope.WORKER));
    fillForClear();
    assertEquals(ApplyResult.OK, driver.cleared(RANK_10, DEVICE));
    assertEquals(0, device(RANK_10, locals(12)));
    assertEquals(0, device(RANK_11, locals(12)));
    assertEquals(3, device(RANK_20, locals(12)));
  }

  @Test
  void shouldKeepTheHostsCopyWhenTheDeviceDropsIts() {
    final List<Block> blocks = blocks(12);
    driver.stored(RANK_10, DEVICE, null, blocks);
    assertTiers(3, 0, 0);
    driver.stored(RANK_10, HOST, null, blocks);
    assertTiers(3, 3, 0);
    driver.removed(RANK_10, DEVICE, hashes(blocks.subList(1, 3)));
    assertTiers(1, 3, 2);
    driver.removed(RANK_10, HOST, hashes(blocks.subList(2, 3)));
    assertTiers(1, 2, 1);
    driver.stored(RANK_10, DEVICE, blocks.get(0).hash(), blocks.subList(1, 2));
    assertTiers(2, 2, 0);
  }

  private void assertTiers(final int device, final int host, final int hostBeyondDevice) {
    final long[] locals = locals(12);
    assertEquals(device, device(RANK_10, locals));
    assertEquals(host, score(RANK_10, StorageTier.HOST_PINNED, locals));
    index.find(locals, 0, locals.length, scores);
    assertEquals(device, scores.device(0));
    assertEquals(hostBeyondDevice, scores.extension(0, StorageTier.HOST_PINNED));
    assertEquals(device + hostBeyondDevice, scores.total(0));
  }

  @Test
  void shouldSkipMalformedBytesAndApplyWhatFollows() {
    final UnsafeBuffer bytes = new UnsafeBuffer(new byte[256]);
    for (int length = 0; length <= 256; length += 8) {
      assertEquals(ApplyResult.MALFORMED, index.apply(bytes, 0, length));
    }
    assertEquals(ApplyResult.MALFORMED, index.apply(bytes, 250, 48));
    assertEquals(ApplyResult.MALFORMED, index.apply(bytes, -8, 48));
    assertEquals(35, index.counters().malformedEvents());
    assertEquals(ApplyResult.OK, driver.stored(RANK_10, DEVICE, null, blocks(8)));
    assertEquals(2, device(RANK_10, locals(8)));
  }

  @Test
  void shouldMergeStraightRunsInADumpThatRestoresTheSameScores() {
    final List<Block> blocks = blocks(4_000);
    driver.stored(RANK_10, DEVICE, null, blocks);
    driver.stored(RANK_20, DEVICE, null, blocks.subList(0, 500));
    assertTrue(index.edgeCount() <= 2, "edges=" + index.edgeCount());
    try (RadixIndex copy = newIndex(ClearScope.RANK)) {
      assertEquals(2, index.dump(copy));
      index.removeWorker(1);
      final long[] locals = locals(4_000);
      copy.find(locals, 0, locals.length, scores);
      assertEquals(1_000, scores.device(0));
      assertEquals(500, scores.device(1));
    }
    assertEquals(500, device(RANK_20, locals(4_000)));
  }

  @Test
  void shouldReplaceOneWorkerWhenItsDumpIsAppliedAfterItsRemoval() {
    driver.stored(RANK_10, DEVICE, null, blocks(12));
    driver.stored(RANK_20, DEVICE, null, blocks(8));
    try (RadixIndex other = newIndex(ClearScope.RANK)) {
      new IndexDriver(other).stored(RANK_20, DEVICE, null, blocks(20));
      index.removeWorker(2);
      other.dump(index);
    }
    assertEquals(3, device(RANK_10, locals(20)));
    assertEquals(5, device(RANK_20, locals(20)));
  }

  @Test
  void shouldDumpTheWholePathAndOneRemovalForItsGaps() {
    final List<Block> blocks = blocks(20);
    driver.stored(RANK_10, DEVICE, null, blocks);
    driver.removed(RANK_10, DEVICE, List.of(blocks.get(1).hash(), blocks.get(3).hash()));
    assertEquals(1, device(RANK_10, locals(20)));
    try (RadixIndex copy = newIndex(ClearScope.RANK)) {
      assertEquals(2, index.dump(copy));
      assertEquals(3, copy.heldBlocks(StorageTier.DEVICE));
      assertEquals(1, copy.counters().events(KvEventType.STORED, ApplyResult.OK));
      assertEquals(1, copy.counters().events(KvEventType.REMOVED, ApplyResult.OK));
      assertEquals(
          ApplyResult.OK,
          new IndexDriver(copy)
              .stored(RANK_10, DEVICE, blocks.get(0).hash(), blocks.subList(1, 2)));
      final long[] locals = locals(20);
      copy.find(locals, 0, locals.length, scores);
      assertEquals(3, scores.device(0));
    }
  }

  @Test
  void shouldReturnATypedErrorForCapacitiesThatCannotBe() {
    final RadixIndexBuilder builder = RadixIndex.builder();
    assertThrows(CapacityExceededException.class, () -> builder.blockCapacity(0));
    assertThrows(CapacityExceededException.class, () -> builder.blockCapacity(1L << 31));
    assertThrows(CapacityExceededException.class, () -> builder.rankCapacity(65_537));
    assertThrows(CapacityExceededException.class, () -> builder.holderBytes(1L << 40));
    assertThrows(
        CapacityExceededException.class,
        () -> builder.blockCapacity(2_000_000_000).edgeCapacity(100_000_000).build());
    final long bytes = RadixIndex.builder().blockCapacity(40_000_000).requiredBytes();
    assertTrue(bytes > 40_000_000L * 30, "bytes=" + bytes);
  }

  @Test
  void shouldNeedExactlyTheBytesThatTheBuilderStates() {
    final RadixIndexBuilder builder = RadixIndex.builder().blockCapacity(10_007).rankCapacity(77);
    try (Arena arena = Arena.tracking(builder.requiredBytes())) {
      builder.arena(arena);
      final RadixIndex built = builder.build();
      assertEquals(builder.requiredBytes(), arena.usedBytes());
      assertThrows(CapacityExceededException.class, builder::build);
      built.close();
      built.close();
      arena.assertNothingLive();
      assertThrows(IllegalStateException.class, () -> built.find(new long[1], 0, 1, scores));
      assertThrows(IllegalStateException.class, built::workers);
    }
  }

  @Test
  void shouldResolveAStoreWithoutTokensThroughKnownHashes() {
    driver.stored(RANK_10, DEVICE, null, List.of(new Block(100, 7), new Block(101, 8)));
    assertEquals(
        ApplyResult.OK,
        index.applyStoredWithoutTokens(1, 0, StorageTier.HOST_PINNED, new long[] {100, 101}, 0, 2));
    assertEquals(2, score(RANK_10, StorageTier.HOST_PINNED, 7, 8));
    assertEquals(
        ApplyResult.BLOCK_NOT_FOUND,
        index.applyStoredWithoutTokens(1, 0, StorageTier.HOST_PINNED, new long[] {100, 9}, 0, 2));
    assertEquals(1, index.counters().unresolvedStores());
    assertEquals(
        ApplyResult.INVALID_BLOCK_SEQUENCE,
        index.applyStoredWithoutTokens(1, 0, StorageTier.DISK, new long[] {100, 100}, 0, 2));
    assertEquals(0, score(RANK_10, StorageTier.DISK, 7, 8));
  }

  @Test
  void shouldTakeZeroForARealParentHash() {
    assertEquals(
        ApplyResult.PARENT_BLOCK_NOT_FOUND,
        driver.stored(RANK_10, DEVICE, 0L, List.of(new Block(1, 2))));
    driver.stored(RANK_10, DEVICE, null, List.of(new Block(0, 2)));
    assertEquals(ApplyResult.OK, driver.stored(RANK_10, DEVICE, 0L, List.of(new Block(1, 3))));
    assertEquals(2, device(RANK_10, 2, 3));
  }

  @Test
  void shouldLetALowerTierBuildOnWhatAnyoneHolds() {
    final List<Block> blocks = blocks(12);
    driver.stored(RANK_10, DEVICE, null, blocks);
    final long parent = blocks.get(0).hash();
    assertEquals(
        ApplyResult.PARENT_BLOCK_NOT_FOUND,
        driver.stored(RANK_20, DEVICE, parent, blocks.subList(1, 3)));
    assertEquals(ApplyResult.OK, driver.stored(RANK_20, HOST, parent, blocks.subList(1, 3)));
    assertEquals(0, score(RANK_20, StorageTier.HOST_PINNED, locals(12)));
    driver.stored(RANK_20, HOST, null, blocks.subList(0, 1));
    assertEquals(3, score(RANK_20, StorageTier.HOST_PINNED, locals(12)));
  }

  @Test
  void shouldHoldABlockUntilAllItsAliasesAreRemoved() {
    driver.stored(RANK_10, DEVICE, null, List.of(new Block(1, 10), new Block(2, 20)));
    driver.stored(RANK_10, DEVICE, 1L, List.of(new Block(3, 20)));
    assertEquals(2, index.heldBlocks(StorageTier.DEVICE));
    assertEquals(ApplyResult.OK, driver.removed(RANK_10, DEVICE, List.of(2L)));
    assertEquals(2, device(RANK_10, 10, 20));
    assertEquals(ApplyResult.BLOCK_NOT_FOUND, driver.removed(RANK_10, DEVICE, List.of(2L)));
    assertEquals(ApplyResult.OK, driver.removed(RANK_10, DEVICE, List.of(3L)));
    assertEquals(1, device(RANK_10, 10, 20));
    assertEquals(0, index.ownNameCount());
  }

  @Test
  void shouldKeepOneHashOfTwoWorkersForDifferentBlocksApart() {
    driver.stored(RANK_10, DEVICE, null, List.of(new Block(1, 10)));
    driver.stored(RANK_20, DEVICE, null, List.of(new Block(1, 20)));
    assertEquals(
        ApplyResult.INVALID_BLOCK_SEQUENCE,
        driver.stored(RANK_10, DEVICE, null, List.of(new Block(1, 20))));
    driver.removed(RANK_20, DEVICE, List.of(1L));
    assertEquals(1, device(RANK_10, 10));
    assertEquals(0, device(RANK_20, 20));
  }

  @Test
  void shouldRestoreTheDeeperOverlapWhenAMissingBlockIsStoredAgain() {
    final List<Block> blocks = blocks(400);
    driver.stored(RANK_10, DEVICE, null, blocks);
    driver.stored(RANK_20, DEVICE, null, blocks);
    assertEquals(1, index.edgeCount());
    driver.removed(RANK_10, DEVICE, List.of(blocks.get(50).hash()));
    assertEquals(50, device(RANK_10, locals(400)));
    assertEquals(100, device(RANK_20, locals(400)));
    driver.stored(RANK_10, DEVICE, blocks.get(49).hash(), blocks.subList(50, 51));
    assertEquals(100, device(RANK_10, locals(400)));
    assertEquals(1, index.edgeCount());
  }

  @Test
  void shouldStayOneEdgeHoweverPagesAreRemovedOneByOne() {
    final List<Block> blocks = blocks(800);
    driver.stored(RANK_10, DEVICE, null, blocks);
    for (int round = 0; round < 2; round++) {
      final List<Block> order = new ArrayList<>(blocks);
      if (round == 1) {
        Collections.reverse(order);
      }
      driver.stored(RANK_20, DEVICE, null, blocks);
      for (final Block block : order) {
        assertEquals(ApplyResult.OK, driver.removed(RANK_20, DEVICE, List.of(block.hash())));
        assertTrue(index.edgeCount() <= 2, "edges=" + index.edgeCount());
      }
      assertEquals(1, index.edgeCount());
    }
  }

  @Test
  void shouldUseNoMoreMemoryAfterSplitsAtEveryPointOfALongChain() {
    final List<Block> blocks = blocks(2_000);
    driver.stored(RANK_10, DEVICE, null, blocks);
    final long used = index.usedBytes();
    for (int cycle = 0; cycle < 3; cycle++) {
      for (int i = 0; i < blocks.size(); i++) {
        final List<Block> branch = List.of(new Block(1_000_000 + i, 5), new Block(i, 6));
        assertEquals(ApplyResult.OK, driver.stored(RANK_10, DEVICE, blocks.get(i).hash(), branch));
        assertEquals(ApplyResult.OK, driver.removed(RANK_10, DEVICE, hashes(branch)));
      }
      assertEquals(used, index.usedBytes());
      assertEquals(1, index.edgeCount());
    }
  }

  @Test
  void shouldStopAtOneMoreThanTheSecondBestWhenAskedToExitEarly() {
    driver.stored(RANK_10, DEVICE, null, blocks(40));
    driver.stored(RANK_20, DEVICE, null, blocks(12));
    final long[] locals = locals(40);
    index.find(locals, 0, locals.length, true, scores);
    assertEquals(4, scores.device(scores.indexOf(1, 0)));
    assertEquals(3, scores.device(scores.indexOf(2, 0)));
    index.removeWorker(2);
    index.find(locals, 0, locals.length, true, scores);
    assertEquals(1, scores.device(0));
  }
}
