package io.kvroute.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** Faults that users of such routers reported, as they would show in the whole router. */
final class KvRouterFieldCasesTest {
  private static final int SESSIONS = 40;
  private static final int TURNS = 5;

  /** A session's prompt grows by two blocks with every turn. */
  private static int[] turn(final int session, final int turn) {
    final int[] blocks = new int[2 * (turn + 1)];
    for (int b = 0; b < blocks.length; b++) {
      blocks[b] = 100 * (session + 1) + b;
    }
    return RouterRig.prompt(blocks);
  }

  @Test
  void shouldSpreadSessionsThatComeOneAfterTheOtherAndKeepThemWhereTheyAre() {
    try (RouterRig rig = new RouterRig()) {
      final WorkerFeed[] feeds = {rig.worker(0), rig.worker(1)};
      final int[] sessions = new int[feeds.length];
      final long[] homes = new long[SESSIONS];
      int kept = 0;
      for (int turn = 0; turn < TURNS; turn++) {
        for (int session = 0; session < SESSIONS; session++) {
          final int[] tokens = turn(session, turn);
          final RouteRequest request = RouterRig.request(1, tokens);
          assertEquals(RouteOutcome.ROUTED, rig.router.route(request));
          final int worker = (int) request.decision().workerId();
          if (turn == 0) {
            homes[session] = worker;
            sessions[worker]++;
          }
          kept += homes[session] == worker ? 1 : 0;
          rig.store(feeds[worker], tokens);
          assertTrue(rig.router.markPrefill(1));
          assertTrue(rig.router.free(1));
        }
      }
      assertTrue(Math.abs(sessions[0] - SESSIONS / 2) <= 12, "sessions=" + sessions[0]);
      assertTrue(kept >= 0.95 * SESSIONS * TURNS, "kept=" + kept);
    }
  }

  private static int[] sibling() {
    final int[] blocks = new int[64];
    for (int b = 0; b < blocks.length; b++) {
      blocks[b] = b;
    }
    return RouterRig.prompt(blocks);
  }

  @Test
  void shouldFindNothingOfABurstOfSiblingsBeforeTheFirstEventWithoutPredictions() {
    try (RouterRig rig = new RouterRig()) {
      for (int w = 0; w < 4; w++) {
        rig.worker(w);
      }
      final long[] requests = new long[4];
      for (int key = 0; key < 8; key++) {
        final RouteRequest request = RouterRig.request(key, sibling());
        rig.router.route(request);
        assertEquals(0, request.decision().cachedTokens());
        requests[(int) request.decision().workerId()]++;
      }
      // Each booking is seen by the next decision, so that none gets three before all have two.
      assertEquals(Arrays.toString(new long[] {2, 2, 2, 2}), text(requests));
    }
  }

  private static String text(final long[] values) {
    return Arrays.toString(values);
  }

  @Test
  void shouldPredictWhereABurstOfSiblingsGoesUntilTheTimeIsOver() {
    final KvRouterConfig config = KvRouterConfig.builder().routerPredictedTtlSecs(2.0).build();
    assertEquals(OptionalDouble.of(2.0), config.routerPredictedTtlSecs());
    try (RouterRig rig = new RouterRig(config)) {
      final WorkerFeed[] feeds = new WorkerFeed[4];
      for (int w = 0; w < feeds.length; w++) {
        feeds[w] = rig.worker(w);
      }
      final RouteRequest first = RouterRig.request(0, sibling());
      rig.router.route(first);
      assertEquals(0, first.decision().cachedTokens());
      final long home = first.decision().workerId();
      for (int key = 1; key < 8; key++) {
        assertEquals(64, predicted(rig, home));
        rig.router.route(RouterRig.request(key, sibling()));
      }
      assertEquals(0, rig.router.index().blockCount());
      rig.nowNs += 3 * RouterRig.SECOND_NS;
      rig.router.poll();
      assertEquals(0, predicted(rig, home));
      rig.store(feeds[(int) home], sibling());
      rig.router.poll();
      assertEquals(64, predicted(rig, home));
      final RouteRequest last = RouterRig.request(9, sibling());
      last.wishes().pin(home, 0);
      rig.router.route(last);
      assertEquals(64, predicted(rig, home), "the larger of both, not their sum");
    }
  }

  private static long predicted(final RouterRig rig, final long worker) {
    final int[] tokens = sibling();
    final RouteRequest query = new RouteRequest().queryOnly(true).prompt(tokens, 0, tokens.length);
    return rig.router.overlapReport(query).workers().stream()
        .filter(row -> row.workerId() == worker)
        .findFirst()
        .orElseThrow()
        .deviceBlocks();
  }

  @Test
  void shouldDropEventsOfARemovedWorkerUntilItIsThereAgain() {
    try (RouterRig rig = new RouterRig()) {
      final long floor = rig.router.index().usedBytes();
      final WorkerFeed before = rig.worker(5);
      rig.store(before, sibling());
      rig.router.poll();
      assertTrue(rig.router.remove(5));
      rig.store(before, sibling());
      rig.router.poll();
      assertEquals(0, rig.router.index().workers().length);
      assertEquals(floor, rig.router.index().usedBytes());
      final WorkerFeed after = rig.worker(5);
      rig.store(before, sibling());
      rig.router.poll();
      assertEquals(0, rig.router.index().blockCount());
      rig.store(after, sibling());
      rig.router.poll();
      assertEquals(64, rig.router.index().blockCount());
      assertEquals(2, rig.router.counters().lateEvents());
    }
  }
}
