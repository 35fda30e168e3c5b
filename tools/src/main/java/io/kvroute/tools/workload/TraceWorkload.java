package io.kvroute.tools.workload;

import io.kvroute.engine.ActiveKvLease;
import io.kvroute.hash.TokenView;
import io.kvroute.tools.io.Fields;
import io.kvroute.tools.io.InputException;
import io.kvroute.tools.trace.MemoryTrace;
import io.kvroute.tools.trace.TraceRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * W4 and W4d: a trace in file order through one manager of 4,194,304 tokens; W4d decodes every
 * answer. A round is the whole trace, or its first requests up to the last point, through a manager
 * of its own.
 */
final class TraceWorkload implements Workload {
  private static final int POOL_TOKENS = 4_194_304;
  private static final int PAGE_SIZE = 16;
  private static final int DECODE_BASE = 0x8000_0000;
  private static final int DECODE_MASK = 0x7fff_ffff;
  private static final int DECODES_PER_REQUEST = 2_048;

  private final String name;
  private final boolean decoding;
  private final SinkMode sink;
  private final int rounds;
  private final WarmUp warmUp;
  private final int[] points;
  private final MemoryTrace trace;
  private final int[] tokens;
  private final long[] nanos;
  private final TokenView prompt = new TokenView();
  private final TokenView whole = new TokenView();
  private final ActiveKvLease lease = new ActiveKvLease();

  TraceWorkload(final WorkloadSettings settings, final boolean decoding) {
    this.name = decoding ? "W4d" : "W4";
    this.decoding = decoding;
    this.sink = settings.sinkOr(SinkMode.CHECK);
    this.rounds = settings.roundsOr(decoding ? 3 : 5);
    this.warmUp = settings.warmUp();
    this.trace = MemoryTrace.load(settings.requiredTrace(name));
    this.points = settings.pointsOr(trace.size());
    final int total = points[points.length - 1];
    if (total > trace.size() || total < 1) {
      throw new InputException(
          "the trace is too short: requests=" + total + " in-trace=" + trace.size());
    }
    this.nanos = new long[total];
    this.tokens = new int[longestRequest()];
  }

  /** Most tokens of a request, its answer included if it is decoded. */
  private int longestRequest() {
    int longest = 0;
    for (int r = 0; r < nanos.length; r++) {
      final TraceRequest request = trace.request(r);
      final long length = (long) request.inputLength() + decodes(request);
      if (length > POOL_TOKENS && length > request.inputLength()) {
        throw new InputException(
            "the pool cannot hold a request with its answer: request="
                + r
                + " input_length="
                + request.inputLength()
                + " output_length="
                + request.outputLength()
                + " pool-tokens="
                + POOL_TOKENS);
      }
      longest = Math.max(longest, (int) length);
    }
    return longest;
  }

  /** Tokens to decode; none for a prompt that will be refused. */
  private int decodes(final TraceRequest request) {
    return decoding && request.inputLength() <= POOL_TOKENS ? request.outputLength() : 0;
  }

  @Override
  public List<Fields> run() {
    warmUp.run(this::round);
    final RoundTimes means = new RoundTimes(nanos.length);
    final RoundTimes highs = new RoundTimes(1);
    List<Fields> rows = null;
    for (int round = 0; round < rounds; round++) {
      final List<Fields> again = round();
      requireSame(rows, again);
      rows = again;
      means.add(Arrays.stream(nanos).sum());
      Arrays.sort(nanos);
      highs.add(nanos[(int) ((nanos.length * 99L + 99) / 100) - 1]);
    }
    final Timing timing = new Timing().rounds(rounds).add("request", means);
    timing.add("request_p99", highs).addTo(rows.get(rows.size() - 1));
    return rows;
  }

  private List<Fields> round() {
    final List<Fields> rows = new ArrayList<>();
    try (ManagerSession session = new ManagerSession(POOL_TOKENS, PAGE_SIZE, sink)) {
      for (int r = 0; r < nanos.length; r++) {
        final TraceRequest request = trace.request(r);
        final int decodes = decodes(request);
        fillTokens(request, r, decodes);
        final long start = System.nanoTime();
        run(session, request.inputLength(), decodes);
        nanos[r] = System.nanoTime() - start;
        if (r + 1 == points[rows.size()]) {
          rows.add(session.row(name, "requests", r + 1));
        }
      }
    }
    return rows;
  }

  private void fillTokens(final TraceRequest request, final int number, final int decodes) {
    final int length = request.tokens(trace.blockSize(), tokens);
    for (int j = 0; j < decodes; j++) {
      tokens[length + j] = DECODE_BASE | ((number * DECODES_PER_REQUEST + j) & DECODE_MASK);
    }
  }

  private void run(final ManagerSession session, final int length, final int decodes) {
    prompt.wrap(tokens, 0, length);
    if (!session.allocate(prompt, lease)) {
      return;
    }
    session.manager().extendCachedPrefix(prompt, lease);
    for (int j = 0; j < decodes; j++) {
      if (!session.decodeToken(lease)) {
        throw new IllegalStateException("a decode page of W4d was refused: decoded=" + j);
      }
      final int count = length + j + 1;
      if (count % PAGE_SIZE == 0) {
        session.manager().extendCachedPrefix(whole.wrap(tokens, 0, count), lease);
      }
    }
    session.manager().finish(whole.wrap(tokens, 0, length + decodes), lease);
  }

  private static void requireSame(final List<Fields> before, final List<Fields> now) {
    for (int i = 0; before != null && i < before.size(); i++) {
      final String difference = now.get(i).difference(before.get(i));
      if (difference != null) {
        throw new IllegalStateException("two rounds disagree: " + difference);
      }
    }
  }
}
