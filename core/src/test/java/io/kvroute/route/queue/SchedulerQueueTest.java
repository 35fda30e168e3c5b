package io.kvroute.route.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.memory.AllocationMeter;
import io.kvroute.protocol.QueueLimitKind;
import io.kvroute.protocol.QueueRejection;
import io.kvroute.route.queue.SchedulerQueue.Outcome;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SchedulerQueueTest {
  private static final long SECOND = 1_000_000_000;

  private static final class Request extends QueuedRequest {
    final String name;
    final int rank;
    final long islTokens;
    double jump;
    int strict;
    boolean queryOnly;
    boolean gone;
    boolean impatient;
    boolean deaf;
    boolean badPin;
    String policyClass;
    int refreshes;

    Request(final String name, final int rank, final long islTokens) {
      this.name = name;
      this.rank = rank;
      this.islTokens = islTokens;
    }
  }

  /** A router of two ranks that goes where a request wants, or to the first of them. */
  private static final class Host implements QueueHost<Request> {
    final List<String> answers = new ArrayList<>();
    final long[] active = new long[2];
    final long[] batch = {100, 100};
    boolean silent;
    QueueRejection rejection;

    private boolean answer(final Request request, final String what) {
      if (!silent) {
        answers.add(request.name + what);
      }
      return false;
    }

    @Override
    public boolean admit(final Request request) {
      return !request.badPin || answer(request, " not allowed");
    }

    @Override
    public long discoveredWorkers() {
      return 2;
    }

    @Override
    public long islTokens(final Request request) {
      return request.islTokens;
    }

    @Override
    public long bestCachedTokens(final Request request) {
      return 0;
    }

    @Override
    public String policyClass(final Request request) {
      return request.policyClass;
    }

    @Override
    public double priorityJump(final Request request) {
      return request.jump;
    }

    @Override
    public int strictPriority(final Request request) {
      return request.strict;
    }

    @Override
    public boolean mayBeParked(final Request request) {
      return !request.impatient;
    }

    @Override
    public boolean isQueryOnly(final Request request) {
      return request.queryOnly;
    }

    @Override
    public void visitEligibleRanks(final Request request, final long nowNs, final BusyCheck check) {
      for (int rank = 0; rank < 2; rank++) {
        if ((request.rank < 0 || request.rank == rank) && !check.rank(active[rank], batch[rank])) {
          return;
        }
      }
    }

    @Override
    public void refreshOverlap(final Request request, final long nowNs) {
      request.refreshes++;
    }

    @Override
    public boolean select(final Request request, final long nowNs) {
      return request.rank < 2 || answer(request, " no endpoints");
    }

    @Override
    public boolean isCallerGone(final Request request) {
      return request.gone;
    }

    @Override
    public boolean book(final Request request, final long nowNs) {
      if (request.name.equals("twice")) {
        return answer(request, " not booked");
      }
      active[Math.max(0, request.rank)] += request.islTokens;
      return true;
    }

    @Override
    public boolean deliver(final Request request) {
      if (!request.deaf) {
        answer(request, "");
      }
      return !request.deaf;
    }

    @Override
    public void free(final Request request, final long nowNs) {
      active[Math.max(0, request.rank)] -= request.islTokens;
    }

    @Override
    public void reject(final Request request, final QueueRejection why) {
      rejection = why;
      answer(request, " rejected");
    }

    @Override
    public void shutDown(final Request request) {
      answer(request, " shut down");
    }
  }

  private final Host host = new Host();
  private SchedulerQueue<Request> queue =
      queue(QueuePolicy.single(QueueDiscipline.FCFS, 1.0), false);

  private SchedulerQueue<Request> queue(final QueuePolicy policy, final boolean modelled) {
    return new SchedulerQueue<>(
        policy,
        host,
        SchedulerQueue.DEFAULT_CAPACITY,
        SchedulerQueue.DEFAULT_OVERLAP_REFRESH_AFTER_NS,
        modelled,
        0);
  }

  private Request submit(
      final Outcome expected, final String name, final int rank, final long islTokens) {
    final Request request = new Request(name, rank, islTokens);
    assertEquals(expected, queue.submit(request, 0));
    return request;
  }

  private void makeBusy() {
    host.active[0] = 101;
    host.active[1] = 101;
  }

  @Test
  void shouldParkOnlyWhenEveryRankHasMoreThanItsThreshold() {
    host.active[0] = 101;
    host.active[1] = 100;
    submit(Outcome.DISPATCHED, "a", -1, 5);
    host.active[1] = 101;
    submit(Outcome.PARKED, "b", -1, 5);
    assertEquals(1, queue.pendingCount());
    assertEquals(5, queue.pendingIslTokens());
    assertEquals(5, queue.pendingIslTokens(0));
    assertEquals(0, queue.pendingCachedTokens(0));
    assertEquals(List.of("a"), host.answers);
  }

  @Test
  void shouldParkBehindOthersOfTheClassEvenWhenThereIsRoomAgain() {
    makeBusy();
    submit(Outcome.PARKED, "a", -1, 5);
    host.active[0] = 0;
    submit(Outcome.PARKED, "b", -1, 5);
    assertEquals(2, queue.drain(1));
    assertEquals(List.of("a", "b"), host.answers);
  }

  @Test
  void shouldNeverParkWithoutAThreshold() {
    queue = queue(QueuePolicy.single(QueueDiscipline.FCFS, Double.NaN), false);
    makeBusy();
    submit(Outcome.DISPATCHED, "a", -1, 5);
  }

  @Test
  void shouldStartQueueingAtSixteenBatchesByDefault() {
    queue = queue(QueuePolicy.of(QueueClass.builder("a").build()), false);
    host.active[0] = 1600;
    host.active[1] = 1600;
    submit(Outcome.DISPATCHED, "a", 0, 1);
    submit(Outcome.PARKED, "b", 0, 1);
    submit(Outcome.PARKED, "c", 1, 1);
    host.batch[0] = QueueClass.DEFAULT_MAX_NUM_BATCHED_TOKENS;
    assertEquals(2, queue.drain(0));
  }

  @Test
  void shouldGoOnAndFailWhenThereIsNoRankAtAll() {
    submit(Outcome.DISPATCHED, "a", 7, 5);
    makeBusy();
    submit(Outcome.PARKED, "b", 0, 5);
    submit(Outcome.PARKED, "c", 7, 5);
    assertEquals(0, queue.drain(0));
    host.active[0] = 0;
    assertEquals(2, queue.drain(0));
    assertEquals(List.of("a no endpoints", "b", "c no endpoints"), host.answers);
  }

  @Test
  void shouldLookAtNoOtherRankThanThePinnedOne() {
    host.active[0] = 101;
    submit(Outcome.PARKED, "a", 0, 5);
    queue.cancel(new Request("other", 0, 5));
    assertEquals(1, queue.pendingCount());
    assertEquals(0, queue.drain(0));
  }

  @Test
  void shouldRefuseAPinThatTheRequestItselfForbidsBeforeQueueing() {
    makeBusy();
    final Request request = new Request("a", 0, 5);
    request.badPin = true;
    assertEquals(Outcome.REFUSED, queue.submit(request, 0));
    assertEquals(List.of("a not allowed"), host.answers);
  }

  @Test
  void shouldStopAtABlockedHeadAndLetOtherClassesGoOn() {
    queue =
        queue(
            QueuePolicy.builder()
                .defaultFamily("f")
                .bucket(0, "b")
                .add(QueueClass.builder("slow").family("f").bucket("b").busyThreshold(10).build())
                .add(QueueClass.builder("fast").busyThreshold(1000).build())
                .build(),
            false);
    host.active[0] = 1001;
    host.active[1] = 0;
    submit(Outcome.PARKED, "head", 0, 5);
    submit(Outcome.PARKED, "behind", 1, 5);
    final Request fast = new Request("fast", 0, 5);
    fast.policyClass = "fast";
    assertEquals(Outcome.PARKED, queue.submit(fast, 0));
    assertEquals(1, fast.classIndex());
    host.active[0] = 500;
    assertEquals(1, queue.drain(0));
    assertEquals(List.of("fast"), host.answers);
    host.active[0] = 0;
    queue.drain(0);
    assertEquals(List.of("fast", "head", "behind"), host.answers);
  }

  @Test
  void shouldForgetACancelledHeadAtOnceAndServeByPriorityThen() {
    makeBusy();
    final Request a = submit(Outcome.PARKED, "a", 1, 5);
    submit(Outcome.PARKED, "b", -1, 5);
    final Request c = new Request("c", -1, 5);
    c.strict = 4;
    queue.submit(c, 0);
    final Request d = new Request("d", -1, 5);
    d.jump = 100;
    queue.submit(d, 0);
    assertTrue(queue.cancel(a));
    assertFalse(queue.cancel(a));
    assertEquals(3, queue.pendingCount());
    assertEquals(15, queue.pendingIslTokens());
    host.active[0] = 0;
    assertEquals(3, queue.drain(0));
    assertEquals(List.of("c", "d", "b"), host.answers);
  }

  @Test
  void shouldRejectRatherThanParkWhoDoesNotWantToWait() {
    makeBusy();
    submit(Outcome.PARKED, "a", -1, 5);
    final Request request = new Request("b", -1, 5);
    request.impatient = true;
    assertEquals(Outcome.REJECTED, queue.submit(request, 0));
    assertEquals(new QueueRejection("default", QueueLimitKind.REQUESTS, 1, 0), host.rejection);
    assertEquals(1, queue.pendingCount());
  }

  @Test
  void shouldAnswerWithTheRejectionWhenACapIsReached() {
    queue = queue(QueuePolicy.of(QueueClass.builder("a").requestLimit(1).build()), false);
    host.active[0] = 9999;
    host.active[1] = 9999;
    submit(Outcome.PARKED, "a", -1, 5);
    submit(Outcome.PARKED, "b", -1, 5);
    final Request c = submit(Outcome.REJECTED, "c", -1, 5);
    assertEquals(new QueueRejection("a", QueueLimitKind.REQUESTS, 2, 2), host.rejection);
    assertFalse(c.isParked());
  }

  @Test
  void shouldSelectAndNotBookWhomNobodyWaitsFor() {
    makeBusy();
    final Request a = submit(Outcome.PARKED, "a", 0, 50);
    a.gone = true;
    host.active[0] = 0;
    assertEquals(1, queue.drain(0));
    assertEquals(0, host.active[0]);
    assertEquals(1, queue.callersGone());
    assertEquals(List.of(), host.answers);
  }

  @Test
  void shouldFreeWhatCouldNotBeDelivered() {
    final Request a = new Request("a", 0, 50);
    a.deaf = true;
    assertEquals(Outcome.DISPATCHED, queue.submit(a, 0));
    assertEquals(0, host.active[0]);
    assertEquals(1, queue.undelivered());
  }

  @Test
  void shouldAnswerOnceWhenABookingFails() {
    submit(Outcome.DISPATCHED, "twice", 0, 50);
    assertEquals(List.of("twice not booked"), host.answers);
    assertEquals(0, host.active[0]);
  }

  @Test
  void shouldNeverBookWhatOnlyAsks() {
    final Request a = new Request("a", 0, 50);
    a.queryOnly = true;
    queue.submit(a, 0);
    assertEquals(List.of("a"), host.answers);
    assertEquals(0, host.active[0]);
  }

  @Test
  void shouldComputeOverlapAnewAfterTenSecondsInTheQueue() {
    makeBusy();
    final Request a = submit(Outcome.PARKED, "a", 0, 5);
    final Request b = new Request("b", 0, 5);
    queue.submit(b, 1);
    host.active[0] = 0;
    queue.drain(10 * SECOND);
    assertEquals(1, a.refreshes);
    assertEquals(0, b.refreshes);
    assertEquals(1, queue.refreshedOverlaps());
  }

  @Test
  void shouldNeverComputeOverlapAnewWhenSwitchedOff() {
    queue =
        new SchedulerQueue<>(QueuePolicy.single(QueueDiscipline.FCFS, 0), host, 10, 0, false, 0);
    makeBusy();
    final Request a = submit(Outcome.PARKED, "a", 0, 5);
    host.active[0] = 0;
    queue.drain(100 * SECOND);
    assertEquals(0, a.refreshes);
    assertThrows(
        IllegalArgumentException.class,
        () -> new SchedulerQueue<>(queue.policy(), host, 10, -1, false, 0));
  }

  @Test
  void shouldDrainByTheClockEverySixtySecondsOrTenTimesASecondWithAModel() {
    makeBusy();
    submit(Outcome.PARKED, "a", 0, 5);
    host.active[0] = 0;
    assertEquals(0, queue.poll(60 * SECOND - 1));
    assertEquals(1, queue.poll(60 * SECOND));
    assertEquals(SchedulerQueue.DRAIN_INTERVAL_NS, queue.drainIntervalNs());
    assertEquals(
        SchedulerQueue.MODELLED_DRAIN_INTERVAL_NS,
        queue(QueuePolicy.single(QueueDiscipline.FCFS, 1), true).drainIntervalNs());
    assertEquals(
        SchedulerQueue.DRAIN_INTERVAL_NS,
        queue(QueuePolicy.single(QueueDiscipline.FCFS, Double.NaN), true).drainIntervalNs());
  }

  @Test
  void shouldAnswerAllParkedRequestsAndAnyNewOneWhenShutDown() {
    makeBusy();
    submit(Outcome.PARKED, "a", 0, 5);
    submit(Outcome.PARKED, "b", 0, 5);
    queue.shutDown();
    queue.shutDown();
    submit(Outcome.REFUSED, "c", 0, 5);
    assertEquals(3, host.answers.size());
    assertTrue(host.answers.containsAll(List.of("a shut down", "b shut down", "c shut down")));
    assertEquals(0, queue.pendingCount());
  }

  @Test
  void shouldAllocateNothing() {
    host.silent = true;
    final Request[] requests = new Request[200];
    for (int i = 0; i < requests.length; i++) {
      requests[i] = new Request("r", i & 1, 5);
    }
    final Runnable body =
        () -> {
          makeBusy();
          for (final Request request : requests) {
            queue.submit(request, SECOND);
          }
          while (queue.pendingCount() > 0) {
            host.active[0] = 0;
            host.active[1] = 0;
            queue.drain(2 * SECOND);
          }
          host.active[0] = 0;
          queue.submit(requests[0], SECOND);
        };
    assertEquals(0, AllocationMeter.bytes(50, body));
  }
}
