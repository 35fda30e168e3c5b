package io.kvroute.tools.trace;

/** Forms of traces, by the fields of their lines. */
public enum TraceFormat {
  /** Told from the first line: a {@code chat_id} is Bailian, {@code session_id} is AIPerf. */
  AUTO,
  /** Whole milliseconds, ascending; a hash id stands for as many tokens as the reader is told. */
  MOONCAKE,
  /** Bailian (Qwen): seconds, maybe with decimals, in any order; 16 tokens per hash id. */
  BAILIAN,
  /**
   * AIPerf sessions: the first row of a {@code session_id} may have a {@code timestamp}
   * (milliseconds), later ones may have a {@code delay} (milliseconds after the answer before)
   * instead; in any order.
   */
  AIPERF;

  /** Tokens per hash id in Bailian traces. */
  public static final long BAILIAN_BLOCK_SIZE = 16;
}
