package io.kvroute.tools.sim;

import io.kvroute.hash.BlockHasher;
import io.kvroute.hash.SequenceHash;
import io.kvroute.tools.io.InputException;
import io.kvroute.tools.replay.BlockSet;
import io.kvroute.tools.trace.MemoryTrace;
import io.kvroute.tools.trace.TraceRequest;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A trace as it is simulated: in the order of arrival, from virtual time 0 on, with its sessions.
 * The first request of a session arrives at its timestamp. A later one arrives when the one before
 * has ended and its delay has passed, and not before its own timestamp.
 */
public final class SimTrace {
  private static final BigDecimal NANOS_PER_MILLI = BigDecimal.valueOf(1_000_000);

  /** A century: far from the end of what 64 bits can count. */
  private static final BigDecimal MAX_NANOS = new BigDecimal("3200000000000000000");

  private final MemoryTrace source;
  private final List<TraceRequest> ordered = new ArrayList<>();
  private long originMillis = Long.MAX_VALUE;
  private final long inputTokens;
  private final long outputTokens;
  private final long bestPossibleTokens;

  /**
   * Takes a trace over.
   *
   * @param pageSize of the caches, for {@link #bestPossibleTokens()}
   */
  public SimTrace(final MemoryTrace source, final long pageSize) {
    this.source = source;
    long input = 0;
    long output = 0;
    for (int i = 0; i < source.size(); i++) {
      final TraceRequest request = source.request(i);
      ordered.add(request);
      input += request.inputLength();
      output += request.outputLength();
      originMillis = Math.min(originMillis, request.timestampMillis());
    }
    ordered.sort(Comparator.comparingLong(TraceRequest::timestampMillis));
    inputTokens = input;
    outputTokens = output;
    bestPossibleTokens = bestPossible(pageSize);
  }

  private long bestPossible(final long pageSize) {
    final BlockHasher hasher = BlockHasher.of(pageSize);
    final PromptTokens tokens = new PromptTokens(source.blockSize());
    final BlockSet everything = new BlockSet();
    final int capacity = (int) (source.maxInputLength() / pageSize);
    final long[] local = new long[capacity];
    final long[] chain = new long[capacity];
    long known = 0;
    for (int i = 0; i < ordered.size(); i++) {
      final SimRequest request = new SimRequest(i, ordered.get(i));
      final int blocks = (int) hasher.blockCount(request.inputLength());
      hasher.localHashes(tokens.prompt(request), 0, blocks, local, 0);
      SequenceHash.chain(local, 0, blocks, false, 0, chain, 0);
      known += everything.admit(chain, blocks) * pageSize;
    }
    return known;
  }

  /** Number of requests. */
  public int size() {
    return ordered.size();
  }

  /** Tokens of all prompts. */
  public long inputTokens() {
    return inputTokens;
  }

  /** Tokens of all answers. */
  public long outputTokens() {
    return outputTokens;
  }

  /** Prompt tokens that one infinite cache over all workers would have had, in whole pages. */
  public long bestPossibleTokens() {
    return bestPossibleTokens;
  }

  long blockSize() {
    return source.blockSize();
  }

  /**
   * The requests, in the order of their timestamps; {@link SimRequest#next} links sessions.
   *
   * @param speed by which arrivals and delays are divided
   */
  List<SimRequest> requests(final BigDecimal speed) {
    final List<SimRequest> requests = new ArrayList<>(ordered.size());
    for (int i = 0; i < ordered.size(); i++) {
      final TraceRequest row = ordered.get(i);
      final SimRequest request = new SimRequest(i, row);
      request.earliestNs =
          row.hasTimestamp() ? nanos(row.timestampMillis() - originMillis, speed) : 0;
      request.delayNs = nanos(Math.max(0, row.delayMillis()), speed);
      requests.add(request);
    }
    link(requests);
    return requests;
  }

  /** Sessions go by the order of the rows, which rows without timestamp keep. */
  private void link(final List<SimRequest> requests) {
    final Map<TraceRequest, SimRequest> byRow = new HashMap<>();
    for (final SimRequest request : requests) {
      byRow.put(request.trace, request);
    }
    final Map<String, SimRequest> lastOfSession = new HashMap<>();
    for (int i = 0; i < source.size(); i++) {
      final TraceRequest row = source.request(i);
      if (row.session() != null) {
        final SimRequest request = byRow.get(row);
        final SimRequest before = lastOfSession.put(row.session(), request);
        request.isFollower = before != null;
        if (before != null) {
          before.next = request;
        }
      }
    }
  }

  private static long nanos(final long millis, final BigDecimal speed) {
    final BigDecimal nanos =
        BigDecimal.valueOf(millis).multiply(NANOS_PER_MILLI).divide(speed, 0, RoundingMode.FLOOR);
    if (nanos.compareTo(MAX_NANOS) > 0) {
      throw new InputException(
          "a request would arrive after more than a century: milliseconds="
              + millis
              + " speed="
              + speed);
    }
    return nanos.longValue();
  }
}
