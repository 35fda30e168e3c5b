package io.kvroute.tools.workload;

import io.kvroute.hash.BlockHasher;
import io.kvroute.hash.HashSeed;
import io.kvroute.hash.SequenceHash;
import io.kvroute.hash.TokenView;
import io.kvroute.hash.Xxh3;
import io.kvroute.tools.io.Fields;
import java.util.List;

/**
 * W1: XXH3-64 with seed 1337 over one buffer again and again, and whole prompts of 8,192 tokens.
 * The folds of the prompt's hashes are outputs; so is, for each length, the hash of the buffer.
 *
 * <p>Independent calls step through eight places of the buffer, and a dependent call's place comes
 * from the last result: a call whose arguments never change could be moved out of the loop.
 */
final class HashingWorkload implements Workload {
  private static final int[] LENGTHS = {16, 64, 128, 256, 4096};
  private static final int[] BLOCK_SIZES = {16, 32, 64};
  private static final int PROMPT_TOKENS = 8_192;
  private static final int BYTES_PER_ROUND = 1 << 25;
  private static final int MAX_CALLS = 400_000;
  private static final int PROMPTS_PER_ROUND = 200;
  private static final int PLACES = 8;

  private final int rounds;
  private final byte[] buffer = new byte[4096 + PLACES * 8];
  private final int[] tokens = new int[PROMPT_TOKENS];
  private final long[] local = new long[PROMPT_TOKENS];
  private final long[] chain = new long[PROMPT_TOKENS];
  private final Fields row = new Fields().put("workload", "W1");
  private final Timing timing = new Timing();

  HashingWorkload(final WorkloadSettings settings) {
    rounds = settings.roundsOr(7);
    for (int i = 0; i < buffer.length; i++) {
      buffer[i] = (byte) Numbers.mix64(i);
    }
    for (int j = 0; j < tokens.length; j++) {
      tokens[j] = Numbers.tok(j);
    }
  }

  @Override
  public List<Fields> run() {
    timing.rounds(rounds);
    for (final int length : LENGTHS) {
      measureXxh3(length);
    }
    for (final int blockSize : BLOCK_SIZES) {
      measurePrompts(blockSize);
    }
    timing.addTo(row);
    return List.of(row);
  }

  private void measureXxh3(final int length) {
    final int calls = Math.min(MAX_CALLS, BYTES_PER_ROUND / length);
    final RoundTimes throughput = new RoundTimes(calls);
    final RoundTimes latency = new RoundTimes(calls);
    final long expectedSum = independent(length, calls);
    final long expectedHash = dependent(length, calls);
    for (int round = -1; round < rounds; round++) {
      final long start = System.nanoTime();
      final long sum = independent(length, calls);
      final long middle = System.nanoTime();
      final long hash = dependent(length, calls);
      final long end = System.nanoTime();
      requireSame(expectedSum, sum);
      requireSame(expectedHash, hash);
      if (round >= 0) {
        throughput.add(middle - start);
        latency.add(end - middle);
      }
    }
    row.putHex("xxh3_" + length, Xxh3.hash(buffer, 0, length, HashSeed.BLOCK));
    timing.add("xxh3_" + length + "_throughput", throughput);
    timing.add("xxh3_" + length + "_latency", latency);
  }

  private long independent(final int length, final int calls) {
    long sum = 0;
    for (int i = 0; i < calls; i++) {
      sum += Xxh3.hash(buffer, (i & (PLACES - 1)) << 3, length, HashSeed.BLOCK);
    }
    return sum;
  }

  private long dependent(final int length, final int calls) {
    long hash = 0;
    for (int i = 0; i < calls; i++) {
      hash = Xxh3.hash(buffer, ((int) hash & (PLACES - 1)) << 3, length, HashSeed.BLOCK);
    }
    return hash;
  }

  private void measurePrompts(final int blockSize) {
    final BlockHasher hasher = BlockHasher.of(blockSize);
    final TokenView view = TokenView.of(tokens);
    final int blocks = PROMPT_TOKENS / blockSize;
    final long operations = (long) blocks * PROMPTS_PER_ROUND;
    final RoundTimes localTimes = new RoundTimes(operations);
    final RoundTimes chainTimes = new RoundTimes(operations);
    final RoundTimes bothTimes = new RoundTimes(operations);
    for (int round = -2; round < rounds; round++) {
      final long start = System.nanoTime();
      for (int i = 0; i < PROMPTS_PER_ROUND; i++) {
        hasher.localHashes(view, 0, blocks, local, 0);
      }
      final long localEnd = System.nanoTime();
      for (int i = 0; i < PROMPTS_PER_ROUND; i++) {
        SequenceHash.chain(local, 0, blocks, false, 0, chain, 0);
      }
      final long chainEnd = System.nanoTime();
      for (int i = 0; i < PROMPTS_PER_ROUND; i++) {
        hasher.hashes(view, 0, blocks, false, 0, local, 0, chain, 0);
      }
      final long end = System.nanoTime();
      if (round >= 0) {
        localTimes.add(localEnd - start);
        chainTimes.add(chainEnd - localEnd);
        bothTimes.add(end - chainEnd);
      }
    }
    row.putHex("local_fold_" + blockSize, fold(local, blocks));
    row.putHex("chain_fold_" + blockSize, fold(chain, blocks));
    timing.add("local_" + blockSize, localTimes);
    timing.add("chain_" + blockSize, chainTimes);
    timing.add("local_and_chain_" + blockSize, bothTimes);
  }

  private static long fold(final long[] hashes, final int count) {
    long checksum = 0;
    for (int i = 0; i < count; i++) {
      checksum = Numbers.fold(checksum, hashes[i]);
    }
    return checksum;
  }

  /** Uses what was measured, so that none of it is dead code. */
  private static void requireSame(final long expected, final long actual) {
    if (expected != actual) {
      throw new IllegalStateException(
          "two rounds disagree: expected=" + expected + " actual=" + actual);
    }
  }
}
