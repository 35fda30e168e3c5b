package io.kvroute.engine;

import static io.kvroute.engine.Worker.range;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.cache.PageChain;
import io.kvroute.cache.RadixCache;
import io.kvroute.hash.TokenView;
import io.kvroute.memory.AllocationMeter;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** A lease owns exactly its pages, can be used up once, and rejects what makes no sense. */
class LeaseTest {
  @Test
  void shouldHoldNothingPerTokenInALease() {
    for (final Field field : ActiveKvLease.class.getDeclaredFields()) {
      final Class<?> type = field.getType();
      final boolean handle =
          type.isPrimitive()
              || type.isEnum()
              || type == PageChain.class
              || type == RadixCache.class;
      assertTrue(handle || Modifier.isStatic(field.getModifiers()), field.getName());
    }
    try (Worker worker = Worker.of(65_536, 16)) {
      final TokenView tokens = TokenView.of(range(1, 65_536));
      final ActiveKvLease lease = new ActiveKvLease();
      final long bytes =
          AllocationMeter.bytes(
              3,
              () -> {
                worker.manager.sink(null);
                worker.manager.allocate(tokens, lease);
                worker.manager.abort(lease);
              });
      assertEquals(0, bytes);
    }
  }

  @Test
  void shouldOwnAWholePageForAFewTokensAndFillItInPlace() {
    try (Worker worker = Worker.unheard(12, 4)) {
      final ActiveKvLease lease = worker.allocate(1);
      assertEquals(8, worker.available());
      assertTrue(worker.extend(lease, 1, 2, 3, 4));
      assertEquals(8, worker.available(), "filling an owned page takes no other");
      assertArrayEquals(new long[] {0, 1, 2, 3}, Worker.indices(lease));
      assertTrue(worker.extend(lease, 1, 2, 3, 4, 5));
      assertEquals(4, worker.available());
      assertEquals(4, lease.lastIndex());
      assertTrue(worker.manager.retract(lease));
      assertEquals(12, worker.available());
    }
  }

  @Test
  void shouldReleaseOnlyTheUncachedSuffixWhenRetracted() {
    try (Worker worker = Worker.unheard(16, 4)) {
      final ActiveKvLease lease = worker.allocate(1, 2, 3, 4);
      worker.cache(lease, 1, 2, 3, 4);
      assertTrue(worker.extend(lease, 1, 2, 3, 4, 5, 6));
      assertEquals(4, lease.cachedTokens());
      assertEquals(6, lease.tokenCount());
      assertTrue(worker.manager.retract(lease));
      assertEquals(12, worker.available());
      assertEquals(0, worker.protectedTokens());
      assertEquals(4, worker.evictable());
      assertEquals(4, worker.prefixMatchLen(1, 2, 3, 4));
    }
  }

  @Test
  void shouldUnprotectAndFreeEverythingWhenARequestEndsUncached() {
    try (Worker worker = Worker.unheard(100, 1)) {
      final ActiveKvLease lease = worker.allocate(1, 2, 3);
      assertEquals(97, worker.available());
      assertTrue(worker.manager.abort(lease));
      assertEquals(0, worker.protectedTokens());
      assertEquals(100, worker.available());
    }
  }

  @Test
  void shouldRejectASecondUseOfALeaseAndChangeNothing() {
    try (Worker worker = Worker.of(16, 4)) {
      final ActiveKvLease lease = worker.allocate(1, 2, 3, 4);
      worker.finish(lease, 1, 2, 3, 4);
      worker.drain();
      final TokenView tokens = TokenView.of(1, 2, 3, 4);
      final SglangKvManager manager = worker.manager;
      final List<Executable> uses =
          List.of(
              () -> manager.finish(tokens, lease),
              () -> manager.abort(lease),
              () -> manager.retract(lease),
              () -> manager.extendAllocation(tokens, lease),
              () -> manager.extendCachedPrefix(tokens, lease),
              () -> manager.extendDecode(lease, new DecodeReservation()),
              () -> manager.allocateDecodeToken(lease));
      for (final Executable use : uses) {
        assertThrows(IllegalStateException.class, use);
        assertEquals(12, worker.available());
        assertEquals(4, worker.evictable());
        assertEquals(0, worker.protectedTokens());
        assertTrue(worker.drain().isEmpty());
      }
      assertFalse(lease.isActive());
      assertEquals(0, manager.unbalancedUnlocks());
    }
  }

  @Test
  void shouldRejectAllocatingIntoAnActiveLease() {
    try (Worker worker = Worker.of(16, 4)) {
      final ActiveKvLease lease = worker.allocate(1, 2, 3, 4);
      assertThrows(IllegalStateException.class, () -> worker.tryAllocate(lease, 5, 6, 7, 8));
      assertEquals(12, worker.available());
      assertArrayEquals(new long[] {0, 1, 2, 3}, Worker.indices(lease));
      worker.finish(lease, 1, 2, 3, 4);
      assertEquals(4, worker.tryAllocate(lease, 1, 2, 3, 4), "a used-up lease can be armed again");
    }
  }

  @Test
  void shouldLeaveALeaseThatWasNeverArmedAlone() {
    try (Worker worker = Worker.of(16, 4)) {
      final ActiveKvLease lease = new ActiveKvLease();
      worker.finish(lease, 1, 2, 3, 4);
      assertFalse(worker.manager.abort(lease));
      assertFalse(worker.manager.retract(lease));
      assertEquals(16, worker.available());
      assertEquals(0, lease.tokenCount());
      assertEquals(-1, lease.lastIndex());
    }
  }

  @Test
  void shouldRejectALeaseOfAnotherManagerWhoseRadixPathIsNotHere() {
    try (Worker owner = Worker.of(8, 4);
        Worker other = Worker.of(8, 4)) {
      final ActiveKvLease lease = owner.allocate(1, 2, 3, 4);
      other.allocate(1, 2, 3, 4);
      other.drain();
      final IllegalStateException error =
          assertThrows(IllegalStateException.class, () -> other.cache(lease, 1, 2, 3, 4));
      assertTrue(error.getMessage().contains("another manager"), error.getMessage());
      assertThrows(IllegalStateException.class, () -> other.finish(lease, 1, 2, 3, 4));
      assertThrows(IllegalStateException.class, () -> other.manager.abort(lease));
      assertTrue(other.drain().isEmpty());
      assertEquals(4, other.available());
      assertTrue(lease.isActive());
      assertTrue(owner.manager.abort(lease));
    }
  }

  @Test
  void shouldRejectFewerTokensThanAreCachedBeforePublishing() {
    try (Worker worker = Worker.of(8, 4)) {
      final ActiveKvLease lease = worker.allocate(range(1, 8));
      worker.cache(lease, range(1, 8));
      worker.drain();
      assertThrows(IllegalArgumentException.class, () -> worker.finish(lease, 1, 2, 3, 4, 5, 6));
      assertTrue(worker.drain().isEmpty());
      assertTrue(lease.isActive());
      assertEquals(8, worker.protectedTokens());
      worker.cache(lease, 1, 2, 3, 4);
      assertEquals(8, lease.cachedTokens(), "caching less than is cached does nothing");
    }
  }

  @Test
  void shouldRejectCachingMoreThanTheLeaseOwnsBeforePublishing() {
    try (Worker worker = Worker.of(8, 4)) {
      final ActiveKvLease lease = worker.allocate(1, 2, 3, 4);
      worker.drain();
      assertThrows(IllegalArgumentException.class, () -> worker.cache(lease, range(1, 8)));
      assertTrue(worker.drain().isEmpty());
      assertEquals(0, lease.cachedTokens());
      assertEquals(4, worker.available());
      worker.cache(lease, 1, 2, 3, 4, 5, 6, 7);
      assertEquals(4, lease.cachedTokens(), "tokens behind the last whole page do not matter");
    }
  }

  @Test
  void shouldRejectExtendingToFewerTokensThanTheLeaseHas() {
    try (Worker worker = Worker.of(8, 4)) {
      final ActiveKvLease lease = worker.allocate(1, 2, 3, 4, 5);
      assertThrows(IllegalArgumentException.class, () -> worker.extend(lease, 1, 2, 3, 4));
      assertEquals(5, lease.tokenCount());
      assertEquals(0, worker.available());
    }
  }

  @Test
  void shouldRefuseToExtendBeyondTheFreePagesAndChangeNothing() {
    try (Worker worker = Worker.of(12, 4)) {
      worker.serve(range(11, 14));
      final ActiveKvLease lease = worker.allocate(1, 2);
      worker.drain();
      assertFalse(worker.extend(lease, range(1, 9)), "extending evicts nothing");
      assertEquals(2, lease.tokenCount());
      assertEquals(4, worker.available());
      assertEquals(4, worker.evictable());
      assertTrue(worker.drain().isEmpty());
      assertTrue(worker.extend(lease, range(1, 8)));
    }
  }
}
