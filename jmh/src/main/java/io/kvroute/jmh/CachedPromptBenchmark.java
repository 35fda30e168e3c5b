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
 * Workload W2: prompts of 1,024 tokens that are cached as a whole, allocated and finished in turn.
 * Beside it the match alone and, as the control, the hashing of the prompt alone.
 */
public class CachedPromptBenchmark extends BenchmarkBase {
  private static final int PROMPTS = 48;
  private static final int TOKENS = 1024;
  private static final int PAGE_SIZE = 16;

  /** Where events go. */
  @Param({"none", "count"})
  public String sink;

  private final TokenView[] prompts = new TokenView[PROMPTS];
  private final ActiveKvLease lease = new ActiveKvLease();
  private final long[] hashes = new long[TOKENS / PAGE_SIZE];
  private SglangKvManager manager;
  private BlockHasher hasher;
  private int next;

  /** Makes the benchmark. */
  public CachedPromptBenchmark() {}

  /** Caches all prompts and checks that they are found. */
  @Setup
  public void setUp() {
    hasher = BlockHasher.of(PAGE_SIZE);
    manager = SglangKvManager.builder(65_536, PAGE_SIZE).sink(CountingSink.named(sink)).build();
    for (int p = 0; p < PROMPTS; p++) {
      final int[] tokens = new int[TOKENS];
      for (int j = 0; j < TOKENS; j++) {
        tokens[j] = (int) (((p * 1024L + j) * 0x9E3779B97F4A7C15L) >>> 40);
      }
      prompts[p] = TokenView.of(tokens);
      require("prefix of a new prompt", 0, allocateAndFinish(p));
    }
    for (int p = 0; p < PROMPTS; p++) {
      require("prefix of a cached prompt", TOKENS, allocateAndFinish(p));
    }
  }

  private long allocateAndFinish(final int prompt) {
    final long prefix = manager.allocate(prompts[prompt], lease);
    manager.finish(prompts[prompt], lease);
    return prefix;
  }

  /** Checks that nothing was left behind. */
  @TearDown
  public void tearDown() {
    require("protected tokens", 0, manager.cache().protectedTokens());
    require("cached tokens", (long) PROMPTS * TOKENS, manager.cache().evictableTokens());
    manager.close();
  }

  private int turn() {
    next = next + 1 == PROMPTS ? 0 : next + 1;
    return next;
  }

  /** Allocate and finish. */
  @Benchmark
  public long allocateFinish() {
    return allocateAndFinish(turn());
  }

  /** The match alone. */
  @Benchmark
  public long match() {
    return manager.cache().matchPrefix(prompts[turn()]);
  }

  /** Control: hashing alone. */
  @Benchmark
  public long hashOnly() {
    hasher.localHashes(prompts[turn()], 0, hashes.length, hashes, 0);
    return hashes[hashes.length - 1];
  }
}
