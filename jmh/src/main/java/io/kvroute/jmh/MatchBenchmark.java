package io.kvroute.jmh;

import io.kvroute.engine.ActiveKvLease;
import io.kvroute.engine.SglangKvManager;
import io.kvroute.hash.BlockHasher;
import io.kvroute.hash.TokenView;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The match of a prompt of 512 pages that is cached down to a depth. The control hashes the pages
 * that the match has to hash: those down to the depth and one more.
 */
public class MatchBenchmark extends BenchmarkBase {
  private static final int PAGES = 512;
  private static final int PAGE_SIZE = 16;

  /** Cached pages of the prompt. */
  @Param({"0", "1", "8", "64", "512"})
  public int depth;

  private final long[] hashes = new long[PAGES];
  private SglangKvManager manager;
  private BlockHasher hasher;
  private TokenView prompt;

  /** Makes the benchmark. */
  public MatchBenchmark() {}

  /** Caches the prompt down to the depth. */
  @Setup
  public void setUp() {
    final int[] tokens = new int[PAGES * PAGE_SIZE];
    for (int j = 0; j < tokens.length; j++) {
      tokens[j] = 31 * j + 7;
    }
    prompt = TokenView.of(tokens);
    hasher = BlockHasher.of(PAGE_SIZE);
    manager = SglangKvManager.builder(65_536, PAGE_SIZE).build();
    final TokenView cached = new TokenView().wrap(tokens, 0, depth * PAGE_SIZE);
    final ActiveKvLease lease = new ActiveKvLease();
    require("prefix of a new prompt", 0, manager.allocate(cached, lease));
    manager.finish(cached, lease);
    require("prefix", (long) depth * PAGE_SIZE, match());
  }

  /** Gives the memory back. */
  @TearDown
  public void tearDown() {
    manager.close();
  }

  /** Match with stamps. */
  @Benchmark
  public long match() {
    return manager.cache().matchPrefix(prompt);
  }

  /** Match without stamps. */
  @Benchmark
  public long prefixMatchLen() {
    return manager.cache().prefixMatchLen(prompt);
  }

  /** Control: hashing alone. */
  @Benchmark
  public long hashOnly() {
    final int pages = Math.min(PAGES, depth + 1);
    hasher.localHashes(prompt, 0, pages, hashes, 0);
    return hashes[pages - 1];
  }
}
