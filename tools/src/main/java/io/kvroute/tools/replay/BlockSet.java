package io.kvroute.tools.replay;

/**
 * A set of sequence hashes that forgets nothing: one infinite cache over all workers. Whoever has a
 * block has its ancestors too, so the cached prefix of a prompt is found by bisection. On-heap, 8
 * bytes a slot at a load of at most 70 %; not thread-safe.
 */
public final class BlockSet {
  private static final int INITIAL_SLOTS = 1 << 10;
  private static final int LOAD_PERCENT = 70;
  private static final long SCATTER = 0x9E3779B97F4A7C15L;

  private long[] slots = new long[INITIAL_SLOTS];
  private int shift = Long.numberOfLeadingZeros(INITIAL_SLOTS - 1L);
  private int used;
  private boolean zero;

  /** Makes an empty set. */
  public BlockSet() {}

  /** Number of hashes in the set. */
  public long size() {
    return zero ? used + 1L : used;
  }

  /**
   * Admits a prompt.
   *
   * @param chain its sequence hashes from the first block on
   * @param count how many
   * @return how many leading blocks were there before
   */
  public int admit(final long[] chain, final int count) {
    int known = 0;
    int unknown = count;
    while (known < unknown) {
      final int middle = (known + unknown) >>> 1;
      if (contains(chain[middle])) {
        known = middle + 1;
      } else {
        unknown = middle;
      }
    }
    for (int i = known; i < count; i++) {
      add(chain[i]);
    }
    return known;
  }

  private boolean contains(final long hash) {
    return hash == 0 ? zero : slots[find(hash)] == hash;
  }

  private void add(final long hash) {
    if (hash == 0) {
      zero = true;
      return;
    }
    final int slot = find(hash);
    if (slots[slot] == 0) {
      slots[slot] = hash;
      if (++used > (long) slots.length * LOAD_PERCENT / 100) {
        grow();
      }
    }
  }

  /** The slot of a hash, or the free one in which it would be put. */
  private int find(final long hash) {
    int slot = (int) ((hash * SCATTER) >>> shift);
    while (slots[slot] != 0 && slots[slot] != hash) {
      slot = (slot + 1) & (slots.length - 1);
    }
    return slot;
  }

  private void grow() {
    final long[] before = slots;
    slots = new long[before.length * 2];
    shift--;
    for (final long hash : before) {
      if (hash != 0) {
        slots[find(hash)] = hash;
      }
    }
  }
}
