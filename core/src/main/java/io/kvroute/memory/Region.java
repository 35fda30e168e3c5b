package io.kvroute.memory;

import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.UnsafeApi;

/**
 * A named piece of off-heap memory of one {@link Arena}, addressed by a {@code long} offset from
 * its start. It lies in one slab, or in several of 1 GiB each when it is larger; a value of 1, 2, 4
 * or 8 bytes at an offset aligned to its width never crosses a slab.
 *
 * <p>Checked mode (the default; switched off together with Agrona's checks by {@code
 * -Dagrona.disable.bounds.checks=true}) verifies every access and detects use after close. In fast
 * mode nothing is verified, so owners check their own state once per public call.
 *
 * <p>Not thread-safe: plain access, except where a method says otherwise. No method allocates.
 */
public final class Region {
  static final int SLAB_SHIFT = 30;
  static final long SLAB_LENGTH = 1L << SLAB_SHIFT;
  private static final long SLAB_MASK = SLAB_LENGTH - 1;

  /** True if accesses are verified. A constant, so that fast mode compiles to plain loads. */
  public static final boolean CHECKED = DirectBuffer.SHOULD_BOUNDS_CHECK;

  private final String name;
  private final long address;
  private final long[] slabAddresses;
  private final long length;
  private boolean closed;

  Region(final String name, final long[] slabAddresses, final long length) {
    this.name = name;
    this.address = slabAddresses[0];
    this.slabAddresses = slabAddresses.length == 1 ? null : slabAddresses;
    this.length = length;
  }

  /** What this memory is for, as given to the arena. */
  public String name() {
    return name;
  }

  /** Length in bytes. */
  public long length() {
    return length;
  }

  void markClosed() {
    closed = true;
  }

  boolean isClosed() {
    return closed;
  }

  long slabAddress(final int slab) {
    return slabAddresses == null ? address : slabAddresses[slab];
  }

  /**
   * The machine address of {@code offset}, good for {@code accessLength} bytes. For kernels that
   * work on raw memory; the caller keeps the arena alive.
   *
   * @throws IndexOutOfBoundsException in checked mode, if the range is not inside the region, or
   *     not inside one slab
   */
  public long addressOf(final long offset, final long accessLength) {
    if (CHECKED) {
      checkContiguous(offset, accessLength);
    }
    return rawAddress(offset);
  }

  /**
   * Fails in checked mode unless a range, which may cross slabs, is inside the region.
   *
   * @throws IndexOutOfBoundsException in checked mode, if it is not
   */
  public void checkRange(final long offset, final long count) {
    if (CHECKED) {
      check(offset, count);
    }
  }

  /** Bytes from {@code offset} to the end of its slab or of the region, whichever comes first. */
  public long contiguousLength(final long offset) {
    if (CHECKED) {
      check(offset, 0);
    }
    return Math.min(length - offset, SLAB_LENGTH - (offset & SLAB_MASK));
  }

  private long rawAddress(final long offset) {
    return slabAddresses == null ? address + offset : farAddress(offset);
  }

  private long farAddress(final long offset) {
    return slabAddresses[(int) (offset >>> SLAB_SHIFT)] + (offset & SLAB_MASK);
  }

  private void check(final long offset, final long accessLength) {
    if (closed || (offset | accessLength) < 0 || offset > length - accessLength) {
      throw failure(offset, accessLength);
    }
  }

  private void checkContiguous(final long offset, final long accessLength) {
    check(offset, accessLength);
    if (slabAddresses != null && (offset & SLAB_MASK) > SLAB_LENGTH - accessLength) {
      throw crossing(offset, accessLength);
    }
  }

  private IndexOutOfBoundsException crossing(final long offset, final long accessLength) {
    return new IndexOutOfBoundsException(
        "region access crosses a slab: name="
            + name
            + " offset="
            + offset
            + " accessLength="
            + accessLength
            + " slabLength="
            + SLAB_LENGTH);
  }

  private RuntimeException failure(final long offset, final long accessLength) {
    if (closed) {
      return new IllegalStateException("region used after close: name=" + name);
    }
    return new IndexOutOfBoundsException(
        "region access out of bounds: name="
            + name
            + " offset="
            + offset
            + " accessLength="
            + accessLength
            + " length="
            + length);
  }

  /** Reads a byte. */
  public byte getByte(final long offset) {
    return UnsafeApi.getByte(addressOf(offset, 1));
  }

  /** Writes a byte. */
  public void putByte(final long offset, final byte value) {
    UnsafeApi.putByte(addressOf(offset, 1), value);
  }

  /** Reads a native-order int. */
  public int getInt(final long offset) {
    return UnsafeApi.getInt(addressOf(offset, Integer.BYTES));
  }

  /** Writes a native-order int. */
  public void putInt(final long offset, final int value) {
    UnsafeApi.putInt(addressOf(offset, Integer.BYTES), value);
  }

  /** Reads a native-order long. */
  public long getLong(final long offset) {
    return UnsafeApi.getLong(addressOf(offset, Long.BYTES));
  }

  /** Writes a native-order long. */
  public void putLong(final long offset, final long value) {
    UnsafeApi.putLong(addressOf(offset, Long.BYTES), value);
  }

  /** Sets {@code count} bytes to {@code value}, across slabs if need be. */
  public void fill(final long offset, final long count, final byte value) {
    if (CHECKED) {
      check(offset, count);
    }
    long done = 0;
    while (done < count) {
      final long step = Math.min(count - done, contiguousLength(offset + done));
      UnsafeApi.setMemory(rawAddress(offset + done), step, value);
      done += step;
    }
  }

  /** Copies {@code count} bytes within this region; the two ranges may overlap. */
  public void move(final long fromOffset, final long toOffset, final long count) {
    copyTo(fromOffset, this, toOffset, count);
  }

  /**
   * Copies {@code count} bytes to another region, across slabs if need be. Ranges of one region may
   * overlap as long as neither crosses a slab.
   */
  public void copyTo(
      final long offset, final Region target, final long targetOffset, final long count) {
    if (CHECKED) {
      check(offset, count);
      target.check(targetOffset, count);
    }
    long done = 0;
    while (done < count) {
      final long step =
          Math.min(
              count - done,
              Math.min(
                  contiguousLength(offset + done), target.contiguousLength(targetOffset + done)));
      UnsafeApi.copyMemory(rawAddress(offset + done), target.rawAddress(targetOffset + done), step);
      done += step;
    }
  }

  /**
   * Copies {@code count} longs, in this machine's order, to little-endian longs in a buffer.
   *
   * @throws IndexOutOfBoundsException in checked mode, if either range is out of bounds
   */
  public void copyLongsTo(
      final long offset,
      final MutableDirectBuffer target,
      final int targetOffset,
      final int count) {
    if (CHECKED) {
      check(offset, (long) count << 3);
      target.boundsCheck(targetOffset, (int) Math.min((long) count << 3, Integer.MAX_VALUE));
    }
    if (ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN
        && contiguousLength(offset) >= (long) count << 3) {
      UnsafeApi.copyMemory(
          null,
          rawAddress(offset),
          target.byteArray(),
          target.addressOffset() + targetOffset,
          (long) count << 3);
    } else {
      copyLongsSingly(offset, target, targetOffset, count);
    }
  }

  private void copyLongsSingly(
      final long offset,
      final MutableDirectBuffer target,
      final int targetOffset,
      final int count) {
    for (int i = 0; i < count; i++) {
      target.putLong(
          targetOffset + (i << 3), getLong(offset + ((long) i << 3)), ByteOrder.LITTLE_ENDIAN);
    }
  }

  /**
   * Number of leading longs that are equal here and in another region (or elsewhere in this one),
   * at most {@code count}.
   *
   * @throws IndexOutOfBoundsException in checked mode, if a range is not inside one slab of its
   *     region
   */
  public int matchingLongs(
      final long offset, final Region other, final long otherOffset, final int count) {
    final long left = addressOf(offset, (long) count << 3);
    final long right = other.addressOf(otherOffset, (long) count << 3);
    int i = 0;
    for (; i + 4 <= count; i += 4) {
      final long at = (long) i << 3;
      final long difference =
          (UnsafeApi.getLong(left + at) ^ UnsafeApi.getLong(right + at))
              | (UnsafeApi.getLong(left + at + 8) ^ UnsafeApi.getLong(right + at + 8))
              | (UnsafeApi.getLong(left + at + 16) ^ UnsafeApi.getLong(right + at + 16))
              | (UnsafeApi.getLong(left + at + 24) ^ UnsafeApi.getLong(right + at + 24));
      if (difference != 0) {
        break;
      }
    }
    while (i < count
        && UnsafeApi.getLong(left + ((long) i << 3))
            == UnsafeApi.getLong(right + ((long) i << 3))) {
      i++;
    }
    return i;
  }

  @Override
  public String toString() {
    return "Region{name=" + name + ", length=" + length + ", closed=" + closed + '}';
  }
}
