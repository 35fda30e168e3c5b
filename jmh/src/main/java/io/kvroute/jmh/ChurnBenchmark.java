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
 * Workload W3: requests of 768 tokens, 512 of them shared with one of 64 prompts, that decode 32
 * more in a pool that is always full. Building a request's tokens is part of the time here: 800
 * stores.
 */
public class ChurnBenchmark extends BenchmarkBase {
  private static final int SHARED = 512;
  private static final int OWN = 256;
  private static final int DECODED = 32;
  private static final int PAGE_SIZE = 16;
  private static final int WARM_UP = 2_000;

  /** Where events go. */
  @Param({"none", "count"})
  public String sink;

  private final int[] tokens = new int[SHARED + OWN + DECODED];
  private final TokenView prompt = TokenView.of(tokens);
  private final TokenView all = TokenView.of(tokens);
  private final ActiveKvLease lease = new ActiveKvLease();
  private final DecodeReservation reservation = new DecodeReservation();
  private SglangKvManager manager;
  private long random = 42;
  private int request;

  /** Makes the benchmark. */
  public ChurnBenchmark() {}

  /** Fills the pool and checks the known figures after 2,000 requests. */
  @Setup
  public void setUp() {
    prompt.wrap(tokens, 0, SHARED + OWN);
    manager = SglangKvManager.builder(65_536, PAGE_SIZE).sink(CountingSink.named(sink)).build();
    long hits = 0;
    for (int r = 0; r < WARM_UP; r++) {
      hits += request();
    }
    require("hit tokens", 878_848, hits);
    require("radix nodes", 184, manager.cache().nodes());
    require("stored blocks", "count".equals(sink) ? 45_072 : 0, manager.storedBlocks());
  }

  /** Checks that the pool is whole. */
  @TearDown
  public void tearDown() {
    require("evictable tokens", 65_536, manager.cache().evictableTokens());
    manager.close();
  }

  /** One request from allocation to finish. */
  @Benchmark
  public long request() {
    fillTokens();
    final long prefix = manager.allocate(prompt, lease);
    manager.extendCachedPrefix(prompt, lease);
    for (int j = 0; j < DECODED; j++) {
      decode();
    }
    manager.finish(all, lease);
    return prefix;
  }

  private void fillTokens() {
    random = random * 6364136223846793005L + 1442695040888963407L;
    final int p = (int) ((random >>> 33) % 64);
    final int r = request++;
    for (int j = 0; j < SHARED; j++) {
      tokens[j] = p * SHARED + j;
    }
    for (int j = 0; j < OWN; j++) {
      tokens[SHARED + j] = 1_000_000 + r * OWN + j;
    }
    for (int j = 0; j < DECODED; j++) {
      tokens[SHARED + OWN + j] = 0x40000000 + r * DECODED + j;
    }
  }

  private void decode() {
    final int pages = lease.tokenCount() % PAGE_SIZE == 0 ? 1 : 0;
    if (!manager.reserveDecodePages(pages, reservation)) {
      manager.evict(PAGE_SIZE);
      require("a page after eviction", 1, manager.reserveDecodePages(pages, reservation) ? 1 : 0);
    }
    manager.extendDecode(lease, reservation);
    manager.releaseDecodeReservation(reservation);
  }
}
