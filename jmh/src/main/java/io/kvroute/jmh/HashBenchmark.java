package io.kvroute.jmh;

import io.kvroute.hash.BlockHasher;
import io.kvroute.hash.SequenceHash;
import io.kvroute.hash.TokenView;
import java.util.Random;
import net.openhft.hashing.LongHashFunction;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * Hashing a prompt of 8,192 tokens in an array: local hashes, the chain of sequence hashes, and
 * both in one pass. A result divided by the number of blocks is the time per block. The control is
 * the reference implementation.
 */
public class HashBenchmark extends BenchmarkBase {
  private static final int TOKENS = 8_192;

  /** Tokens per block. */
  @Param({"16", "32", "64", "128"})
  public int blockSize;

  private final LongHashFunction reference = LongHashFunction.xx3(1337);
  private int[] tokens;
  private TokenView prompt;
  private BlockHasher hasher;
  private int blocks;
  private long[] locals;
  private long[] chain;
  private long[] link;

  /** Makes the benchmark. */
  public HashBenchmark() {}

  /** Draws a prompt and compares all ways of hashing it. */
  @Setup
  public void setUp() {
    tokens = new Random(blockSize).ints(TOKENS).toArray();
    prompt = TokenView.of(tokens);
    hasher = BlockHasher.of(blockSize);
    blocks = (int) hasher.blockCount(TOKENS);
    locals = new long[blocks];
    chain = new long[blocks];
    link = new long[2];
    require("blocks", TOKENS / blockSize, blocks);
    local();
    final long last = locals[blocks - 1];
    require("local hash", controlLocal(), last);
    require("sequence hash", controlChain(), chain());
    require("sequence hash in one pass", controlFused(), fused());
    require("local hash in one pass", last, locals[blocks - 1]);
    require("sequence hash block by block", controlSingle(), single());
  }

  /** Local hashes. */
  @Benchmark
  public long local() {
    hasher.localHashes(prompt, 0, blocks, locals, 0);
    return locals[blocks - 1];
  }

  /** The chain of local hashes that are there. */
  @Benchmark
  public long chain() {
    SequenceHash.chain(locals, 0, blocks, false, 0, chain, 0);
    return chain[blocks - 1];
  }

  /** Local hashes and their chain in one pass. */
  @Benchmark
  public long fused() {
    hasher.hashes(prompt, 0, blocks, false, 0, locals, 0, chain, 0);
    return chain[blocks - 1];
  }

  /** One block after the other, each by a call of its own, as a decoding request hashes them. */
  @Benchmark
  public long single() {
    long parent = 0;
    for (int i = 0; i < blocks; i++) {
      hasher.hashes(prompt, i, 1, i > 0, parent, locals, i, chain, i);
      parent = chain[i];
    }
    return parent;
  }

  /** Control: local hashes by the reference implementation. */
  @Benchmark
  public long controlLocal() {
    for (int i = 0; i < blocks; i++) {
      locals[i] = reference.hashInts(tokens, i * blockSize, blockSize);
    }
    return locals[blocks - 1];
  }

  /** Control: the chain by the reference implementation. */
  @Benchmark
  public long controlChain() {
    chain[0] = locals[0];
    for (int i = 1; i < blocks; i++) {
      chain[i] = next(chain[i - 1], locals[i]);
    }
    return chain[blocks - 1];
  }

  private long next(final long parent, final long local) {
    link[0] = parent;
    link[1] = local;
    return reference.hashLongs(link);
  }

  /** Control: local hashes, then their chain, by the reference implementation. */
  @Benchmark
  public long controlFused() {
    controlLocal();
    return controlChain();
  }

  /** Control: one block after the other by the reference implementation. */
  @Benchmark
  public long controlSingle() {
    for (int i = 0; i < blocks; i++) {
      locals[i] = reference.hashInts(tokens, i * blockSize, blockSize);
      chain[i] = i == 0 ? locals[0] : next(chain[i - 1], locals[i]);
    }
    return chain[blocks - 1];
  }
}
