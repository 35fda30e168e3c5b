package io.kvroute.jmh;

import io.kvroute.engine.ActiveKvLease;
import io.kvroute.engine.SglangKvManager;
import io.kvroute.hash.TokenView;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Eviction of the oldest of many one-page leaves and the insertion of a new one, which is what a
 * full cache does for every page.
 */
public class EvictBenchmark extends BenchmarkBase {
  private static final int PAGE_SIZE = 16;

  /** Leaves in the cache. */
  @Param({"1000", "100000"})
  public int leaves;

  private final int[] tokens = new int[PAGE_SIZE];
  private final TokenView prompt = TokenView.of(tokens);
  private final ActiveKvLease lease = new ActiveKvLease();
  private SglangKvManager manager;
  private int serial;

  /** Makes the benchmark. */
  public EvictBenchmark() {}

  /** Fills the cache with one-page leaves. */
  @Setup
  public void setUp() {
    manager = SglangKvManager.builder((long) leaves * PAGE_SIZE, PAGE_SIZE).build();
    for (int i = 0; i < leaves; i++) {
      insert();
    }
    require("nodes", leaves + 1L, manager.cache().nodes());
    require("available tokens", 0, manager.cache().availableTokens());
  }

  /** Checks that the cache is still full of leaves. */
  @TearDown
  public void tearDown() {
    require("nodes", leaves + 1L, manager.cache().nodes());
    manager.close();
  }

  private long insert() {
    tokens[0] = serial++;
    final long prefix = manager.allocate(prompt, lease);
    manager.finish(prompt, lease);
    return prefix;
  }

  /** Evict one page and insert one. */
  @Benchmark
  public long evictInsert() {
    manager.evict(PAGE_SIZE);
    return insert();
  }
}
