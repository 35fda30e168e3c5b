package io.kvroute.twin;

import net.openhft.hashing.LongHashFunction;

/** The two hash functions that a naive manager needs, kept apart from where they come from. */
interface BlockHashing {
  /** Hash of {@code count} tokens from {@code from} on. */
  long local(int[] tokens, int from, int count);

  /** Hash of a block in its sequence, from the hash of the sequence before it and its own. */
  long next(long parent, long local);

  /** Hash of every whole page of the first {@code count} tokens. */
  default long[] locals(final int[] tokens, final int count, final int pageSize) {
    final long[] hashes = new long[count / pageSize];
    for (int i = 0; i < hashes.length; i++) {
      hashes[i] = local(tokens, i * pageSize, pageSize);
    }
    return hashes;
  }

  /** Zero-Allocation-Hashing, an implementation that shares nothing with ours. */
  static BlockHashing reference() {
    final LongHashFunction xxh3 = LongHashFunction.xx3(1337);
    return new BlockHashing() {
      @Override
      public long local(final int[] tokens, final int from, final int count) {
        return xxh3.hashInts(tokens, from, count);
      }

      @Override
      public long next(final long parent, final long local) {
        return xxh3.hashLongs(new long[] {parent, local});
      }
    };
  }
}
