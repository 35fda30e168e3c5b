package io.kvroute.engine;

import static io.kvroute.engine.Worker.range;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.hash.TokenView;
import io.kvroute.index.ApplyResult;
import io.kvroute.protocol.KvCacheEvent;
import io.kvroute.protocol.KvCacheRemoveData;
import io.kvroute.protocol.KvCacheStoreData;
import io.kvroute.protocol.KvCacheStoredBlockData;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What is announced, when, under which hashes, and that it is taken back once. */
class EventPublishingTest {
  private static final long FIRST_OF_ONE_TO_EIGHT = Long.parseUnsignedLong("14643705804678351452");
  private static final long SECOND_OF_ONE_TO_EIGHT = 4945711292740353085L;

  private static long[] blockHashes(final KvCacheStoreData stored) {
    return stored.blocks().stream().mapToLong(KvCacheStoredBlockData::blockHash).toArray();
  }

  private static long[] tokensHashes(final KvCacheStoreData stored) {
    return stored.blocks().stream().mapToLong(KvCacheStoredBlockData::tokensHash).toArray();
  }

  @Test
  void shouldAnnounceNewPagesOnceAndAFullHitNotAtAll() {
    try (Worker worker = Worker.of(100, 1)) {
      final ActiveKvLease lease = worker.allocate(1, 2, 3);
      final List<KvCacheEvent> events = worker.drain();
      assertEquals(1, events.size());
      assertEquals(0, events.get(0).eventId());
      worker.finish(lease, 1, 2, 3);
      final ActiveKvLease second = new ActiveKvLease();
      assertEquals(3, worker.tryAllocate(second, 1, 2, 3));
      assertTrue(worker.drain().isEmpty());
      assertEquals(1, worker.manager.storedEvents());
      assertEquals(3, worker.manager.storedBlocks());
    }
  }

  @Test
  void shouldAnnounceWholePagesUnderTheRoutersHashes() {
    try (Worker worker = Worker.of(100, 4)) {
      worker.serve(1, 2, 3, 4, 5, 6);
      final KvCacheStoreData stored = worker.drainStored();
      assertEquals(OptionalLong.empty(), stored.parentHash());
      assertEquals(OptionalInt.empty(), stored.startPosition());
      assertEquals(
          List.of(new KvCacheStoredBlockData(FIRST_OF_ONE_TO_EIGHT, FIRST_OF_ONE_TO_EIGHT)),
          stored.blocks());
      assertArrayEquals(worker.localHashes(1, 2, 3, 4), tokensHashes(stored));
      assertArrayEquals(worker.chainHashes(1, 2, 3, 4), blockHashes(stored));
    }
  }

  @Test
  void shouldHashOnlyTheUnannouncedSuffixOfAPrefixThatGrows() {
    try (Worker worker = Worker.of(16, 4)) {
      final ActiveKvLease lease = worker.allocate(1, 2, 3, 4);
      assertEquals(1, worker.manager.lastHashedBlocks());
      assertTrue(worker.extend(lease, range(1, 8)));
      assertEquals(1, worker.manager.lastHashedBlocks());
      worker.cache(lease, range(1, 8));
      assertEquals(0, worker.manager.lastHashedBlocks());
      assertEquals(2, worker.manager.hashedBlocks());
      final List<KvCacheEvent> events = worker.drain();
      assertEquals(2, events.size());
      final KvCacheStoreData first = (KvCacheStoreData) events.get(0).data();
      final KvCacheStoreData second = (KvCacheStoreData) events.get(1).data();
      assertEquals(1, first.blocks().size());
      assertEquals(1, second.blocks().size());
      assertEquals(OptionalLong.of(first.blocks().get(0).blockHash()), second.parentHash());
      assertEquals(1, events.get(1).eventId());
    }
  }

  @Test
  void shouldAnnounceOnlyNewlyCompletedBlocksWithTheirTrueParentsWhenASinkComesLate() {
    try (Worker worker = Worker.unheard(100, 2)) {
      final int[] tokens = range(1, 6);
      final long[] chain = worker.chainHashes(tokens);
      final ActiveKvLease lease = worker.allocate(1, 2);
      worker.cache(lease, 1, 2);
      assertTrue(worker.extend(lease, tokens));
      worker.attachSink();
      worker.cache(lease, 1, 2, 3, 4);
      final KvCacheStoreData first = worker.drainStored();
      assertEquals(1, first.blocks().size());
      assertEquals(chain[1], first.blocks().get(0).blockHash());
      assertEquals(OptionalLong.of(chain[0]), first.parentHash());
      worker.finish(lease, tokens);
      final KvCacheStoreData last = worker.drainStored();
      assertEquals(1, last.blocks().size());
      assertEquals(chain[2], last.blocks().get(0).blockHash());
      assertEquals(OptionalLong.of(chain[1]), last.parentHash());
    }
  }

  @Test
  void shouldNeverAnnounceALaterBlockAsARootWhenASinkComesLate() {
    try (Worker worker = Worker.unheard(32, 4)) {
      final ActiveKvLease lease = worker.allocate(1, 2, 3, 4);
      worker.cache(lease, 1, 2, 3, 4);
      worker.attachSink();
      assertTrue(worker.extend(lease, range(1, 8)));
      final KvCacheStoreData stored = worker.drainStored();
      assertArrayEquals(new long[] {SECOND_OF_ONE_TO_EIGHT}, blockHashes(stored));
      assertEquals(OptionalLong.of(FIRST_OF_ONE_TO_EIGHT), stored.parentHash());
      assertEquals(List.of(ApplyResult.PARENT_BLOCK_NOT_FOUND), worker.routerResults());
      assertEquals(0, worker.overlap(5, 6, 7, 8));
      assertEquals(0, worker.overlap(range(1, 8)));
    }
  }

  @Test
  void shouldAnnounceABlockWithItsTrueParentThoughDecodedPagesBeforeItAreUnannounced() {
    try (Worker worker = Worker.of(64, 4)) {
      final long[] chain = worker.chainHashes(range(1, 12));
      final ActiveKvLease first = worker.allocate(1, 2, 3, 4);
      for (int i = 0; i < 4; i++) {
        worker.manager.allocateDecodeToken(first);
      }
      worker.drain();
      assertTrue(worker.extend(first, range(1, 12)));
      final KvCacheStoreData orphan = worker.drainStored();
      assertArrayEquals(new long[] {chain[2]}, blockHashes(orphan));
      assertEquals(OptionalLong.of(chain[1]), orphan.parentHash());
      worker.allocate(range(1, 12));
      final KvCacheStoreData missing = worker.drainStored();
      assertArrayEquals(new long[] {chain[1]}, blockHashes(missing), "each hash is stored once");
      assertEquals(OptionalLong.of(chain[0]), missing.parentHash());
      worker.cache(first, range(1, 12));
      assertTrue(worker.drain().isEmpty(), "the decoded page is a second copy");
    }
  }

  @Test
  void shouldAnnounceAChainOfItsOwnOnEachSideOfAnAnnouncedPage() {
    try (Worker worker = Worker.of(64, 4)) {
      final long[] chain = worker.chainHashes(range(1, 16));
      final ActiveKvLease lease = worker.allocate(1, 2, 3, 4);
      decode(worker, lease, 4);
      assertTrue(worker.extend(lease, range(1, 12)));
      decode(worker, lease, 4);
      worker.drain();
      worker.cache(lease, range(1, 16));
      final List<KvCacheEvent> events = worker.drain();
      assertEquals(2, events.size());
      final KvCacheStoreData before = (KvCacheStoreData) events.get(0).data();
      final KvCacheStoreData behind = (KvCacheStoreData) events.get(1).data();
      assertArrayEquals(new long[] {chain[1]}, blockHashes(before));
      assertEquals(OptionalLong.of(chain[0]), before.parentHash());
      assertArrayEquals(new long[] {chain[3]}, blockHashes(behind));
      assertEquals(OptionalLong.of(chain[2]), behind.parentHash());
      assertEquals(events.get(0).eventId() + 1, events.get(1).eventId());
      assertEquals(3, worker.manager.lastHashedBlocks());
    }
  }

  private static void decode(final Worker worker, final ActiveKvLease lease, final int tokens) {
    for (int i = 0; i < tokens; i++) {
      assertTrue(worker.manager.allocateDecodeToken(lease) >= 0);
    }
  }

  @Test
  void shouldStoreDuplicateBlocksOnceAndRemoveThemOnce() {
    try (Worker worker = Worker.of(100, 1)) {
      final ActiveKvLease first = worker.allocate(1, 2, 3);
      final ActiveKvLease second = worker.allocate(1, 2, 3);
      assertEquals(3, worker.drainStored().blocks().size());
      worker.manager.abort(first);
      assertTrue(worker.drain().isEmpty());
      worker.manager.abort(second);
      assertArrayEquals(worker.chainHashes(1, 2, 3), worker.drainRemoved().blockHashes().toArray());
      assertEquals(100, worker.available());
    }
  }

  @Test
  void shouldFreeDuplicatesWhenASecondRequestFinishesAndRemoveOnEviction() {
    try (Worker worker = Worker.of(100, 1)) {
      final int[] tokens = {1, 2, 3};
      final ActiveKvLease first = worker.allocate(tokens);
      final ActiveKvLease second = worker.allocate(tokens);
      assertEquals(94, worker.available(), "both allocate before either is cached");
      assertEquals(3, worker.drainStored().blocks().size());
      worker.finish(first, tokens);
      assertTrue(worker.drain().isEmpty());
      assertEquals(94, worker.available(), "the first request's pages stay");
      worker.finish(second, tokens);
      assertTrue(worker.drain().isEmpty(), "another copy is still there");
      assertEquals(97, worker.available(), "the second request's pages are duplicates");
      assertEquals(3, worker.overlap(tokens));
      worker.manager.evict(tokens.length);
      assertEquals(3, worker.drainRemoved().blockHashes().size());
      assertEquals(0, worker.overlap(tokens));
      assertTrue(worker.routerAcceptedAll());
    }
  }

  @Test
  void shouldKeepABlockAnnouncedWhileAnotherCopyIsResident() {
    try (Worker worker = Worker.of(100, 4)) {
      final ActiveKvLease first = worker.allocate(range(1, 8));
      final ActiveKvLease second = worker.allocate(range(1, 8));
      assertEquals(84, worker.available());
      worker.finish(first, range(1, 8));
      assertEquals(84, worker.available());
      worker.finish(second, range(1, 8));
      assertEquals(92, worker.available());
      final long[] expected = {FIRST_OF_ONE_TO_EIGHT, SECOND_OF_ONE_TO_EIGHT};
      assertArrayEquals(expected, blockHashes(worker.drainStored()));
      worker.manager.evict(8);
      assertEquals(100, worker.available());
      assertArrayEquals(expected, worker.drainRemoved().blockHashes().toArray());
      assertEquals(1, worker.manager.storedEvents());
      assertEquals(1, worker.manager.removedEvents());
    }
  }

  @Test
  void shouldTakeBlocksBackWhoseOnlyAnnouncedCopyGivesWayToOneThatWasCachedUnheard() {
    try (Worker worker = Worker.of(64, 4)) {
      final ActiveKvLease lease = worker.allocate(range(1, 8));
      final long[] announced = blockHashes(worker.drainStored());
      worker.manager.sink(null);
      worker.serve(range(1, 8));
      worker.attachSink();
      for (int i = 0; i < 4; i++) {
        worker.manager.allocateDecodeToken(lease);
      }
      worker.cache(lease, range(1, 12));
      final List<KvCacheEvent> events = worker.drain();
      assertEquals(2, events.size());
      final KvCacheStoreData stored = (KvCacheStoreData) events.get(0).data();
      assertEquals(OptionalLong.of(announced[1]), stored.parentHash());
      assertEquals(1, stored.blocks().size());
      final KvCacheRemoveData removed = (KvCacheRemoveData) events.get(1).data();
      assertArrayEquals(announced, removed.blockHashes().toArray());
      worker.finish(lease, range(1, 12));
      worker.manager.evict(64);
      assertArrayEquals(blockHashes(stored), worker.drainRemoved().blockHashes().toArray());
      assertEquals(64, worker.available());
    }
  }

  @Test
  void shouldCountWhatALoneLeaseAnnouncedBeforeItAnnouncesEarlierPagesBesideIt() {
    try (Worker worker = Worker.unheard(64, 4)) {
      final int[] tokens = range(1, 16);
      final ActiveKvLease lease = worker.allocate(range(1, 8));
      worker.attachSink();
      worker.extend(lease, tokens);
      assertEquals(2, worker.drainStored().blocks().size(), "the pages behind the unheard ones");
      worker.manager.sink(null);
      worker.serve(range(1, 4));
      worker.attachSink();
      worker.cache(lease, range(1, 12));
      assertEquals(
          2, worker.drain().size(), "two blocks stored; the duplicate of the first removed");
      assertEquals(1, EngineInspector.countedCopies(worker.manager), "the fourth is in flight");
      worker.finish(lease, tokens);
      assertEquals(0, EngineInspector.countedCopies(worker.manager));
      worker.manager.evict(64);
      assertEquals(4, worker.manager.storedBlocks());
      assertEquals(4, worker.manager.removedBlocks());
    }
  }

  @Test
  void shouldChainTheNextChunkToTheLastBlockOfTheOneBefore() {
    try (Worker worker = Worker.of(32, 1)) {
      final int[] tokens = {11, 22, 33, 44, 55, 66};
      final ActiveKvLease first = worker.allocate(11, 22, 33);
      worker.cache(first, 11, 22, 33);
      final ActiveKvLease second = new ActiveKvLease();
      assertEquals(3, worker.tryAllocate(second, tokens), "the cached chunk is reused");
      worker.manager.abort(first);
      final List<KvCacheEvent> events = worker.drain();
      assertEquals(2, events.size());
      final KvCacheStoreData chunk = (KvCacheStoreData) events.get(0).data();
      final KvCacheStoreData next = (KvCacheStoreData) events.get(1).data();
      assertEquals(OptionalLong.empty(), chunk.parentHash());
      assertEquals(OptionalLong.of(chunk.blocks().get(2).blockHash()), next.parentHash());
      assertEquals(3, next.blocks().size());
      assertTrue(worker.routerAcceptedAll());
    }
  }

  @Test
  void shouldNameNoParentForARootBlockEvenAfterFullEviction() {
    try (Worker worker = Worker.of(16, 4)) {
      for (int round = 0; round < 3; round++) {
        worker.serve(range(1, 8));
        final KvCacheStoreData stored = worker.drainStored();
        assertEquals(OptionalLong.empty(), stored.parentHash());
        worker.manager.evict(8);
        assertEquals(2, worker.drainRemoved().blockHashes().size());
        assertEquals(0, worker.overlap(range(1, 8)));
      }
      assertTrue(worker.routerAcceptedAll());
      assertEquals(6, worker.manager.nextEventId());
    }
  }

  @Test
  void shouldGiveRepeatedBlocksDistinctHashes() {
    try (Worker worker = Worker.of(64, 4)) {
      final int[] tokens = {7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7};
      worker.allocate(tokens);
      final KvCacheStoreData stored = worker.drainStored();
      final long local = Long.parseUnsignedLong("16259602842512645169");
      assertArrayEquals(new long[] {local, local, local}, tokensHashes(stored));
      assertArrayEquals(
          new long[] {
            local,
            Long.parseUnsignedLong("9812067070305159075"),
            Long.parseUnsignedLong("14627771026779570828")
          },
          blockHashes(stored));
      assertEquals(3, worker.overlap(tokens));
    }
    try (Worker worker = Worker.of(8, 1)) {
      worker.serve(5, 5, 5);
      final long[] hashes = blockHashes(worker.drainStored());
      assertEquals(3, Arrays.stream(hashes).distinct().count());
      assertEquals(3, worker.overlap(5, 5, 5, 5));
    }
  }

  @Test
  void shouldAnnounceWholePagesOnlyAndInTurnAtEachRetry() {
    try (Worker worker = Worker.of(8, 4)) {
      for (final int size : new int[] {3, 4, 5, 4, 3, 5}) {
        final boolean whole = size >= 4;
        final ActiveKvLease lease = worker.allocate(range(1, size));
        if (whole) {
          assertArrayEquals(new long[] {FIRST_OF_ONE_TO_EIGHT}, blockHashes(worker.drainStored()));
        }
        assertTrue(worker.drain().isEmpty());
        assertTrue(worker.manager.abort(lease));
        if (whole) {
          assertArrayEquals(
              new long[] {FIRST_OF_ONE_TO_EIGHT}, worker.drainRemoved().blockHashes().toArray());
        }
        assertTrue(worker.drain().isEmpty());
        assertEquals(8, worker.available());
      }
      assertTrue(worker.routerAcceptedAll());
    }
  }

  @Test
  void shouldReadOnlyNewTokensWhenARequestGrows() {
    try (Worker worker = Worker.of(4_096, 16)) {
      final int[] tokens = range(1, 2_000);
      final long[] chain = worker.chainHashes(tokens);
      final ActiveKvLease lease = worker.allocate(Arrays.copyOf(tokens, 1_600));
      assertEquals(100, worker.manager.lastHashedBlocks());
      worker.drain();
      int known = 1_600;
      while (known + 16 <= tokens.length) {
        decode(worker, lease, 16);
        final int[] onlyNew = new int[known + 16];
        System.arraycopy(tokens, known, onlyNew, known, 16);
        worker.cache(lease, onlyNew);
        assertEquals(1, worker.manager.lastHashedBlocks());
        final KvCacheStoreData stored = worker.drainStored();
        assertArrayEquals(new long[] {chain[known / 16]}, blockHashes(stored));
        assertEquals(OptionalLong.of(chain[known / 16 - 1]), stored.parentHash());
        known += 16;
      }
      // Every block was hashed by now: finishing reads no token of them again.
      worker.finish(lease, new int[tokens.length]);
      assertEquals(0, worker.manager.lastHashedBlocks());
      assertEquals(125, worker.manager.hashedBlocks());
      assertTrue(worker.drain().isEmpty());
      assertEquals(2_000, worker.manager.cache().prefixMatchLen(TokenView.of(tokens)));
    }
  }

  @Test
  void shouldPublishALongPromptOnceAndOneBlockPerGrowthStep() {
    try (Worker worker = Worker.of(262_144, 16)) {
      final int[] tokens = range(1, 131_072);
      final ActiveKvLease lease = worker.allocate(tokens);
      assertEquals(8_192, worker.manager.lastHashedBlocks());
      worker.cache(lease, tokens);
      assertEquals(8_192, worker.manager.hashedBlocks());
      for (int step = 1; step <= 100; step++) {
        decode(worker, lease, 16);
        worker.cache(lease, Arrays.copyOf(tokens, 131_072 + step * 16));
        assertEquals(1, worker.manager.lastHashedBlocks());
      }
      worker.finish(lease, Arrays.copyOf(tokens, 131_072 + 1_600));
      assertEquals(8_292, worker.manager.hashedBlocks());
      assertEquals(8_292, worker.manager.storedBlocks());
    }
  }
}
