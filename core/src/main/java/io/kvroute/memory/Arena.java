package io.kvroute.memory;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.agrona.BufferUtil;
import org.agrona.UnsafeApi;

/**
 * The only allocator: hands out zeroed {@link Region}s of off-heap memory within an explicit
 * capacity and takes them back, one by one or all at once.
 *
 * <p>Each region stands between two canaries of 64 bytes that are verified when it is freed. In
 * tracking mode every live region carries the stack of its allocation and every freed one the stack
 * of its release, and {@link #assertNothingLive()} names what was left behind.
 *
 * <p>Not thread-safe. Allocation happens at construction time of structures, never on a hot path.
 */
public final class Arena implements AutoCloseable {
  /** Alignment of the start of every region, in bytes. */
  public static final int ALIGNMENT = 64;

  /** The longest region, in bytes. */
  static final long MAX_LENGTH = 1L << 46;

  private static final int CANARY_LENGTH = ALIGNMENT;
  private static final int OVERHEAD = ALIGNMENT + 2 * CANARY_LENGTH;

  private final long capacity;
  private final boolean tracking;
  private final IdentityHashMap<Region, Allocation> live = new IdentityHashMap<>();
  private final IdentityHashMap<Region, Throwable> freed = new IdentityHashMap<>();
  private long usedBytes;
  private long peakBytes;
  private boolean closed;

  private record Allocation(List<ByteBuffer> slabs, Throwable site) {}

  private Arena(final long capacity, final boolean tracking) {
    RuntimeAccess.check();
    if (capacity < 0) {
      throw new IllegalArgumentException("capacity must not be negative: capacity=" + capacity);
    }
    this.capacity = capacity;
    this.tracking = tracking;
  }

  /**
   * Makes an arena.
   *
   * @param capacity the most bytes that may be live at once, not counting canaries and alignment
   */
  public static Arena ofCapacity(final long capacity) {
    return new Arena(capacity, false);
  }

  /** Makes an arena that remembers who allocated and who freed; for tests. */
  public static Arena tracking(final long capacity) {
    return new Arena(capacity, true);
  }

  /** The most bytes that may be live at once. */
  public long capacity() {
    return capacity;
  }

  /** Bytes in live regions, as asked for. */
  public long usedBytes() {
    return usedBytes;
  }

  /** The highest value that {@link #usedBytes()} had. */
  public long peakBytes() {
    return peakBytes;
  }

  /** Number of live regions. */
  public int liveCount() {
    return live.size();
  }

  /** True once closed. */
  public boolean isClosed() {
    return closed;
  }

  /**
   * Allocates zeroed memory.
   *
   * @param name what it is for; appears in errors
   * @param length in bytes, 0 or more
   * @throws CapacityExceededException if it does not fit; nothing is allocated then
   */
  public Region allocate(final String name, final long length) {
    if (closed) {
      throw new IllegalStateException("arena used after close: region=" + name);
    }
    if (length < 0) {
      throw new IllegalArgumentException(
          "length must not be negative: region=" + name + " length=" + length);
    }
    requireRoom(name, length);
    final int slabCount = slabCount(length);
    final ByteBuffer[] slabs = new ByteBuffer[slabCount];
    final long[] addresses = new long[slabCount];
    try {
      for (int i = 0; i < slabCount; i++) {
        addresses[i] = allocateSlab(slabs, i, slabLength(length, i));
      }
    } catch (final OutOfMemoryError error) {
      releaseSlabs(Arrays.asList(slabs));
      throw noMemory(name, length, error);
    }
    final Region region = new Region(name, addresses, length);
    live.put(
        region, new Allocation(List.of(slabs), tracking ? new Throwable("allocated here") : null));
    usedBytes += length;
    peakBytes = Math.max(peakBytes, usedBytes);
    return region;
  }

  /**
   * Fails unless {@code length} bytes fit. A structure of several regions asks for their sum before
   * it allocates the first one, so that a refusal leaves nothing behind.
   *
   * @param name what they are for; appears in errors
   * @throws CapacityExceededException if they do not fit
   */
  public void requireRoom(final String name, final long length) {
    if (length > capacity - usedBytes || length > MAX_LENGTH) {
      throw noRoom(name, length);
    }
  }

  private CapacityExceededException noRoom(final String name, final long length) {
    final String request = "region=" + name + " length=" + length;
    return new CapacityExceededException(
        length > capacity - usedBytes
            ? "arena is full: " + request + " usedBytes=" + usedBytes + " capacity=" + capacity
            : "region is too long: " + request + " limit=" + MAX_LENGTH);
  }

  private static int slabCount(final long length) {
    return (int) Math.max(1, (length + Region.SLAB_LENGTH - 1) >>> Region.SLAB_SHIFT);
  }

  private static CapacityExceededException noMemory(
      final String name, final long length, final OutOfMemoryError error) {
    final CapacityExceededException failure =
        new CapacityExceededException(
            "the JVM has no more direct memory: region="
                + name
                + " length="
                + length
                + " (raise -XX:MaxDirectMemorySize)");
    failure.initCause(error);
    return failure;
  }

  private static long slabLength(final long length, final int slab) {
    return Math.min(Region.SLAB_LENGTH, length - ((long) slab << Region.SLAB_SHIFT));
  }

  private static long allocateSlab(final ByteBuffer[] slabs, final int slab, final long length) {
    slabs[slab] = ByteBuffer.allocateDirect((int) (length + OVERHEAD));
    final long start = roundUp(BufferUtil.address(slabs[slab]) + CANARY_LENGTH);
    for (int i = 0; i < CANARY_LENGTH; i++) {
      putCanary(start - CANARY_LENGTH + i);
      putCanary(start + length + i);
    }
    return start;
  }

  private static void putCanary(final long address) {
    UnsafeApi.putByte(address, canary(address));
  }

  /** Neighbouring bytes differ, so that a stray fill is noticed whatever its value. */
  private static byte canary(final long address) {
    return (byte) (address * 0x35 ^ 0xC3);
  }

  private static long roundUp(final long value) {
    return (value + ALIGNMENT - 1) & -ALIGNMENT;
  }

  private static void releaseSlabs(final List<ByteBuffer> slabs) {
    for (final ByteBuffer slab : slabs) {
      if (slab != null) {
        BufferUtil.free(slab);
      }
    }
  }

  /**
   * Gives a region back.
   *
   * @throws IllegalStateException if it is not a live region of this arena, or if its canaries were
   *     overwritten
   */
  public void free(final Region region) {
    final Allocation allocation = live.remove(region);
    if (allocation == null) {
      final IllegalStateException failure =
          new IllegalStateException("not a live region of this arena: region=" + region);
      failure.initCause(freed.get(region));
      throw failure;
    }
    release(region, allocation);
  }

  private void release(final Region region, final Allocation allocation) {
    final boolean intact = canariesIntact(region);
    region.markClosed();
    usedBytes -= region.length();
    releaseSlabs(allocation.slabs());
    if (tracking) {
      freed.put(region, new Throwable("freed here"));
    }
    if (!intact) {
      final IllegalStateException failure =
          new IllegalStateException("memory beside a region was overwritten: region=" + region);
      failure.initCause(allocation.site());
      throw failure;
    }
  }

  private static boolean canariesIntact(final Region region) {
    final long length = region.length();
    boolean intact = true;
    for (int slab = 0; slab < slabCount(length); slab++) {
      final long start = region.slabAddress(slab);
      final long end = start + slabLength(length, slab);
      for (int i = 0; i < CANARY_LENGTH; i++) {
        intact &= isIntact(start - CANARY_LENGTH + i) && isIntact(end + i);
      }
    }
    return intact;
  }

  private static boolean isIntact(final long address) {
    return UnsafeApi.getByte(address) == canary(address);
  }

  /**
   * Verifies the canaries of all live regions.
   *
   * @throws IllegalStateException naming the first region whose surroundings were overwritten
   */
  public void verifyCanaries() {
    for (final Region region : live.keySet()) {
      if (!canariesIntact(region)) {
        throw new IllegalStateException("memory beside a region was overwritten: region=" + region);
      }
    }
  }

  /**
   * Fails if any region is live; in tracking mode the cause is the place of its allocation.
   *
   * @throws IllegalStateException naming a live region and their count
   */
  public void assertNothingLive() {
    if (!live.isEmpty()) {
      final Map.Entry<Region, Allocation> first = live.entrySet().iterator().next();
      final IllegalStateException failure =
          new IllegalStateException(
              "regions were not freed: count=" + live.size() + " first=" + first.getKey());
      failure.initCause(first.getValue().site());
      throw failure;
    }
  }

  /**
   * Frees every live region. Idempotent; later accesses fail in checked mode.
   *
   * @throws IllegalStateException if canaries were overwritten, naming one such region and carrying
   *     one suppressed exception for each other one; everything is freed nevertheless
   */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    IllegalStateException failure = null;
    for (final Map.Entry<Region, Allocation> entry : live.entrySet()) {
      try {
        release(entry.getKey(), entry.getValue());
      } catch (final IllegalStateException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    live.clear();
    if (failure != null) {
      throw failure;
    }
  }
}
