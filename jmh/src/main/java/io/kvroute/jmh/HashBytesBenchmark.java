package io.kvroute.jmh;

import io.kvroute.hash.HashSeed;
import io.kvroute.hash.Xxh3;
import java.nio.ByteBuffer;
import java.util.Random;
import net.openhft.hashing.LongHashFunction;
import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * XXH3-64 of one range of bytes. In the throughput form calls are independent of each other; in the
 * latency form the first bytes hold the result before. The control is the reference implementation.
 */
public class HashBytesBenchmark extends BenchmarkBase {
  /** Bytes hashed by one call. */
  @Param({"16", "64", "128", "256", "512", "4096"})
  public int length;

  private final LongHashFunction reference = LongHashFunction.xx3(1337);
  private byte[] bytes;
  private UnsafeBuffer heap;
  private UnsafeBuffer direct;

  /** Makes the benchmark. */
  public HashBytesBenchmark() {}

  /** Draws the bytes and compares all ways of hashing them. */
  @Setup
  public void setUp() {
    bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    heap = new UnsafeBuffer(bytes.clone());
    direct = new UnsafeBuffer(ByteBuffer.allocateDirect(length));
    direct.putBytes(0, bytes);
    require("hash of an array", controlArray(), array());
    require("hash of a direct buffer", controlArray(), directBuffer());
    require("hash of a direct buffer by the control", controlArray(), controlDirectBuffer());
    final long latency = latency();
    require("hash in the latency form", controlArray(), latency);
    heap.putBytes(0, bytes);
    require("hash in the latency form by the control", latency, controlLatency());
  }

  /** Throughput, from an array. */
  @Benchmark
  public long array() {
    return Xxh3.hash(bytes, 0, length, HashSeed.BLOCK);
  }

  /** Throughput, from a direct buffer. */
  @Benchmark
  public long directBuffer() {
    return Xxh3.hash(direct, 0, length, HashSeed.BLOCK);
  }

  /** Latency, from an array under a buffer. */
  @Benchmark
  public long latency() {
    final long hash = Xxh3.hash(heap, 0, length, HashSeed.BLOCK);
    heap.putLong(0, hash);
    return hash;
  }

  /** Control: throughput of the reference implementation, from an array. */
  @Benchmark
  public long controlArray() {
    return reference.hashBytes(bytes, 0, length);
  }

  /** Control: throughput of the reference implementation, from a direct buffer. */
  @Benchmark
  public long controlDirectBuffer() {
    return reference.hashMemory(direct.addressOffset(), length);
  }

  /** Control: latency of the reference implementation. */
  @Benchmark
  public long controlLatency() {
    final long hash = reference.hashBytes(heap.byteArray(), 0, length);
    heap.putLong(0, hash);
    return hash;
  }
}
