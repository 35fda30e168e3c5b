package io.kvroute.jmh;

/**
 * What a manager must have done after the first requests of a trace, for the traces that are known:
 * the conversation trace of Mooncake, with the outputs of NVIDIA Dynamo's manager (Apache-2.0), and
 * the generated one, on which both of ours agree.
 */
record TraceOutputs(long hitTokens, long nodes, long storedBlocks, long removedBlocks) {
  private static final long CONVERSATION_TOKENS = 144_793_823;
  private static final long GENERATED_TOKENS = 7_515_073;

  /** The outputs after {@code requests} of the trace with so many tokens; null if not known. */
  static TraceOutputs of(final long inputTokens, final int requests) {
    if (inputTokens == CONVERSATION_TOKENS) {
      return switch (requests) {
        case 100 -> new TraceOutputs(50_688, 102, 92_080, 0);
        case 1_000 -> new TraceOutputs(2_217_728, 377, 719_242, 457_099);
        case 5_000 -> new TraceOutputs(11_664_976, 465, 3_351_824, 3_089_681);
        case 12_031 -> new TraceOutputs(27_366_672, 515, 7_333_596, 7_071_453);
        default -> null;
      };
    }
    if (inputTokens == GENERATED_TOKENS) {
      return switch (requests) {
        case 1_000 -> new TraceOutputs(4_626_912, 49, 180_035, 163_652);
        default -> null;
      };
    }
    return null;
  }
}
