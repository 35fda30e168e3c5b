package io.kvroute.index;

import io.kvroute.hash.SequenceHash;
import io.kvroute.protocol.KvEventEncoder;
import io.kvroute.protocol.StorageTier;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The synthetic reference workload of the index: sequences of 256 families with shared prefixes on
 * n workers, stored in events of 16 blocks; queries that hit a given depth; stores and removals of
 * 16 fresh blocks below a shared prefix.
 */
public final class SyntheticWorkload {
  /** Blocks of a query. */
  public static final int QUERY_LENGTH = 512;

  /** How many queries there are for a depth. */
  public static final int QUERIES = 1024;

  /** Blocks of an event. */
  public static final int EVENT_BLOCKS = 16;

  private static final int FAMILIES = 256;

  /** What the events are applied to. */
  public interface Target {
    /** Applies an event; false if it is refused. */
    boolean apply(DirectBuffer buffer, int offset, int length);
  }

  /** One sequence: the first {@code shared} of its {@code depth} blocks are its family's. */
  record Sequence(int number, int family, int depth, int shared) {
    long local(final int position) {
      return position < shared
          ? mix64((family + 1L) << 32 | position)
          : mix64(1L << 63 | (long) number << 10 | position);
    }
  }

  private final Target target;
  private final int workers;
  private final int[][] held;
  private final double[] cumulative = new double[FAMILIES];
  private final List<Sequence> sequences = new ArrayList<>();
  private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[1 << 12]);
  private final long[] locals = new long[QUERY_LENGTH];
  private final long[] chain = new long[QUERY_LENGTH];
  private long state = 0x5EED;
  long storedBlocks;
  long events;

  SyntheticWorkload(final RadixIndex index, final int workers) {
    this(
        (buffer, offset, length) -> index.apply(buffer, offset, length) == ApplyResult.OK, workers);
  }

  /** Begins with nothing stored. */
  public SyntheticWorkload(final Target target, final int workers) {
    this.target = target;
    this.workers = workers;
    this.held = new int[workers][FAMILIES];
    double sum = 0;
    for (int k = 0; k < FAMILIES; k++) {
      sum += 1.0 / (k + 1);
      cumulative[k] = sum;
    }
  }

  static long mix64(final long seed) {
    long z = seed + 0x9E3779B97F4A7C15L;
    z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
    z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
    return z ^ z >>> 31;
  }

  private long next() {
    state = state * 6364136223846793005L + 1442695040888963407L;
    return state >>> 33;
  }

  int sequences() {
    return sequences.size();
  }

  /** Stores sequences until there are at least {@code blocks}. */
  public void build(final long blocks) {
    while (storedBlocks < blocks) {
      final int number = sequences.size();
      final double u = next() / 2147483648.0 * cumulative[FAMILIES - 1];
      int family = 0;
      while (cumulative[family] < u) {
        family++;
      }
      final int depth = number % 16 == 15 ? QUERY_LENGTH : 64 + (int) (next() % 449);
      final Sequence sequence =
          new Sequence(number, family, depth, Math.min(32 + 32 * (family % 8), depth));
      sequences.add(sequence);
      store(sequence);
    }
  }

  private void store(final Sequence sequence) {
    final int worker = sequence.number % workers;
    hash(sequence);
    int from = Math.min(held[worker][sequence.family], sequence.shared);
    while (from < sequence.depth) {
      final int count = Math.min(EVENT_BLOCKS, sequence.depth - from);
      apply(stored(worker, from, count));
      storedBlocks += count;
      from += count;
    }
    held[worker][sequence.family] = Math.max(held[worker][sequence.family], sequence.shared);
  }

  private void hash(final Sequence sequence) {
    for (int i = 0; i < sequence.depth; i++) {
      locals[i] = sequence.local(i);
      chain[i] = i == 0 ? locals[0] : SequenceHash.next(chain[i - 1], locals[i]);
    }
  }

  private int stored(final int worker, final int from, final int count) {
    final int length =
        KvEventEncoder.stored(
            buffer,
            0,
            worker,
            0,
            StorageTier.DEVICE,
            events,
            from > 0,
            from > 0 ? chain[from - 1] : 0,
            count);
    for (int i = 0; i < count; i++) {
      KvEventEncoder.putBlockHash(buffer, 0, i, chain[from + i]);
      KvEventEncoder.putTokensHash(buffer, 0, count, i, locals[from + i]);
    }
    return length;
  }

  private void apply(final int length) {
    events++;
    if (!target.apply(buffer, 0, length)) {
      throw new IllegalStateException("event refused: event=" + events);
    }
  }

  /** Blocks stored so far, those that a worker has already not counted. */
  public long storedBlocks() {
    return storedBlocks;
  }

  private List<Sequence> asked(final int depth) {
    final List<Sequence> deep =
        sequences.stream().filter(s -> depth == 512 ? s.depth == 512 : s.depth >= depth).toList();
    final int step = Math.max(1, deep.size() / QUERIES);
    final List<Sequence> asked = new ArrayList<>();
    for (int k = 0; k < QUERIES; k++) {
      asked.add(deep.get(k * step % deep.size()));
    }
    return asked;
  }

  /** The 1,024 queries that hit {@code depth} blocks of some sequence. */
  public long[][] queries(final int depth) {
    final List<Sequence> asked = asked(depth);
    final long[][] queries = new long[QUERIES][QUERY_LENGTH];
    for (int k = 0; k < QUERIES; k++) {
      for (int j = 0; j < QUERY_LENGTH; j++) {
        queries[k][j] =
            j < depth
                ? asked.get(k).local(j)
                : mix64(3L << 62 | (long) k << 20 | (long) depth << 9 | j);
      }
    }
    return queries;
  }

  /**
   * What the queries must find, from what was stored and by no index: a worker holds of a family's
   * shared blocks as many as the longest that it stored, and its own sequences whole.
   *
   * @return the sum of all scores, and of (worker + 1) times the score
   */
  public long[] expectedTotals(final int depth) {
    final long[] totals = new long[2];
    for (final Sequence sequence : asked(depth)) {
      final int owner = sequence.number % workers;
      for (int worker = 0; worker < workers; worker++) {
        final int shared = Math.min(held[worker][sequence.family], sequence.shared);
        final long score = worker == owner ? depth : Math.min(shared, depth);
        totals[0] += score;
        totals[1] += (worker + 1) * score;
      }
    }
    return totals;
  }

  /** Sum of all scores, and of (worker + 1) times the score, as an index finds them. */
  static long[] totals(final RadixIndex index, final long[][] queries) {
    final MatchScores scores = new MatchScores();
    final long[] totals = new long[2];
    for (final long[] query : queries) {
      index.find(query, 0, query.length, scores);
      for (int i = 0; i < scores.count(); i++) {
        totals[0] += scores.device(i);
        totals[1] += (scores.workerId(i) + 1) * scores.device(i);
      }
    }
    return totals;
  }

  /** Events of 16 fresh blocks below shared prefixes that are held, in their binary form. */
  public List<byte[]> freshStores(final int count, final List<byte[]> removals) {
    final List<byte[]> stores = new ArrayList<>();
    for (int e = 0; e < count; e++) {
      final Sequence base = sequences.get((int) ((long) e * sequences.size() / count));
      final int worker = base.number % workers;
      hash(base);
      final int from = base.shared;
      for (int i = from; i < from + EVENT_BLOCKS && from + EVENT_BLOCKS <= QUERY_LENGTH; i++) {
        locals[i] = mix64(5L << 60 | (long) e << 10 | i);
        chain[i] = SequenceHash.next(chain[i - 1], locals[i]);
      }
      stores.add(bytes(stored(worker, from, EVENT_BLOCKS)));
      final int length =
          KvEventEncoder.removed(buffer, 0, worker, 0, StorageTier.DEVICE, events, EVENT_BLOCKS);
      for (int i = 0; i < EVENT_BLOCKS; i++) {
        KvEventEncoder.putBlockHash(buffer, 0, i, chain[from + EVENT_BLOCKS - 1 - i]);
      }
      removals.add(bytes(length));
    }
    return stores;
  }

  private byte[] bytes(final int length) {
    final byte[] bytes = new byte[length];
    buffer.getBytes(0, bytes);
    return bytes;
  }
}
