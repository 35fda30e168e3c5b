package io.kvroute.tools.sim;

import org.agrona.collections.Long2LongHashMap;

/**
 * Distinct blocks of the requests that are active on one worker, counted by reference. With a block
 * all blocks before it are there, so the known part of a prompt is found by bisection.
 */
final class ActiveBlocks {
  private final Long2LongHashMap counts = new Long2LongHashMap(0);

  int size() {
    return counts.size();
  }

  /** Leading blocks of a prompt that are there. */
  int depth(final long[] chain, final int count) {
    int known = 0;
    int unknown = count;
    while (known < unknown) {
      final int middle = (known + unknown) >>> 1;
      if (counts.get(chain[middle]) > 0) {
        known = middle + 1;
      } else {
        unknown = middle;
      }
    }
    return known;
  }

  void add(final long[] chain, final int count) {
    for (int i = 0; i < count; i++) {
      counts.put(chain[i], counts.get(chain[i]) + 1);
    }
  }

  void remove(final long[] chain, final int count) {
    for (int i = 0; i < count; i++) {
      final long left = counts.get(chain[i]) - 1;
      if (left == 0) {
        counts.remove(chain[i]);
      } else {
        counts.put(chain[i], left);
      }
    }
  }
}
