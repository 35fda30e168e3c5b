package io.kvroute.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.protocol.ActiveSequenceEvent;
import io.kvroute.protocol.ActiveSequenceEventData;
import io.kvroute.protocol.PrefillLoadHint;
import io.kvroute.protocol.RouterRequest;
import io.kvroute.protocol.RouterResponse;
import io.kvroute.protocol.RoutingConstraints;
import io.kvroute.protocol.UnsignedInts;
import io.kvroute.protocol.UnsignedLongs;
import io.kvroute.protocol.WorkerWithDpRank;
import io.kvroute.route.queue.QueueClass;
import io.kvroute.route.queue.QueuePolicy;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * A router under everything at once, for a time: threads that send events, workers that come and go
 * in the middle of it, requests of every kind and end, bursts beyond every capacity, and a clock
 * that runs fast enough for everything to expire. Nothing it holds may grow, and every counter must
 * add up.
 */
final class RouterSoak implements AutoCloseable {
  private static final int WORKERS = 6;
  private static final int MAX_RANKS = 3;
  private static final int REQUESTS = 96;
  private static final int PRODUCERS = 2;
  private static final int PROMPTS = 64;
  private static final int MAX_BLOCKS = 40;
  private static final int REPLICAS = 3;
  private static final long SLACK_BYTES = 4 << 20;

  private final long seed;
  private final Random random;
  private final RouterRig rig;
  private final KvRouter router;
  private final AtomicReferenceArray<WorkerFeed> feeds = new AtomicReferenceArray<>(WORKERS);
  private final List<SoakProducer> producers = new ArrayList<>();
  private final ArrayDeque<RouteRequest> idle = new ArrayDeque<>();
  private final List<RouteRequest> waiting = new ArrayList<>();
  private final List<Long> active = new ArrayList<>();
  private final List<String> named = new ArrayList<>();
  private final long emptyIndexBytes;
  private final int[][] prompts = new int[PROMPTS][];
  private long nextKey;
  private long submitted;
  private long undelivered;
  private long operations;

  RouterSoak(final KvRouterConfig config, final long seed) {
    this.seed = seed;
    random = new Random(seed);
    final QueueClass only =
        QueueClass.builder(QueuePolicy.DEFAULT_CLASS).busyThreshold(1500).requestLimit(4).build();
    rig =
        new RouterRig(
            KvRouter.builder(RouterRig.BLOCK)
                .config(config)
                .queuePolicy(QueuePolicy.of(only))
                .queueCapacity(20)
                .blockCapacity(1 << 10)
                .activeBlockCapacity(1 << 10)
                .rankCapacity(WORKERS * 2)
                .requestCapacity(REQUESTS)
                .feedRingBytes(1 << 14)
                .overloadThresholds(
                    new OverloadThresholds(
                        OptionalDouble.of(0.9), OptionalLong.of(4000), OptionalDouble.empty()))
                .prefillLoadModel((tokens, cached) -> tokens % 3 == 0 ? -1 : tokens * 1000)
                .listener(this::onAnswer)
                .routerId(99));
    router = rig.router;
    emptyIndexBytes = router.index() == null ? 0 : router.index().usedBytes();
    for (int p = 0; p < PROMPTS; p++) {
      final int[] blocks = new int[1 + random.nextInt(MAX_BLOCKS)];
      for (int b = 0; b < blocks.length; b++) {
        blocks[b] = b < 4 ? b : p * MAX_BLOCKS + b;
      }
      prompts[p] = RouterRig.prompt(blocks);
    }
  }

  private void onAnswer(final RouteRequest request) {
    waiting.remove(request);
    if (request.key() % 17 == 0) {
      undelivered += request.outcome() == RouteOutcome.ROUTED ? 1 : 0;
      idle.push(request);
      throw new IllegalStateException("the caller of this one is gone");
    }
    settle(request);
  }

  private void settle(final RouteRequest request) {
    if (request.outcome() == RouteOutcome.ROUTED && request.isNamed()) {
      active.add(request.key());
    }
    idle.push(request);
  }

  /** Runs for a time; fails with the seed if something grows or does not add up. */
  void run(final long durationNs) throws InterruptedException {
    try {
      for (int p = 0; p < PRODUCERS; p++) {
        producers.add(new SoakProducer(feeds, prompts, seed + p + 1));
        producers.get(p).start();
      }
      final long start = System.nanoTime();
      work(start + durationNs / 10);
      final long heapBytes = heapBytes();
      final long directBytes = directBytes();
      work(start + durationNs);
      assertTrue(operations > 1000, () -> "operations=" + operations);
      assertNotGrown("heap", heapBytes + SLACK_BYTES, heapBytes());
      assertNotGrown("direct memory", directBytes, directBytes());
      finish();
    } catch (final RuntimeException | AssertionError failure) {
      throw new AssertionError(
          failure.getMessage() + "; seed=" + seed + " operations=" + operations, failure);
    } finally {
      stopProducers();
    }
  }

  private static void assertNotGrown(final String what, final long limit, final long bytes) {
    assertTrue(bytes <= limit, () -> what + " has grown: bytes=" + bytes + " limit=" + limit);
  }

  private static long heapBytes() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  private static long directBytes() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .mapToLong(BufferPoolMXBean::getTotalCapacity)
        .sum();
  }

  private void work(final long untilNs) {
    while (System.nanoTime() < untilNs) {
      step();
      operations++;
      if (operations % 64 == 0) {
        checkSums();
      }
    }
  }

  // ------ one operation

  private void step() {
    rig.nowNs += random.nextInt(40_000_000);
    final int kind = random.nextInt(1000);
    if (kind < 350) {
      submit();
    } else if (kind < 500) {
      markSome();
    } else if (kind < 760) {
      freeSome();
    } else if (kind < 800) {
      cancelSome();
    } else if (kind < 830) {
      growSome();
    } else if (kind < 900) {
      router.poll();
    } else if (kind < 940) {
      handleSome();
    } else if (kind < 970) {
      replicate();
    } else if (kind < 990) {
      changeWorkers();
    } else if (kind < 993) {
      burst();
    } else if (kind == 999) {
      rig.nowNs += 120 * RouterRig.SECOND_NS;
    } else {
      ask();
    }
  }

  private int[] somePrompt() {
    return prompts[random.nextInt(PROMPTS)];
  }

  private RouteRequest someRequest() {
    final RouteRequest request = idle.isEmpty() ? new RouteRequest() : idle.pop();
    final int[] tokens = somePrompt();
    request.reset().request(nextKey++).prompt(tokens, 0, tokens.length);
    final int kind = random.nextInt(40);
    if (kind == 0) {
      request.prompt(tokens, 0, 0);
    } else if (kind == 1) {
      request.wishes().pin(random.nextInt(WORKERS), random.nextInt(MAX_RANKS));
    } else if (kind == 2) {
      request.wishes().allowOnly(random.nextInt(WORKERS), random.nextInt(WORKERS));
    } else if (kind == 3) {
      request.loraName("adapter-" + random.nextInt(3));
    } else if (kind == 4) {
      request.mayWait(false);
    } else if (kind == 5) {
      request.wishes().constraints(new RoutingConstraints(Set.of("gpu"), Map.of()));
    } else if (kind == 6) {
      request.queryOnly(true);
    } else if (kind == 7 && !active.isEmpty()) {
      request.request(active.get(0).longValue());
    } else if (kind == 8) {
      request.strictPriority(random.nextInt(3)).priorityJump(random.nextInt(5));
    } else if (kind == 9) {
      request.expectedOutputTokens(random.nextInt(100));
    }
    return request;
  }

  private void submit() {
    final RouteRequest request = someRequest();
    submitted++;
    final RouteOutcome outcome = router.route(request);
    if (outcome == RouteOutcome.PARKED) {
      waiting.add(request);
    } else if (request.isQueryOnly()) {
      idle.push(request);
    } else {
      settle(request);
    }
  }

  private void burst() {
    for (int i = 0; i < 2 * REQUESTS; i++) {
      submit();
    }
  }

  private void markSome() {
    router.markPrefill(active.isEmpty() ? nextKey : active.get(random.nextInt(active.size())));
  }

  private void freeSome() {
    if (!active.isEmpty()) {
      final int at = random.nextInt(active.size());
      final long key = active.get(at);
      active.set(at, active.get(active.size() - 1));
      active.remove(active.size() - 1);
      router.free(key);
      if (random.nextInt(8) == 0) {
        router.free(key);
      }
    }
    if (!named.isEmpty()) {
      router.free(named.remove(named.size() - 1));
    }
  }

  private void cancelSome() {
    if (!waiting.isEmpty()) {
      final RouteRequest request = waiting.remove(random.nextInt(waiting.size()));
      assertTrue(router.cancel(request));
      idle.push(request);
    }
  }

  private void growSome() {
    if (!active.isEmpty()) {
      router.addOutputBlock(active.get(random.nextInt(active.size())), random.nextInt(200));
    }
  }

  private void handleSome() {
    final String id = "n" + nextKey++;
    submitted++;
    try {
      final RouterResponse response =
          router.handle(new RouterRequest.New(UnsignedInts.of(somePrompt())), id);
      if (response instanceof RouterResponse.New) {
        named.add(id);
      }
    } catch (final KvSchedulerException failed) {
      assertTrue(failed.error() != KvSchedulerError.INVALID_REQUEST, failed::getMessage);
    }
  }

  private void ask() {
    router.handle(new RouterRequest.PotentialLoads(UnsignedInts.of(somePrompt()), null, null));
    final RouteRequest request = someRequest();
    router.explain(request);
    router.overlapReport(request);
    idle.push(request);
  }

  private void replicate() {
    final long replica = random.nextInt(REPLICAS);
    final String id = "r" + random.nextInt(50);
    final int kind = random.nextInt(20);
    if (kind == 0) {
      router.removeReplica(replica);
      router.activeSequences().admitReplica(replica);
      return;
    }
    final ActiveSequenceEventData data =
        kind < 10
            ? new ActiveSequenceEventData.AddRequest(
                UnsignedLongs.of(1, 2, random.nextInt(100)),
                true,
                OptionalInt.empty(),
                new PrefillLoadHint(random.nextInt(500), null))
            : kind < 15
                ? new ActiveSequenceEventData.MarkPrefillCompleted()
                : new ActiveSequenceEventData.Free();
    final WorkerWithDpRank rank = new WorkerWithDpRank(random.nextInt(WORKERS), 0);
    router.apply(new ActiveSequenceEvent(id, rank, data, replica, null), random.nextInt(1000));
  }

  private void changeWorkers() {
    final int id = random.nextInt(WORKERS);
    final TestWorker worker =
        TestWorker.ranks(random.nextInt(2), 1 + random.nextInt(MAX_RANKS))
            .limits(1000, 200)
            .tainted(random.nextBoolean() ? "gpu" : "cpu");
    if (feeds.get(id) != null && random.nextBoolean()) {
      assertTrue(router.remove(id));
      feeds.set(id, null);
      return;
    }
    try {
      if (feeds.get(id) == null) {
        feeds.set(id, router.register(id, worker, RouterRig.BLOCK));
      } else {
        router.update(id, worker);
      }
    } catch (final WorkerRegistrationException full) {
      assertTrue(full.getMessage().contains("rankCapacity"), full::getMessage);
    }
  }

  // ------ what must hold

  private void checkSums() {
    final RouterCounters counters = router.counters();
    assertTrue(undelivered <= counters.listenerFailures(), "listeners that failed");
    assertEquals(waiting.size(), router.pendingCount(), "requests that wait");
    assertEquals(
        submitted,
        counters.routed()
            + counters.queries()
            + counters.rejected()
            + counters.failed()
            + counters.cancelled()
            + router.pendingCount()
            + undelivered,
        "requests");
    assertTrue(router.activeSequences().requestCount() <= REQUESTS);
  }

  private void stopProducers() throws InterruptedException {
    for (final SoakProducer producer : producers) {
      producer.halt();
    }
  }

  private void finish() throws InterruptedException {
    stopProducers();
    long accepted = 0;
    for (final SoakProducer producer : producers) {
      producer.check();
      accepted += producer.accepted();
    }
    while (router.poll() > 0) {
      // Until nothing is left in the ring.
    }
    checkEvents(accepted);
    for (final RouteRequest request : List.copyOf(waiting)) {
      assertTrue(router.cancel(request));
      waiting.remove(request);
    }
    for (int id = 0; id < WORKERS; id++) {
      assertEquals(feeds.get(id) != null, router.remove(id));
    }
    checkSums();
    for (long replica = 0; replica < REPLICAS; replica++) {
      router.removeReplica(replica);
    }
    assertEquals(0, router.activeSequences().requestCount(), "active requests");
    assertEquals(0, router.activeSequences().blockCount(), "active blocks");
    assertEquals(0, router.registry().rankCount(), "ranks");
    if (router.index() != null) {
      for (int polls = 0; router.index().blockCount() != 0 && polls < 10_000; polls++) {
        router.poll();
      }
      assertEquals(0, router.index().blockCount(), "blocks of the index");
      assertEquals(emptyIndexBytes, router.index().usedBytes(), "bytes of an empty index");
    }
    if (router.decisions() != null) {
      assertEquals(0, router.decisions().heldBlocks(), "blocks of decisions");
    }
  }

  private void checkEvents(final long accepted) {
    final RouterCounters counters = router.counters();
    assertEquals(
        accepted,
        counters.appliedEvents()
            + counters.refusedEvents()
            + counters.lateEvents()
            + counters.unknownRankEvents()
            + counters.malformedEvents()
            + counters.ignoredEvents(),
        "events");
    assertTrue(accepted > 100, () -> "events=" + accepted);
    assertEquals(
        producers.stream().mapToLong(SoakProducer::refused).sum(),
        counters.fullRing() + counters.oversizedEvents(),
        "refused events");
  }

  /** What it was made of, for a look at what it covered. */
  RouterCounters counters() {
    return router.counters();
  }

  long operations() {
    return operations;
  }

  @Override
  public void close() {
    rig.close();
  }
}
