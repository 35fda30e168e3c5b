package io.kvroute.tools.workload;

import io.kvroute.hash.SequenceHash;
import io.kvroute.index.IndexSnapshot;
import io.kvroute.index.MatchScores;
import io.kvroute.index.RadixIndex;
import io.kvroute.tools.io.Decimals;
import io.kvroute.tools.io.Fields;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * W5: an index filled by synthetic sequences, looked up at four hit depths, then given 2,000 events
 * of 16 fresh blocks, which are removed again. Each round builds an index of its own.
 *
 * <p>Fresh blocks are stored by worker e mod n for event e, below all that it holds of family (e /
 * n) mod 256, or of the next family of which it holds anything.
 */
final class SyntheticIndexWorkload implements Workload {
  private static final int[] HIT_DEPTHS = {0, 16, 128, 512};
  private static final int QUERIES = 1_024;
  private static final int QUERY_LENGTH = 512;
  private static final int BLOCKS_PER_EVENT = 16;
  private static final int FRESH_EVENTS = 2_000;
  private static final long EDGES_PER_FRESH_EVENT = 2;
  private static final int FIND_PASSES = 8;

  private final int workers;
  private final int blocks;
  private final int rounds;
  private final String snapshot;
  private final WarmUp warmUp;
  private final SyntheticSequences sequences = new SyntheticSequences();
  private final long[][] queries = new long[HIT_DEPTHS.length][];
  private final int[][] held;
  private final long[] local = new long[SyntheticSequences.MAX_DEPTH];
  private final long[] chain = new long[SyntheticSequences.MAX_DEPTH];
  private final MatchScores scores = new MatchScores();
  private long storedBlocks;
  private long events;

  SyntheticIndexWorkload(final WorkloadSettings settings) {
    workers = settings.workersOr(8);
    blocks = settings.blocks() == null ? 1_000_000 : settings.blocks().intValue();
    rounds = settings.roundsOr(3);
    snapshot = settings.snapshot();
    warmUp = settings.warmUp();
    held = new int[workers][SyntheticSequences.FAMILIES];
    drawSequences();
    for (int i = 0; i < HIT_DEPTHS.length; i++) {
      queries[i] = makeQueries(HIT_DEPTHS[i]);
    }
  }

  private void drawSequences() {
    while (storedBlocks < blocks) {
      final int sequence = sequences.draw();
      final int[] heldByWorker = held[sequence % workers];
      final int family = sequences.family(sequence);
      final int shared = sequences.sharedLength(sequence);
      final int first = Math.min(heldByWorker[family], shared);
      final int count = sequences.depth(sequence) - first;
      storedBlocks += count;
      events += (count + BLOCKS_PER_EVENT - 1) / BLOCKS_PER_EVENT;
      heldByWorker[family] = Math.max(heldByWorker[family], shared);
    }
  }

  private long[] makeQueries(final int hitDepth) {
    final int[] candidates = new int[sequences.count()];
    int count = 0;
    for (int i = 0; i < sequences.count(); i++) {
      if (sequences.depth(i) >= hitDepth) {
        candidates[count++] = i;
      }
    }
    final long[] made = new long[QUERIES * QUERY_LENGTH];
    final int step = Math.max(1, count / QUERIES);
    for (int k = 0; k < QUERIES && count > 0; k++) {
      final int at = k * QUERY_LENGTH;
      sequences.localHashes(candidates[k * step % count], hitDepth, made, at);
      for (int j = hitDepth; j < QUERY_LENGTH; j++) {
        made[at + j] = Numbers.mix64(3L << 62 | (long) k << 20 | (long) hitDepth << 9 | j);
      }
    }
    return made;
  }

  @Override
  public List<Fields> run() {
    warmUp.run(() -> new Rounds().round(null));
    final Rounds measured = new Rounds();
    for (int round = 0; round < rounds; round++) {
      measured.round(round + 1 == rounds ? snapshot : null);
    }
    final Fields row = new Fields().put("workload", "W5").put("workers", workers);
    row.put("blocks", blocks).put("stored_blocks", storedBlocks);
    row.put("events", events).put("sequences", sequences.count());
    measured.addTo(row);
    return List.of(row);
  }

  /** Rounds, each on an index of its own, and what they found. */
  private final class Rounds {
    private final RoundTimes build = new RoundTimes(storedBlocks);
    private final RoundTimes stores = new RoundTimes(FRESH_EVENTS);
    private final RoundTimes removals = new RoundTimes(FRESH_EVENTS);
    private final RoundTimes[] finds = new RoundTimes[HIT_DEPTHS.length];
    private final long[][] sums = new long[HIT_DEPTHS.length][];
    private long contentBytes;

    private Rounds() {
      Arrays.setAll(finds, i -> new RoundTimes((long) QUERIES * FIND_PASSES));
    }

    private void round(final String snapshotFile) {
      try (IndexSession session = new IndexSession(newIndex())) {
        build.add(build(session));
        contentBytes = session.index().usedBytes();
        if (snapshotFile != null) {
          IndexSnapshot.write(session.index(), Path.of(snapshotFile));
        }
        for (int i = 0; i < HIT_DEPTHS.length; i++) {
          sums[i] = find(session.index(), queries[i], finds[i], sums[i]);
        }
        storeAndRemove(session, stores, removals);
      }
    }

    private void addTo(final Fields row) {
      for (int i = 0; i < sums.length; i++) {
        row.put("h" + HIT_DEPTHS[i] + "_scores", sums[i][0]);
        row.put("h" + HIT_DEPTHS[i] + "_weighted_scores", sums[i][1]);
      }
      row.put("content_bytes", contentBytes);
      row.putDecimal("content_bytes_per_block", Decimals.ratio(contentBytes, storedBlocks, 1));
      final Timing timing = new Timing().rounds(rounds).add("build_block", build);
      for (int i = 0; i < HIT_DEPTHS.length; i++) {
        timing.add("find_" + HIT_DEPTHS[i], finds[i]);
      }
      timing.add("store16", stores).add("remove16", removals).addTo(row);
    }
  }

  private RadixIndex newIndex() {
    final long capacity = storedBlocks + (long) FRESH_EVENTS * BLOCKS_PER_EVENT;
    return RadixIndex.builder()
        .blockCapacity(capacity)
        .edgeCapacity(capacity / BLOCKS_PER_EVENT + EDGES_PER_FRESH_EVENT * FRESH_EVENTS)
        .rankCapacity(workers)
        .build();
  }

  private long build(final IndexSession session) {
    final int[][] heldSoFar = new int[workers][SyntheticSequences.FAMILIES];
    long nanos = 0;
    for (int i = 0; i < sequences.count(); i++) {
      final int worker = i % workers;
      final int family = sequences.family(i);
      final int depth = sequences.depth(i);
      final int shared = sequences.sharedLength(i);
      sequences.localHashes(i, depth, local, 0);
      SequenceHash.chain(local, 0, depth, false, 0, chain, 0);
      session.discardEvents();
      for (int at = Math.min(heldSoFar[worker][family], shared); at < depth; ) {
        final int count = Math.min(BLOCKS_PER_EVENT, depth - at);
        session.addStored(worker, at > 0, at > 0 ? chain[at - 1] : 0, local, chain, at, count);
        at += count;
      }
      nanos += session.applyEvents();
      heldSoFar[worker][family] = Math.max(heldSoFar[worker][family], shared);
    }
    return nanos;
  }

  /** Looks up all queries a few times; the sums of one pass, which must be those of every pass. */
  private long[] find(
      final RadixIndex index,
      final long[] hashes,
      final RoundTimes times,
      final long[] sumsBefore) {
    long[] expected = sumsBefore;
    final long start = System.nanoTime();
    for (int pass = 0; pass < FIND_PASSES; pass++) {
      final long sum = findAll(index, hashes, false);
      final long previous = expected == null ? sum : expected[0];
      if (sum != previous) {
        throw new IllegalStateException("two passes disagree: " + previous + " and " + sum);
      }
      expected = expected == null ? new long[] {sum, 0} : expected;
    }
    times.add(System.nanoTime() - start);
    expected[1] = findAll(index, hashes, true);
    return expected;
  }

  private long findAll(final RadixIndex index, final long[] hashes, final boolean weighted) {
    long sum = 0;
    for (int k = 0; k < QUERIES; k++) {
      index.find(hashes, k * QUERY_LENGTH, QUERY_LENGTH, scores);
      for (int i = 0; i < scores.count(); i++) {
        sum += scores.device(i) * (weighted ? scores.workerId(i) + 1 : 1);
      }
    }
    return sum;
  }

  private void storeAndRemove(
      final IndexSession session, final RoundTimes stores, final RoundTimes removals) {
    final long blocksBefore = session.index().blockCount();
    final long[] fresh = new long[FRESH_EVENTS * BLOCKS_PER_EVENT];
    session.discardEvents();
    for (int e = 0; e < FRESH_EVENTS; e++) {
      addFreshEvent(session, e, fresh);
    }
    stores.add(session.applyEvents());
    final long expected = blocksBefore + fresh.length;
    requireBlocks(session, expected);
    session.discardEvents();
    for (int e = FRESH_EVENTS - 1; e >= 0; e--) {
      session.addRemovedTailFirst(workerOf(e), fresh, e * BLOCKS_PER_EVENT, BLOCKS_PER_EVENT);
    }
    removals.add(session.applyEvents());
    requireBlocks(session, blocksBefore);
  }

  /** With fewer sequences than workers, the last workers hold nothing. */
  private int workerOf(final int event) {
    return event % Math.min(workers, sequences.count());
  }

  private void addFreshEvent(final IndexSession session, final int event, final long[] fresh) {
    final int worker = workerOf(event);
    int family = event / workers % SyntheticSequences.FAMILIES;
    while (held[worker][family] == 0) {
      family = (family + 1) % SyntheticSequences.FAMILIES;
    }
    final int prefix = held[worker][family];
    for (int j = 0; j < prefix; j++) {
      local[j] = SyntheticSequences.sharedHash(family, j);
    }
    SequenceHash.chain(local, 0, prefix, false, 0, chain, 0);
    final long parent = chain[prefix - 1];
    for (int j = 0; j < BLOCKS_PER_EVENT; j++) {
      local[j] = Numbers.mix64(1L << 62 | (long) event << 4 | j);
    }
    SequenceHash.chain(local, 0, BLOCKS_PER_EVENT, true, parent, chain, 0);
    System.arraycopy(chain, 0, fresh, event * BLOCKS_PER_EVENT, BLOCKS_PER_EVENT);
    session.addStored(worker, true, parent, local, chain, 0, BLOCKS_PER_EVENT);
  }

  private static void requireBlocks(final IndexSession session, final long expected) {
    if (session.index().blockCount() != expected) {
      throw new IllegalStateException(
          "the index holds another number of blocks: expected="
              + expected
              + " actual="
              + session.index().blockCount());
    }
  }
}
