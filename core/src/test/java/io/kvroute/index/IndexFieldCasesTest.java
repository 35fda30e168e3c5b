package io.kvroute.index;

import static io.kvroute.index.ApplyResult.BLOCK_NOT_FOUND;
import static io.kvroute.index.ApplyResult.INVALID_BLOCK_SEQUENCE;
import static io.kvroute.index.ApplyResult.MALFORMED;
import static io.kvroute.index.ApplyResult.OK;
import static io.kvroute.index.ApplyResult.PARENT_BLOCK_NOT_FOUND;
import static io.kvroute.protocol.StorageTier.DEVICE;
import static io.kvroute.protocol.StorageTier.HOST_PINNED;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.kvroute.hash.BlockHashOptions;
import io.kvroute.hash.BlockHashes;
import io.kvroute.memory.AllocationMeter;
import io.kvroute.protocol.KvEventEncoder;
import io.kvroute.protocol.KvEventType;
import io.kvroute.protocol.StorageTier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Faults that users of such indexes reported, with the outcome that is right here. */
final class IndexFieldCasesTest {
  private static final int BLOCK_SIZE = 4;

  private final RadixIndex index =
      RadixIndex.builder().blockCapacity(1 << 12).rankCapacity(16).build();
  private final MutableDirectBuffer buffer = new ExpandableArrayBuffer(1 << 12);
  private final MatchScores scores = new MatchScores();
  private final long[] locals = locals(IntStream.rangeClosed(1, 12).toArray());
  private final long[] chain = BlockHashes.computeSeqHashForBlock(locals);

  @AfterEach
  void closeIndex() {
    index.close();
  }

  private static long[] locals(final int... tokens) {
    return BlockHashes.computeBlockHashForSeq(tokens, BLOCK_SIZE, BlockHashOptions.DEFAULT);
  }

  private ApplyResult store(
      final long worker,
      final int rank,
      final StorageTier tier,
      final Long parent,
      final long[] hashes,
      final long[] tokensHashes) {
    final int length =
        KvEventEncoder.stored(
            buffer,
            0,
            worker,
            rank,
            tier,
            0,
            parent != null,
            parent == null ? 0 : parent,
            hashes.length);
    for (int i = 0; i < hashes.length; i++) {
      KvEventEncoder.putBlockHash(buffer, 0, i, hashes[i]);
      KvEventEncoder.putTokensHash(buffer, 0, hashes.length, i, tokensHashes[i]);
    }
    return index.apply(buffer, 0, length);
  }

  private ApplyResult storeChain(final long worker, final int rank, final StorageTier tier) {
    return store(worker, rank, tier, null, chain, locals);
  }

  private ApplyResult remove(
      final long worker, final int rank, final StorageTier tier, final long... hashes) {
    final int length = KvEventEncoder.removed(buffer, 0, worker, rank, tier, 0, hashes.length);
    for (int i = 0; i < hashes.length; i++) {
      KvEventEncoder.putBlockHash(buffer, 0, i, hashes[i]);
    }
    return index.apply(buffer, 0, length);
  }

  private ApplyResult clear(final long worker, final int rank, final StorageTier tier) {
    return index.apply(buffer, 0, KvEventEncoder.cleared(buffer, 0, worker, rank, tier, 0));
  }

  private int device(final long worker, final int rank, final long... query) {
    index.find(query, 0, query.length, scores);
    final int at = scores.indexOf(worker, rank);
    return at < 0 ? 0 : scores.device(at);
  }

  private int inTier(
      final long worker, final int rank, final StorageTier tier, final long... query) {
    index.findInTier(query, 0, query.length, tier, false, scores);
    final int at = scores.indexOf(worker, rank);
    return at < 0 ? 0 : tier == DEVICE ? scores.device(at) : scores.extension(at, tier);
  }

  private static long[] slice(final long[] values, final int from, final int to) {
    return Arrays.copyOfRange(values, from, to);
  }

  @Test
  void shouldHangEachBlockOfAStoreBelowTheOneBefore() {
    assertEquals(OK, storeChain(1, 0, DEVICE));
    assertEquals(3, device(1, 0, locals));
    assertEquals(2, device(1, 0, slice(locals, 0, 2)));
    assertEquals(0, device(1, 0, locals[1]));
    assertEquals(1, device(1, 0, locals(1, 2, 3, 4, 9, 10, 11, 12)));
  }

  @Test
  void shouldRefuseAHashOfNothingAsParent() {
    final long nothing = BlockHashes.computeBlockHash(new byte[0]);
    assertEquals("15128690059815094969", Long.toUnsignedString(nothing));
    assertEquals(
        PARENT_BLOCK_NOT_FOUND,
        store(1, 0, DEVICE, nothing, slice(chain, 0, 1), slice(locals, 0, 1)));
    assertEquals(0, index.blockCount());
    assertEquals(1, index.counters().events(KvEventType.STORED, PARENT_BLOCK_NOT_FOUND));
    assertEquals(1, index.counters().parentlessBlocks());
  }

  @Test
  void shouldRefuseAStoreThatNamesItselfAsParentOrAHashTwice() {
    assertEquals(OK, storeChain(1, 0, DEVICE));
    final long[] hashes = {77, chain[2]};
    assertTimeoutPreemptively(
        Duration.ofSeconds(1),
        () -> {
          assertEquals(
              INVALID_BLOCK_SEQUENCE, store(1, 0, DEVICE, chain[2], hashes, new long[] {5, 6}));
          assertEquals(
              INVALID_BLOCK_SEQUENCE,
              store(1, 0, DEVICE, chain[2], new long[] {77, 77}, new long[] {5, 6}));
        });
    assertEquals(3, index.blockCount());
    assertEquals(2, index.counters().events(KvEventType.STORED, INVALID_BLOCK_SEQUENCE));
  }

  @Test
  void shouldKeepRepeatedTokensApartByPosition() {
    final long[] same = locals(7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7);
    assertEquals(OK, store(1, 0, DEVICE, null, BlockHashes.computeSeqHashForBlock(same), same));
    assertEquals(3, device(1, 0, same));
  }

  @Test
  void shouldKeepRanksApart() {
    assertEquals(OK, storeChain(1, 0, DEVICE));
    assertEquals(OK, storeChain(1, 1, DEVICE));
    assertEquals(OK, remove(1, 1, DEVICE, chain));
    assertEquals(3, device(1, 0, locals));
    assertEquals(0, device(1, 1, locals));
  }

  @Test
  void shouldClearOneRankInAllTiersAndRefuseItsLateChildren() {
    storeChain(1, 0, DEVICE);
    storeChain(1, 1, DEVICE);
    storeChain(2, 0, DEVICE);
    storeChain(1, 0, HOST_PINNED);
    assertEquals(OK, clear(1, 0, DEVICE));
    assertEquals(0, device(1, 0, locals));
    assertEquals(0, inTier(1, 0, HOST_PINNED, locals));
    assertEquals(3, device(1, 1, locals));
    assertEquals(3, device(2, 0, locals));
    assertEquals(
        PARENT_BLOCK_NOT_FOUND, store(1, 0, DEVICE, chain[2], new long[] {77}, new long[] {78}));
    assertEquals(OK, clear(1, 0, DEVICE));
    assertEquals(6, index.heldBlocks(DEVICE));
  }

  @Test
  void shouldClearOnlyTheTierThatAClearNames() {
    storeChain(1, 0, DEVICE);
    storeChain(1, 0, HOST_PINNED);
    assertEquals(OK, clear(1, 0, HOST_PINNED));
    assertEquals(3, inTier(1, 0, DEVICE, locals));
    assertEquals(0, inTier(1, 0, HOST_PINNED, locals));
  }

  @Test
  void shouldClearEveryRankOfTheWorkerWhenTheSwitchSaysSo() {
    try (RadixIndex wide =
        RadixIndex.builder()
            .blockCapacity(64)
            .rankCapacity(4)
            .clearScope(ClearScope.WORKER)
            .build()) {
      for (int rank = 0; rank < 2; rank++) {
        final int length = KvEventEncoder.stored(buffer, 0, 1, rank, DEVICE, 0, false, 0, 1);
        KvEventEncoder.putBlockHash(buffer, 0, 0, chain[0]);
        KvEventEncoder.putTokensHash(buffer, 0, 1, 0, locals[0]);
        assertEquals(OK, wide.apply(buffer, 0, length));
      }
      assertEquals(OK, wide.apply(buffer, 0, KvEventEncoder.cleared(buffer, 0, 1, 0, DEVICE, 0)));
      assertEquals(0, wide.heldBlocks(DEVICE));
    }
  }

  @Test
  void shouldKeepAPrefixOnTheHostWhenTheDeviceLosesIt() {
    storeChain(1, 0, DEVICE);
    assertTiers(3, 0);
    storeChain(1, 0, HOST_PINNED);
    assertTiers(3, 3);
    assertEquals(OK, remove(1, 0, DEVICE, chain[1], chain[2]));
    assertTiers(1, 3);
    index.find(locals, 0, 3, scores);
    assertEquals(2, scores.extension(scores.indexOf(1, 0), HOST_PINNED));
    assertEquals(OK, remove(1, 0, HOST_PINNED, chain[2]));
    assertTiers(1, 2);
    assertEquals(OK, store(1, 0, DEVICE, chain[0], slice(chain, 1, 2), slice(locals, 1, 2)));
    assertTiers(2, 2);
  }

  private void assertTiers(final int onDevice, final int onHost) {
    assertEquals(onDevice, inTier(1, 0, DEVICE, locals));
    assertEquals(onHost, inTier(1, 0, HOST_PINNED, locals));
  }

  @Test
  void shouldRestoreTheDepthWhenAHoleIsFilledAgain() {
    storeChain(1, 0, DEVICE);
    assertEquals(OK, remove(1, 0, DEVICE, chain[1]));
    assertEquals(1, device(1, 0, locals));
    assertEquals(2, index.heldBlocks(DEVICE));
    assertEquals(OK, store(1, 0, DEVICE, chain[0], slice(chain, 1, 2), slice(locals, 1, 2)));
    assertEquals(3, device(1, 0, locals));
  }

  @Test
  void shouldApplyTheRestOfARemovalWithAnUnknownHash() {
    storeChain(1, 0, DEVICE);
    assertEquals(BLOCK_NOT_FOUND, remove(1, 0, DEVICE, 4711, chain[2]));
    assertEquals(2, device(1, 0, locals));
    assertEquals(1, index.counters().blocksNotFound());
  }

  @Test
  void shouldHoldAPlaceUntilAllItsNamesAreRemoved() {
    storeChain(1, 0, DEVICE);
    assertEquals(OK, store(1, 0, DEVICE, chain[1], new long[] {99}, slice(locals, 2, 3)));
    assertEquals(OK, remove(1, 0, DEVICE, chain[2]));
    assertEquals(3, device(1, 0, locals));
    assertEquals(OK, remove(1, 0, DEVICE, 99));
    assertEquals(2, device(1, 0, locals));
  }

  @Test
  void shouldLetTwoWorkersUseOneHashForDifferentPlaces() {
    final long[] other = locals(90, 91, 92, 93);
    storeChain(1, 0, DEVICE);
    assertEquals(OK, store(2, 0, DEVICE, null, slice(chain, 0, 1), other));
    assertEquals(OK, remove(2, 0, DEVICE, chain[0]));
    assertEquals(3, device(1, 0, locals));
    assertEquals(0, device(2, 0, other));
  }

  @Test
  void shouldResolveAnOffloadWithoutTokensThroughKnownHashes() {
    storeChain(1, 0, DEVICE);
    assertEquals(OK, index.applyStoredWithoutTokens(1, 0, HOST_PINNED, chain, 0, 2));
    assertEquals(2, inTier(1, 0, HOST_PINNED, locals));
    assertEquals(
        BLOCK_NOT_FOUND,
        index.applyStoredWithoutTokens(1, 0, HOST_PINNED, new long[] {4711}, 0, 1));
    assertEquals(1, index.counters().unresolvedStores());
    assertEquals(2, inTier(1, 0, HOST_PINNED, locals));
  }

  @Test
  void shouldRefuseBytesThatAreNoEventAndGoOn() {
    final int length = KvEventEncoder.removedLength(2);
    KvEventEncoder.removed(buffer, 0, 1, 0, DEVICE, 0, 2);
    assertEquals(MALFORMED, index.apply(buffer, 0, length - 8));
    assertEquals(1, index.counters().malformedEvents());
    assertEquals(OK, storeChain(1, 0, DEVICE));
    assertEquals(3, device(1, 0, locals));
  }

  @Test
  void shouldListWorkersInUnsignedOrder() {
    storeChain(0x8000000000000000L, 0, DEVICE);
    storeChain(1, 0, DEVICE);
    assertArrayEquals(new long[] {1, 0x8000000000000000L}, index.workers());
    index.find(locals, 0, 3, scores);
    assertEquals(1, scores.workerId(0));
    assertEquals(0x8000000000000000L, scores.workerId(1));
  }

  @Test
  void shouldForgetARemovedWorkerWhole() {
    storeChain(5, 0, DEVICE);
    storeChain(5, 1, HOST_PINNED);
    index.removeWorker(5);
    assertArrayEquals(new long[0], index.workers());
    assertEquals(0, index.blockCount());
    assertEquals(0, device(5, 0, locals));
  }

  @Test
  void shouldDumpParentsFirstAndRestoreTheSameDump() {
    storeChain(1, 0, DEVICE);
    storeChain(2, 1, DEVICE);
    storeChain(3, 0, HOST_PINNED);
    store(2, 1, DEVICE, chain[0], new long[] {501}, new long[] {601});
    remove(1, 0, DEVICE, chain[1]);
    final List<byte[]> first = dump(index);
    try (RadixIndex restored =
        RadixIndex.builder().blockCapacity(1 << 12).rankCapacity(16).build()) {
      for (final byte[] event : first) {
        assertEquals(OK, restored.apply(new UnsafeBuffer(event), 0, event.length));
      }
      final List<byte[]> second = dump(restored);
      assertEquals(first.size(), second.size());
      for (int i = 0; i < first.size(); i++) {
        assertArrayEquals(first.get(i), second.get(i), "event " + i);
      }
      restored.find(locals, 0, 3, scores);
      assertEquals(1, scores.device(scores.indexOf(1, 0)));
      assertEquals(3, scores.device(scores.indexOf(2, 1)));
    }
  }

  private static List<byte[]> dump(final RadixIndex from) {
    final List<byte[]> events = new ArrayList<>();
    from.dump(
        (bytes, offset, length) -> {
          final byte[] copy = new byte[length];
          bytes.getBytes(offset, copy);
          events.add(copy);
        });
    return events;
  }

  @Test
  void shouldNotAllocateWhenApplyingAndFinding() {
    storeChain(1, 0, DEVICE);
    final long[] hashes = new long[16];
    final long[] tokensHashes = new long[16];
    final Long parent = chain[2];
    final long bytes =
        AllocationMeter.bytes(
            20_000,
            () -> {
              for (int i = 0; i < 16; i++) {
                hashes[i] = 1000L + i;
                tokensHashes[i] = 2000L + i;
              }
              store(1, 0, DEVICE, parent, hashes, tokensHashes);
              index.find(locals, 0, 3, scores);
              remove(1, 0, DEVICE, hashes);
            });
    assertEquals(0, bytes);
    assertEquals(3, index.blockCount());
  }
}
