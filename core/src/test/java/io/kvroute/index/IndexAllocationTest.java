package io.kvroute.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.kvroute.index.NaiveIndex.Block;
import io.kvroute.index.NaiveIndex.Rank;
import io.kvroute.protocol.KvEventEncoder;
import io.kvroute.protocol.StorageTier;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

final class IndexAllocationTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static long allocatedBy(final Runnable body) {
    final long id = Thread.currentThread().getId();
    final long before = THREADS.getThreadAllocatedBytes(id);
    final long afterNothing = THREADS.getThreadAllocatedBytes(id);
    body.run();
    return THREADS.getThreadAllocatedBytes(id) - afterNothing - (afterNothing - before);
  }

  private static UnsafeBuffer stored(
      final int worker, final StorageTier tier, final Long parent, final List<Block> blocks) {
    final int count = blocks.size();
    final UnsafeBuffer buffer = new UnsafeBuffer(new byte[KvEventEncoder.storedLength(count)]);
    KvEventEncoder.stored(
        buffer, 0, worker, 0, tier, 0, parent != null, parent == null ? 0 : parent, count);
    for (int i = 0; i < count; i++) {
      KvEventEncoder.putBlockHash(buffer, 0, i, blocks.get(i).hash());
      KvEventEncoder.putTokensHash(buffer, 0, count, i, blocks.get(i).local());
    }
    return buffer;
  }

  private static UnsafeBuffer removed(
      final int worker, final StorageTier tier, final List<Block> blocks) {
    final int count = blocks.size();
    final UnsafeBuffer buffer = new UnsafeBuffer(new byte[KvEventEncoder.removedLength(count)]);
    KvEventEncoder.removed(buffer, 0, worker, 0, tier, 0, count);
    for (int i = 0; i < count; i++) {
      KvEventEncoder.putBlockHash(buffer, 0, i, blocks.get(i).hash());
    }
    return buffer;
  }

  private static List<Block> chain(final int from, final int count, final long salt) {
    final List<Block> blocks = new ArrayList<>();
    for (int i = from; i < from + count; i++) {
      blocks.add(new Block(salt * 100_000 + i + 1, salt == 9 ? i : i + (i > 90 ? salt : 0)));
    }
    return blocks;
  }

  /** Splits, holes, aliases, several ranks and tiers, refusals: whatever an event can lead to. */
  private static List<UnsafeBuffer> cycle() {
    final List<UnsafeBuffer> events = new ArrayList<>();
    for (int worker = 0; worker < 70; worker++) {
      final List<Block> shared = chain(0, 90 - worker, 0);
      events.add(stored(worker, StorageTier.DEVICE, null, shared));
      events.add(stored(worker, StorageTier.HOST_PINNED, null, shared.subList(0, 20)));
      events.add(
          stored(
              worker,
              StorageTier.DEVICE,
              shared.get(5).hash(),
              chain(91 + worker, 20, worker + 10)));
      events.add(stored(worker, StorageTier.DEVICE, 3L, chain(0, 2, 3)));
    }
    events.add(stored(3, StorageTier.DEVICE, null, chain(0, 12, 9)));
    for (int worker = 0; worker < 70; worker++) {
      events.add(removed(worker, StorageTier.DEVICE, chain(4, 3, 0)));
      events.add(removed(worker, StorageTier.DEVICE, chain(4, 3, 0)));
      events.add(removed(worker, StorageTier.DEVICE, chain(91 + worker, 20, worker + 10)));
      events.add(removed(worker, StorageTier.HOST_PINNED, chain(0, 20, 0)));
    }
    for (int worker = 0; worker < 70; worker++) {
      final UnsafeBuffer cleared = new UnsafeBuffer(new byte[KvEventEncoder.clearedLength()]);
      KvEventEncoder.cleared(cleared, 0, worker, 0, StorageTier.DEVICE, 0);
      events.add(cleared);
    }
    return events;
  }

  @Test
  void shouldAllocateNothingWhenEventsAreAppliedAndPromptsLookedUp() {
    try (RadixIndex index = RadixIndex.builder().blockCapacity(10_000).rankCapacity(80).build()) {
      final List<UnsafeBuffer> events = cycle();
      final MatchScores scores = new MatchScores();
      final long[] locals = chain(0, 90, 0).stream().mapToLong(Block::local).toArray();
      final UnsafeBuffer query = new UnsafeBuffer(new byte[90 * 8]);
      for (int i = 0; i < 90; i++) {
        query.putLong(i * 8, locals[i]);
      }
      final Runnable body =
          () -> {
            for (int i = 0; i < events.size(); i++) {
              index.apply(events.get(i), 0, events.get(i).capacity());
              index.find(locals, 0, locals.length, scores);
              index.find(query, 0, 90, true, scores);
              index.findInTier(locals, 0, 90, StorageTier.HOST_PINNED, false, scores);
            }
          };
      for (int i = 0; i < 30; i++) {
        body.run();
      }
      assertEquals(0, allocatedBy(body));
      assertTrue(index.counters().duplicateStores() + index.counters().blocksNotFound() > 0);
      index.find(locals, 0, locals.length, scores);
      assertEquals(0, scores.count());
      IndexInvariants.check(index);
      assertEquals(0, index.heldBlocks(StorageTier.DEVICE));
      assertEquals(70, index.rankCount());
      assertEquals(new Rank(0, 0), new Rank(index.workers()[0], 0));
    }
  }

  @Test
  void shouldAllocateNothingWhenReadersLookUpAndLeavesMakeRoom() {
    try (RadixIndex index = RadixIndex.builder().blockCapacity(300).rankCapacity(80).build();
        IndexReader reader = index.newReader()) {
      final List<UnsafeBuffer> events = cycle();
      final MatchScores scores = new MatchScores();
      final long[] locals = chain(0, 90, 0).stream().mapToLong(Block::local).toArray();
      final Runnable body =
          () -> {
            for (int i = 0; i < events.size(); i++) {
              index.apply(events.get(i), 0, events.get(i).capacity());
              reader.find(locals, 0, locals.length, scores);
              reader.findInTier(locals, 0, 90, StorageTier.DEVICE, true, scores);
            }
            index.removeWorker(5);
            index.sweep();
          };
      for (int i = 0; i < 30; i++) {
        body.run();
      }
      final long evicted = index.counters().evictedBlocks();
      assertEquals(0, allocatedBy(body));
      assertTrue(index.counters().evictedBlocks() > evicted);
      IndexInvariants.check(index);
    }
  }

  @Test
  void shouldKeepAResultWhenTheIndexChanges() {
    try (RadixIndex index = RadixIndex.builder().blockCapacity(1000).build()) {
      final IndexDriver driver = new IndexDriver(index);
      final MatchScores scores = new MatchScores();
      driver.stored(new Rank(5, 1), 0, null, chain(0, 4, 0));
      index.find(new long[] {0, 1, 2}, 0, 3, scores);
      driver.stored(new Rank(2, 1), 0, null, chain(0, 4, 0));
      index.removeWorker(5);
      assertEquals(1, scores.count());
      assertEquals(5, scores.workerId(0));
      assertEquals(3, scores.device(0));
      index.find(new long[] {0, 1, 2}, 0, 3, scores);
      assertEquals(2, scores.workerId(0));
    }
  }
}
