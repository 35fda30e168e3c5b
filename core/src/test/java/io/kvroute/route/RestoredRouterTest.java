package io.kvroute.route;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.kvroute.engine.ActiveKvLease;
import io.kvroute.engine.SglangKvManager;
import io.kvroute.hash.TokenView;
import io.kvroute.index.IndexSnapshot;
import io.kvroute.index.RadixIndex;
import io.kvroute.protocol.WorkerConfig;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a router knew before a restart, given to the next one. */
final class RestoredRouterTest {
  private static final int[] PROMPT = IntStream.range(0, 80).toArray();

  @TempDir Path folder;

  @Test
  void shouldRouteByWhatASnapshotSaysOfTheWorkersThatAreBack() {
    final Path file = folder.resolve("index.snapshot");
    try (KvRouter router = KvRouter.builder(16).build();
        SglangKvManager second = engine(router, 2);
        SglangKvManager third = engine(router, 3)) {
      serve(second, 32);
      serve(third, 48);
      router.poll();
      IndexSnapshot.write(router.index(), file);
    }
    try (KvRouter router = KvRouter.builder(16).build();
        SglangKvManager second = engine(router, 2)) {
      router.register(4, WorkerConfig.ofRanks(0, 1), 16);
      try (RadixIndex restored = IndexSnapshot.restore(file, RadixIndex.builder())) {
        // Worker 3 has not come back, and of worker 4 nothing is known.
        for (final long worker : new long[] {2, 4}) {
          router.index().replaceWorker(worker, listener -> restored.dumpWorker(worker, listener));
        }
      }
      assertRouted(router, 1, 32);
      serve(second, 48);
      router.poll();
      assertRouted(router, 2, 48);
    }
  }

  private static SglangKvManager engine(final KvRouter router, final int worker) {
    return SglangKvManager.builder(4096, 16)
        .workerId(worker)
        .sink(router.register(worker, WorkerConfig.ofRanks(0, 1), 16))
        .build();
  }

  private static void serve(final SglangKvManager engine, final int tokens) {
    final ActiveKvLease lease = new ActiveKvLease();
    final TokenView prompt = new TokenView().wrap(PROMPT, 0, tokens);
    engine.allocate(prompt, lease);
    engine.finish(prompt, lease);
  }

  private static void assertRouted(final KvRouter router, final int id, final int cachedTokens) {
    final RouteRequest request = new RouteRequest().request(id).prompt(PROMPT, 0, PROMPT.length);
    assertEquals(RouteOutcome.ROUTED, router.route(request));
    assertEquals(2, request.decision().workerId());
    assertEquals(cachedTokens, request.decision().cachedTokens());
    router.free(id);
  }
}
