package io.kvroute.engine;

import static io.kvroute.engine.Worker.range;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.cache.CacheView;
import io.kvroute.hash.SequenceHash;
import io.kvroute.hash.TokenView;
import io.kvroute.protocol.KvCacheEvent;
import io.kvroute.protocol.KvCacheRemoveData;
import io.kvroute.protocol.KvCacheStoreData;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * After every call the hashes that the event log advertises are those of the whole pages that are
 * there: in the tree, or with a request that was given them for its prompt.
 */
class MirrorTest {
  private final Worker worker = Worker.of(64, 4);
  private final TreeSet<Long> advertised = new TreeSet<>();
  private final Map<ActiveKvLease, int[]> announcedTokens = new HashMap<>();

  @AfterEach
  void close() {
    worker.close();
  }

  /** Books new events and compares; each hash is stored and removed in turn. */
  private void compare() {
    book();
    final TreeSet<Long> present = new TreeSet<>();
    collectTree(0, 0, true, present);
    announcedTokens.forEach(
        (lease, tokens) -> Arrays.stream(worker.chainHashes(tokens)).forEach(present::add));
    assertEquals(present, advertised);
    assertTrue(worker.routerAcceptedAll());
  }

  private void book() {
    for (final KvCacheEvent event : worker.drain()) {
      if (event.data() instanceof KvCacheStoreData stored) {
        stored.blocks().forEach(block -> assertTrue(advertised.add(block.blockHash())));
      } else if (event.data() instanceof KvCacheRemoveData removed) {
        for (final long hash : removed.blockHashes().toArray()) {
          assertTrue(advertised.remove(hash));
        }
      }
    }
  }

  private void collectTree(
      final int node, final long parentHash, final boolean isRoot, final TreeSet<Long> present) {
    final CacheView view = new CacheView(worker.cache());
    long hash = parentHash;
    boolean first = isRoot || view.parent(node) == 0;
    for (final int page : isRoot ? List.<Integer>of() : view.edge(node)) {
      hash = first ? view.key(page) : SequenceHash.next(hash, view.key(page));
      first = false;
      present.add(hash);
    }
    for (final int child : view.children().get(node)) {
      collectTree(child, hash, false, present);
    }
  }

  private ActiveKvLease allocate(final int... tokens) {
    final ActiveKvLease lease = worker.allocate(tokens);
    announcedTokens.put(lease, tokens);
    compare();
    return lease;
  }

  private void extend(final ActiveKvLease lease, final int... tokens) {
    assertTrue(worker.extend(lease, tokens));
    announcedTokens.put(lease, tokens);
    compare();
  }

  private void cache(final ActiveKvLease lease, final int... tokens) {
    worker.cache(lease, tokens);
    announcedTokens.put(lease, tokens);
    compare();
  }

  private void abort(final ActiveKvLease lease) {
    worker.manager.abort(lease);
    announcedTokens.remove(lease);
    compare();
  }

  private void finish(final ActiveKvLease lease, final int... tokens) {
    worker.finish(lease, tokens);
    announcedTokens.remove(lease);
    compare();
  }

  private void decode(final ActiveKvLease lease, final int tokens) {
    for (int i = 0; i < tokens; i++) {
      assertTrue(worker.manager.allocateDecodeToken(lease) >= 0);
      compare();
    }
  }

  @Test
  void shouldAdvertiseWhatIsThereThroughChunkedPrefillDecodeAndAbort() {
    final ActiveKvLease lease = allocate(range(1, 6));
    cache(lease, range(1, 6));
    extend(lease, range(1, 14));
    decode(lease, 4);
    cache(lease, range(1, 18));
    decode(lease, 3);
    abort(lease);
    assertEquals(16, worker.evictable());
    final ActiveKvLease again = allocate(range(1, 20));
    decode(again, 5);
    finish(again, range(1, 25));
    assertEquals(24, worker.evictable());
  }

  @Test
  void shouldAdvertiseWhatIsThereThroughDuplicatesRetractionAndEviction() {
    final ActiveKvLease first = allocate(range(1, 12));
    final ActiveKvLease second = allocate(range(1, 14));
    cache(first, range(1, 12));
    cache(second, range(1, 12));
    worker.manager.retract(first);
    announcedTokens.remove(first);
    compare();
    finish(second, range(1, 14));
    worker.manager.evict(4);
    compare();
    final ActiveKvLease third = allocate(1, 2, 3, 4, 9, 9, 9, 9);
    worker.manager.evict(64);
    compare();
    abort(third);
    worker.manager.evict(64);
    compare();
    assertTrue(advertised.isEmpty());
    assertEquals(64, worker.available());
  }

  @Test
  void shouldAdvertiseWhatIsThereThroughReservations() {
    finish(allocate(range(1, 8)), range(1, 8));
    final DestinationReservation destination = new DestinationReservation();
    final TokenView prompt = TokenView.of(range(1, 18));
    assertTrue(worker.manager.reserveDestination(prompt, destination));
    compare();
    worker.manager.cancelDestination(destination);
    compare();
    assertTrue(worker.manager.reserveDestination(prompt, destination));
    final ActiveKvLease lease = new ActiveKvLease();
    worker.manager.activateDestination(destination, prompt, lease);
    announcedTokens.put(lease, range(1, 18));
    compare();
    final DecodeReservation pages = new DecodeReservation();
    assertTrue(worker.manager.reserveDecodePages(3, pages));
    compare();
    for (int i = 0; i < 4; i++) {
      worker.manager.extendDecode(lease, pages);
      compare();
    }
    worker.manager.releaseDecodeReservation(pages);
    compare();
    abort(lease);
  }

  @Test
  void shouldTakeEverythingBackWhenTheManagerCloses() {
    finish(allocate(range(1, 8)), range(1, 8));
    allocate(range(1, 12));
    allocate(range(1, 12));
    allocate(range(31, 38));
    assertEquals(5, advertised.size());
    worker.manager.close();
    book();
    assertTrue(advertised.isEmpty());
    assertTrue(worker.routerAcceptedAll());
    assertEquals(0, worker.overlap(range(1, 12)));
    assertEquals(0, worker.index.blockCount());
  }
}
