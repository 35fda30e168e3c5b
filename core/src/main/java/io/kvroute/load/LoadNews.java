package io.kvroute.load;

import io.kvroute.protocol.ActiveSequenceEvent;
import io.kvroute.protocol.ActiveSequenceEventData;
import io.kvroute.protocol.PrefillLoadHint;
import io.kvroute.protocol.UnsignedDuration;
import io.kvroute.protocol.UnsignedLongs;
import java.util.OptionalInt;

/** Tells the listeners what happened to requests; what they throw is counted, no more. */
final class LoadNews {
  private static final long NANOS_PER_SECOND = 1_000_000_000;
  private static final ActiveSequenceEventData MARK =
      new ActiveSequenceEventData.MarkPrefillCompleted();
  private static final ActiveSequenceEventData FREE = new ActiveSequenceEventData.Free();

  private final long routerId;
  private final LoadListener loadListener;
  private final ReplicaListener replicaListener;
  private final Bookings bookings;
  private final RankLoads ranks;
  private final Requests requests;
  private final LoadCounters counters;

  LoadNews(
      final ActiveSequencesBuilder builder, final Bookings bookings, final LoadCounters counters) {
    routerId = builder.routerId();
    loadListener = builder.loadListener();
    replicaListener = builder.replicaListener();
    this.bookings = bookings;
    ranks = bookings.ranks;
    requests = bookings.requests;
    this.counters = counters;
  }

  /** What a rank is busy with has changed. */
  void publish(final int rank, final long nowNs) {
    if (loadListener != null) {
      try {
        loadListener.onActiveLoad(
            ranks.workerId(rank),
            ranks.dpRank(rank),
            ranks.activeBlocks(rank),
            bookings.prefills.activeTokens(rank, nowNs));
      } catch (final RuntimeException failure) {
        counters.countListenerFailure();
      }
    }
  }

  /** The prefill of a request is done. */
  void tellMarked(final int request) {
    tell(request, MARK);
  }

  /** A request is about to end. */
  void tellFreed(final int request) {
    tell(request, FREE);
  }

  /** A request of this router's own has been added. */
  void tellAdded(final Booking booking) {
    if (replicaListener != null) {
      tell(requests.find(booking.id(), booking.key()), added(booking));
    }
  }

  private static ActiveSequenceEventData added(final Booking booking) {
    final long expectedNs = booking.expectedPrefillNs();
    final UnsignedDuration expected =
        expectedNs == Prefills.UNMODELLED
            ? null
            : new UnsignedDuration(
                expectedNs / NANOS_PER_SECOND, (int) (expectedNs % NANOS_PER_SECOND));
    return new ActiveSequenceEventData.AddRequest(
        booking.hasPrompt()
            ? UnsignedLongs.copyOf(booking.hashes(), booking.index(), booking.count())
            : null,
        booking.tracksPrefill(),
        booking.hasExpectedOutputTokens()
            ? OptionalInt.of(booking.expectedOutputTokens())
            : OptionalInt.empty(),
        booking.prefillTokens() == 0
            ? null
            : new PrefillLoadHint(booking.prefillTokens(), expected));
  }

  private void tell(final int request, final ActiveSequenceEventData data) {
    if (replicaListener != null) {
      try {
        replicaListener.onEvent(
            new ActiveSequenceEvent(
                requests.id(request),
                ranks.name(requests.rank(request)),
                data,
                routerId,
                requests.loraName(request)));
      } catch (final RuntimeException failure) {
        counters.countListenerFailure();
      }
    }
  }
}
