package io.kvroute.tools.trace;

import java.util.Arrays;

/**
 * One request of a trace, re-used from row to row. Its prompt is a list of hash ids: equal ids at
 * equal places stand for equal tokens, the last id may stand for a part of a block only.
 */
public final class TraceRequest {

  /** Longest prompt in tokens that is read or made. */
  public static final int MAX_INPUT_LENGTH = 1 << 28;

  /** The delay of a request that has none. */
  public static final long NONE = -1;

  private static final int INITIAL_IDS = 64;

  private long timestampMillis;
  private int inputLength;
  private int outputLength;
  private long[] hashIds = new long[INITIAL_IDS];
  private int idCount;
  private String session;
  private long delayMillis = NONE;
  private boolean hasTimestamp = true;

  /** Makes an empty request. */
  public TraceRequest() {}

  /** Arrival in milliseconds since the start of the trace. */
  public long timestampMillis() {
    return timestampMillis;
  }

  /** Whether the trace names an arrival; if not, {@link #timestampMillis()} is 0. */
  public boolean hasTimestamp() {
    return hasTimestamp;
  }

  /** The session that the request belongs to, as the trace names it, or null. */
  public String session() {
    return session;
  }

  /**
   * Milliseconds between the end of the session's request before and this one, or {@link #NONE}.
   */
  public long delayMillis() {
    return delayMillis;
  }

  /** Tokens of the prompt. */
  public int inputLength() {
    return inputLength;
  }

  /** Tokens of the answer. */
  public int outputLength() {
    return outputLength;
  }

  /** Number of hash ids. */
  public int idCount() {
    return idCount;
  }

  /** Hash id number {@code i}, 64 bits without sign. */
  public long hashId(final int i) {
    if (i < 0 || i >= idCount) {
      throw new IndexOutOfBoundsException("no such id: index=" + i + " count=" + idCount);
    }
    return hashIds[i];
  }

  /** Forgets everything. */
  public void reset() {
    timestampMillis = 0;
    hasTimestamp = true;
    session = null;
    delayMillis = NONE;
    inputLength = 0;
    outputLength = 0;
    idCount = 0;
  }

  /** Sets arrival and lengths. */
  public void set(
      final long newTimestampMillis, final int newInputLength, final int newOutputLength) {
    timestampMillis = newTimestampMillis;
    inputLength = newInputLength;
    outputLength = newOutputLength;
  }

  /** Sets what forms with sessions have besides. */
  void setSession(
      final String newSession, final long newDelayMillis, final boolean newHasTimestamp) {
    session = newSession;
    delayMillis = newDelayMillis;
    hasTimestamp = newHasTimestamp;
  }

  /** Appends a hash id. */
  public void addHashId(final long id) {
    if (idCount == hashIds.length) {
      hashIds = Arrays.copyOf(hashIds, idCount * 2);
    }
    hashIds[idCount++] = id;
  }

  /** Becomes equal to another request. */
  public void copyFrom(final TraceRequest other) {
    set(other.timestampMillis, other.inputLength, other.outputLength);
    setSession(other.session, other.delayMillis, other.hasTimestamp);
    if (hashIds.length < other.idCount) {
      hashIds = new long[other.idCount];
    }
    System.arraycopy(other.hashIds, 0, hashIds, 0, other.idCount);
    idCount = other.idCount;
  }

  /** Number of ids that a prompt of {@code inputLength} tokens needs. */
  public static long idsFor(final long inputLength, final long blockSize) {
    return inputLength / blockSize + (inputLength % blockSize == 0 ? 0 : 1);
  }

  /**
   * Writes the tokens of the prompt. They are a pure function of hash id and place inside the
   * block: id {@code h} stands for {@code (h * blockSize + j) mod 2^32}, j from 0 on.
   *
   * @param out room for {@link #inputLength()} tokens
   * @return how many were written
   */
  public int tokens(final long blockSize, final int[] out) {
    int written = 0;
    for (int i = 0; i < idCount; i++) {
      final int end = (int) Math.min(inputLength, written + blockSize);
      int token = (int) (hashIds[i] * blockSize);
      while (written < end) {
        out[written++] = token++;
      }
    }
    return written;
  }

  /** {@code array} if the prompt's tokens fit into it, else a new one with some room to spare. */
  public int[] roomFor(final int[] array) {
    return inputLength <= array.length
        ? array
        : new int[Math.max(inputLength, Math.min(MAX_INPUT_LENGTH, inputLength * 2))];
  }
}
