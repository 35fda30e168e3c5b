package io.kvroute.jmh;

import io.kvroute.hash.BlockHasher;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The control: the same decisions from the maps of the JDK. Who has a block is a bit set by the
 * block's sequence hash; active blocks are counted per worker. Prompts are hashed by our hasher.
 */
final class ControlRouter implements RoutingSubject {
  private record Request(int worker, long[] chain, long prefillTokens) {}

  private final int workers;
  private final BlockHasher hasher = BlockHasher.of(BLOCK_SIZE);
  private final Map<Long, BitSet> holders = new HashMap<>();
  private final List<Map<Long, Integer>> active = new ArrayList<>();
  private final Map<Long, Request> requests = new HashMap<>();
  private final long[] prefillTokens;

  ControlRouter(final int workers, final long indexBlocks, final int requests) {
    this.workers = workers;
    for (int w = 0; w < workers; w++) {
      active.add(new HashMap<>());
    }
    prefillTokens = new long[workers];
  }

  private long[] chain(final Prompt prompt) {
    final int count = (int) hasher.blockCount(prompt.count);
    final long[] chain = new long[count];
    hasher.hashes(prompt.view, 0, count, false, 0, new long[count], 0, chain, 0);
    return chain;
  }

  @Override
  public void store(final int worker, final Prompt prompt) {
    for (final long hash : chain(prompt)) {
      holders.computeIfAbsent(hash, unknown -> new BitSet(workers)).set(worker);
    }
  }

  @Override
  public long route(final long key, final Prompt prompt) {
    final long[] chain = chain(prompt);
    final int[] overlaps = overlaps(chain);
    int best = 0;
    double least = Double.POSITIVE_INFINITY;
    for (int w = 0; w < workers; w++) {
      final double prefill =
          Math.max(0.0, (double) (prefillTokens[w] + prompt.count) / BLOCK_SIZE - overlaps[w]);
      final double cost = prefill + active.get(w).size() + (chain.length - known(w, chain));
      if (cost < least) {
        least = cost;
        best = w;
      }
    }
    book(key, new Request(best, chain, prompt.count - (long) overlaps[best] * BLOCK_SIZE));
    return best;
  }

  private int[] overlaps(final long[] chain) {
    final int[] overlaps = new int[workers];
    final BitSet left = new BitSet(workers);
    left.set(0, workers);
    for (final long hash : chain) {
      final BitSet here = holders.get(hash);
      if (here == null) {
        break;
      }
      left.and(here);
      if (left.isEmpty()) {
        break;
      }
      for (int w = left.nextSetBit(0); w >= 0; w = left.nextSetBit(w + 1)) {
        overlaps[w]++;
      }
    }
    return overlaps;
  }

  private int known(final int worker, final long[] chain) {
    int known = 0;
    while (known < chain.length && active.get(worker).containsKey(chain[known])) {
      known++;
    }
    return known;
  }

  private void book(final long key, final Request request) {
    requests.put(key, request);
    prefillTokens[request.worker] += request.prefillTokens;
    for (final long hash : request.chain) {
      active.get(request.worker).merge(hash, 1, Integer::sum);
    }
  }

  @Override
  public boolean mark(final long key) {
    final Request request = requests.get(key);
    if (request == null) {
      return false;
    }
    prefillTokens[request.worker] -= request.prefillTokens;
    requests.put(key, new Request(request.worker, request.chain, 0));
    return true;
  }

  @Override
  public boolean free(final long key) {
    mark(key);
    final Request request = requests.remove(key);
    if (request == null) {
      return false;
    }
    for (final long hash : request.chain) {
      active
          .get(request.worker)
          .computeIfPresent(hash, (same, references) -> references == 1 ? null : references - 1);
    }
    return true;
  }

  @Override
  public int requests() {
    return requests.size();
  }

  @Override
  public long indexBlocks() {
    return holders.size();
  }

  @Override
  public void close() {}
}
