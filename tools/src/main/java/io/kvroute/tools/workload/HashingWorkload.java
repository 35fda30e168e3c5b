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
  private final WarmUp warmUp;
  private final byte[] buffer = new byte[4096 + PLACES * 8];
  private final int[] tokens = new int[PROMPT_TOKENS];
  private final long[] local = new long[PROMPT_TOKENS];
  private final long[] chain = new long[PROMPT_TOKENS];
  private final Fields row = new Fields().put("workload", "W1");
  private final Timing timing = new Timing();

  HashingWorkload(final WorkloadSettings settings) {
    rounds = settings.roundsOr(7);
    warmUp = settings.warmUp().share(LENGTHS.length + BLOCK_SIZES.length);
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
    warmUp.run(() -> new Buffers(length).round());
    final Buffers buffers = new Buffers(length);
    for (int round = 0; round < rounds; round++) {
      buffers.round();
    }
    row.putHex("xxh3_" + length, Xxh3.hash(buffer, 0, length, HashSeed.BLOCK));
    timing.add("xxh3_" + length + "_throughput", buffers.throughput);
    timing.add("xxh3_" + length + "_latency", buffers.latency);
  }

  private void measurePrompts(final int blockSize) {
    warmUp.run(() -> new Prompts(blockSize).round());
    final Prompts prompts = new Prompts(blockSize);
    for (int round = 0; round < rounds; round++) {
      prompts.round();
    }
    row.putHex("local_fold_" + blockSize, fold(local, prompts.blocks));
    row.putHex("chain_fold_" + blockSize, fold(chain, prompts.blocks));
    timing.add("local_" + blockSize, prompts.localTimes);
    timing.add("chain_" + blockSize, prompts.chainTimes);
    timing.add("local_and_chain_" + blockSize, prompts.bothTimes);
  }

  private static long fold(final long[] hashes, final int count) {
    long checksum = 0;
    for (int i = 0; i < count; i++) {
      checksum = Numbers.fold(checksum, hashes[i]);
    }
    return checksum;
  }

  /** Rounds of XXH3 over one length. */
  private final class Buffers {
    private final int length;
    private final int calls;
    private final RoundTimes throughput;
    private final RoundTimes latency;
    private final long expectedSum;
    private final long expectedHash;

    private Buffers(final int length) {
      this.length = length;
      calls = Math.min(MAX_CALLS, BYTES_PER_ROUND / length);
      throughput = new RoundTimes(calls);
      latency = new RoundTimes(calls);
      expectedSum = independent();
      expectedHash = dependent();
    }

    private void round() {
      final long start = System.nanoTime();
      final long sum = independent();
      final long middle = System.nanoTime();
      final long hash = dependent();
      final long end = System.nanoTime();
      requireSame(expectedSum, sum);
      requireSame(expectedHash, hash);
      throughput.add(middle - start);
      latency.add(end - middle);
    }

    private long independent() {
      long sum = 0;
      for (int i = 0; i < calls; i++) {
        sum += Xxh3.hash(buffer, (i & (PLACES - 1)) << 3, length, HashSeed.BLOCK);
      }
      return sum;
    }

    private long dependent() {
      long hash = 0;
      for (int i = 0; i < calls; i++) {
        hash = Xxh3.hash(buffer, ((int) hash & (PLACES - 1)) << 3, length, HashSeed.BLOCK);
      }
      return hash;
    }

    /** Uses what was measured, so that none of it is dead code. */
    private static void requireSame(final long expected, final long actual) {
      if (expected != actual) {
        throw new IllegalStateException(
            "two rounds disagree: expected=" + expected + " actual=" + actual);
      }
    }
  }

  /** Rounds over whole prompts in blocks of one size. */
  private final class Prompts {
    private final BlockHasher hasher;
    private final TokenView view = TokenView.of(tokens);
    private final int blocks;
    private final RoundTimes localTimes;
    private final RoundTimes chainTimes;
    private final RoundTimes bothTimes;

    private Prompts(final int blockSize) {
      hasher = BlockHasher.of(blockSize);
      blocks = PROMPT_TOKENS / blockSize;
      final long operations = (long) blocks * PROMPTS_PER_ROUND;
      localTimes = new RoundTimes(operations);
      chainTimes = new RoundTimes(operations);
      bothTimes = new RoundTimes(operations);
    }

    private void round() {
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
      localTimes.add(localEnd - start);
      chainTimes.add(chainEnd - localEnd);
      bothTimes.add(end - chainEnd);
    }
  }
}
