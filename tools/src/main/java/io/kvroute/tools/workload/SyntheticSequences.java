package io.kvroute.tools.workload;

import java.util.Arrays;

/**
 * The sequences of W5: families with shared beginnings, drawn with weights 1/(k+1). Sequences are
 * drawn one after the other and remembered; hashes are computed when asked for.
 */
final class SyntheticSequences {
  static final int FAMILIES = 256;
  static final int MAX_DEPTH = 512;
  private static final int MIN_DEPTH = 64;
  private static final int DEPTHS = 449;
  private static final int DEEP_EVERY = 16;
  private static final int SHARED_STEP = 32;
  private static final int SHARED_STEPS = 8;
  private static final double DRAWS = 0x1.0p31;
  private static final int INITIAL_COUNT = 1024;

  private final Lcg random = new Lcg(0x5EED);
  private final double[] cumulativeWeight = new double[FAMILIES];
  private short[] families = new short[INITIAL_COUNT];
  private short[] depths = new short[INITIAL_COUNT];
  private int count;

  SyntheticSequences() {
    double sum = 0;
    for (int k = 0; k < FAMILIES; k++) {
      sum += 1.0 / (k + 1);
      cumulativeWeight[k] = sum;
    }
  }

  /** Draws the next sequence and returns its number. */
  int draw() {
    if (count == families.length) {
      families = Arrays.copyOf(families, count * 2);
      depths = Arrays.copyOf(depths, count * 2);
    }
    final double u = random.next() / DRAWS * cumulativeWeight[FAMILIES - 1];
    int family = 0;
    while (cumulativeWeight[family] < u) {
      family++;
    }
    final boolean deep = count % DEEP_EVERY == DEEP_EVERY - 1;
    families[count] = (short) family;
    depths[count] = (short) (deep ? MAX_DEPTH : MIN_DEPTH + random.nextBelow(DEPTHS));
    return count++;
  }

  /** How many were drawn. */
  int count() {
    return count;
  }

  int family(final int sequence) {
    return families[sequence];
  }

  int depth(final int sequence) {
    return depths[sequence];
  }

  /** Leading blocks that a sequence shares with others of its family. */
  int sharedLength(final int sequence) {
    return Math.min(sharedLengthOfFamily(family(sequence)), depth(sequence));
  }

  static int sharedLengthOfFamily(final int family) {
    return SHARED_STEP + SHARED_STEP * (family % SHARED_STEPS);
  }

  /** Local hash of a shared position of a family. */
  static long sharedHash(final int family, final int position) {
    return Numbers.mix64((family + 1L) << 32 | position);
  }

  /** Writes the first {@code length} local hashes of a sequence. */
  void localHashes(final int sequence, final int length, final long[] out, final int outIndex) {
    final int family = family(sequence);
    final int shared = sharedLength(sequence);
    for (int j = 0; j < length; j++) {
      out[outIndex + j] =
          j < shared ? sharedHash(family, j) : Numbers.mix64(1L << 63 | (long) sequence << 10 | j);
    }
  }
}
