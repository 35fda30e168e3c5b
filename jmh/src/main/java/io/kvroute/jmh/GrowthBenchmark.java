package io.kvroute.jmh;

import io.kvroute.engine.ActiveKvLease;
import io.kvroute.engine.DecodeReservation;
import io.kvroute.engine.SglangKvManager;
import io.kvroute.hash.TokenView;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * One page of growth of a running request: 16 decoded tokens, then the cached prefix is extended
 * with events on. The cost must not depend on the context that is there already.
 */
public class GrowthBenchmark extends BenchmarkBase {
  private static final int PAGE_SIZE = 16;
  private static final int GROWTH_PAGES = 8_192;

  /** Pages of context before the growth. */
  @Param({"512", "8192"})
  public int contextPages;

  private final TokenView view = new TokenView();
  private final ActiveKvLease lease = new ActiveKvLease();
  private final DecodeReservation reservation = new DecodeReservation();
  private SglangKvManager manager;
  private int[] tokens;

  /** Makes the benchmark. */
  public GrowthBenchmark() {}

  /** Caches the context. */
  @Setup
  public void setUp() {
    tokens = new int[(contextPages + GROWTH_PAGES) * PAGE_SIZE];
    for (int j = 0; j < tokens.length; j++) {
      tokens[j] = 31 * j + 7;
    }
    manager = SglangKvManager.builder(tokens.length, PAGE_SIZE).sink(new CountingSink()).build();
    restart();
    final long hashed = manager.hashedBlocks();
    grow();
    require("blocks hashed by one step", 1, manager.hashedBlocks() - hashed);
  }

  private void restart() {
    view.wrap(tokens, 0, contextPages * PAGE_SIZE);
    if (lease.isActive()) {
      manager.abort(lease);
      manager.evict((long) GROWTH_PAGES * PAGE_SIZE);
    }
    manager.allocate(view, lease);
    manager.extendCachedPrefix(view, lease);
    require("cached tokens", (long) contextPages * PAGE_SIZE, lease.cachedTokens());
  }

  /** Gives the memory back. */
  @TearDown
  public void tearDown() {
    manager.abort(lease);
    manager.close();
  }

  /** One page of growth; every 8,192 steps the request starts again. */
  @Benchmark
  public long grow() {
    if (lease.tokenCount() + PAGE_SIZE > tokens.length) {
      restart();
    }
    for (int j = 0; j < PAGE_SIZE; j++) {
      manager.reserveDecodePages(j == 0 ? 1 : 0, reservation);
      manager.extendDecode(lease, reservation);
      manager.releaseDecodeReservation(reservation);
    }
    view.wrap(tokens, 0, (int) lease.tokenCount());
    manager.extendCachedPrefix(view, lease);
    return lease.cachedTokens();
  }
}
