package io.kvroute.engine;

import static io.kvroute.engine.Worker.range;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.hash.TokenView;
import io.kvroute.memory.AllocationMeter;
import io.kvroute.protocol.KvEventSink;
import java.util.function.Consumer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** After warm-up no operation allocates on the Java heap, with and without somebody listening. */
class AllocationFreeTest {
  private static final int PAGE = 16;
  private static final int WARM_UPS = 400;

  /** Takes every event and only counts. */
  private static final class CountingSink implements KvEventSink {
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[1 << 20]);
    private long events;
    private long bytes;

    @Override
    public int claim(final int length) {
      return 0;
    }

    @Override
    public MutableDirectBuffer buffer() {
      return buffer;
    }

    @Override
    public void commit(final int offset, final int length) {
      events++;
      bytes += length;
    }
  }

  /** A manager with all that a steady state needs made before. */
  private static final class Fixture implements AutoCloseable {
    private final CountingSink sink = new CountingSink();
    private final long[] traced = new long[1];
    private final SglangKvManager manager;
    private final ActiveKvLease lease = new ActiveKvLease();
    private final ActiveKvLease second = new ActiveKvLease();
    private final DecodeReservation reservation = new DecodeReservation();
    private final DestinationReservation destination = new DestinationReservation();
    private final int[] tokens = range(1, 1_024);
    private final TokenView whole = new TokenView().wrap(tokens, 0, 1_024);
    private final TokenView prompt = new TokenView().wrap(tokens, 0, 768);
    private final TokenView start = new TokenView().wrap(tokens, 0, 500);
    private final TokenView other = TokenView.of(range(9_000, 9_100));
    private int round;

    private Fixture(final boolean listened) {
      final ManagerConfig config = SglangKvManager.builder(8_192, PAGE);
      if (listened) {
        config
            .sink(sink)
            .trace(
                (event, rank, count, page, available, evictable, locked, total) ->
                    traced[0] += count + available);
      }
      manager = config.build();
    }

    /** Makes the prompts of this round differ from all before, from a position on. */
    private void freshTokens(final int from) {
      round++;
      for (int i = from; i < tokens.length; i++) {
        tokens[i] = round * 2_048 + i;
      }
    }

    private void decode(final int count) {
      for (int i = 0; i < count; i++) {
        final int pages = lease.tokenCount() % PAGE == 0 ? 1 : 0;
        if (!manager.reserveDecodePages(pages, reservation)) {
          manager.evict(PAGE);
          assertTrue(manager.reserveDecodePages(pages, reservation));
        }
        manager.extendDecode(lease, reservation);
        manager.releaseDecodeReservation(reservation);
      }
    }

    @Override
    public void close() {
      manager.close();
    }
  }

  private static void measure(final Consumer<Fixture> round) {
    for (final boolean listened : new boolean[] {false, true}) {
      try (Fixture fixture = new Fixture(listened)) {
        final long bytes = AllocationMeter.bytes(WARM_UPS, () -> round.accept(fixture));
        assertEquals(0, bytes, listened ? "with a sink" : "without a sink");
        if (listened) {
          assertTrue(fixture.sink.bytes > 0 && fixture.traced[0] > 0, "somebody listened");
        } else {
          assertEquals(0, fixture.sink.events);
        }
      }
    }
  }

  @Test
  void shouldAllocateNothingOnTheHeapForACachedPrompt() {
    measure(
        fixture -> {
          assertTrue(fixture.manager.allocate(fixture.whole, fixture.lease) >= 0);
          fixture.manager.finish(fixture.whole, fixture.lease);
          fixture.manager.cache().matchPrefix(fixture.prompt);
          fixture.manager.cache().prefixMatchLen(fixture.whole);
        });
  }

  @Test
  void shouldAllocateNothingOnTheHeapForNewPromptsThatEvictOthers() {
    measure(
        fixture -> {
          fixture.freshTokens(256);
          assertTrue(fixture.manager.allocate(fixture.whole, fixture.lease) >= 0);
          fixture.manager.finish(fixture.whole, fixture.lease);
        });
  }

  @Test
  void shouldAllocateNothingOnTheHeapForChunkedPrefillAndDecode() {
    measure(
        fixture -> {
          final SglangKvManager manager = fixture.manager;
          fixture.freshTokens(512);
          manager.evict(1_024);
          assertTrue(manager.allocate(fixture.start, fixture.lease) >= 0);
          manager.extendCachedPrefix(fixture.start, fixture.lease);
          assertTrue(manager.extendAllocation(fixture.prompt, fixture.lease));
          manager.extendCachedPrefix(fixture.prompt, fixture.lease);
          assertTrue(fixture.lease.lastIndex() >= 0);
          fixture.decode(128);
          assertTrue(manager.allocateDecodeToken(fixture.lease) >= 0);
          manager.finish(fixture.whole, fixture.lease);
        });
  }

  @Test
  void shouldAllocateNothingOnTheHeapForDuplicatesAndAborts() {
    measure(
        fixture -> {
          final SglangKvManager manager = fixture.manager;
          fixture.freshTokens(300);
          assertTrue(manager.allocate(fixture.whole, fixture.lease) >= 0);
          assertTrue(manager.allocate(fixture.prompt, fixture.second) >= 0);
          manager.extendCachedPrefix(fixture.prompt, fixture.lease);
          manager.extendCachedPrefix(fixture.prompt, fixture.second);
          assertTrue(manager.retract(fixture.second));
          assertTrue(manager.abort(fixture.lease));
          manager.evict(512);
        });
  }

  @Test
  void shouldAllocateNothingOnTheHeapForDestinations() {
    measure(
        fixture -> {
          final SglangKvManager manager = fixture.manager;
          fixture.freshTokens(256);
          assertTrue(manager.reserveDestination(fixture.prompt, fixture.destination));
          manager.cancelDestination(fixture.destination);
          assertTrue(manager.reserveDestination(fixture.prompt, fixture.destination));
          assertTrue(
              manager.activateDestination(fixture.destination, fixture.prompt, fixture.lease) >= 0);
          manager.finish(fixture.prompt, fixture.lease);
        });
  }

  @Test
  void shouldAllocateNothingOnTheHeapWhenRefusing() {
    measure(
        fixture -> {
          final SglangKvManager manager = fixture.manager;
          manager.evict(8_192);
          assertEquals(0, manager.allocate(fixture.whole, fixture.lease));
          assertTrue(manager.reserveDecodePages(448, fixture.reservation));
          assertEquals(SglangKvManager.REFUSED, manager.allocate(fixture.other, fixture.second));
          assertEquals(SglangKvManager.REFUSED, manager.allocateDecodeToken(fixture.lease));
          assertFalse(manager.reserveDestination(fixture.other, fixture.destination));
          manager.releaseDecodeReservation(fixture.reservation);
          manager.abort(fixture.lease);
        });
  }
}
