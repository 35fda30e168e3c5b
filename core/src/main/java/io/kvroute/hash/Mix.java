package io.kvroute.hash;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.ByteOrder;
import org.agrona.UnsafeApi;

/**
 * The arithmetic that all forms of XXH3 share: little-endian reads of memory named by a base object
 * and an address, the 128-bit product folded to 64 bits, and the two closing mixes.
 *
 * <p>All methods are static, tiny and allocate nothing; they exist to be inlined.
 */
final class Mix {
  static final long PRIME32_1 = 0x9E3779B1L;
  static final long PRIME32_2 = 0x85EBCA77L;
  static final long PRIME32_3 = 0xC2B2AE3DL;
  static final long PRIME64_1 = 0x9E3779B185EBCA87L;
  static final long PRIME64_2 = 0xC2B2AE3D27D4EB4FL;
  static final long PRIME64_3 = 0x165667B19E3779F9L;
  static final long PRIME64_4 = 0x85EBCA77C2B2AE63L;
  static final long PRIME64_5 = 0x27D4EB2F165667C5L;
  static final long PRIME_MX1 = 0x165667919E3779F9L;
  static final long PRIME_MX2 = 0x9FB21C651E98DF25L;

  /** True on a little-endian machine; the compiler drops the other branch. */
  static final boolean LITTLE = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

  /**
   * Upper half of an unsigned product. {@code Math.unsignedMultiplyHigh} is a single instruction
   * but exists only from JDK 18 on, and this code also runs on 17; a constant handle costs nothing
   * once compiled.
   */
  private static final MethodHandle MULTIPLY_HIGH = unsignedMultiplyHigh();

  private Mix() {}

  private static MethodHandle unsignedMultiplyHigh() {
    final MethodHandles.Lookup lookup = MethodHandles.lookup();
    final MethodType type = MethodType.methodType(long.class, long.class, long.class);
    try {
      return lookup.findStatic(Math.class, "unsignedMultiplyHigh", type);
    } catch (final ReflectiveOperationException absent) {
      try {
        return lookup.findStatic(Mix.class, "correctedMultiplyHigh", type);
      } catch (final ReflectiveOperationException impossible) {
        throw new LinkageError("no way to multiply to 128 bits", impossible);
      }
    }
  }

  /** The signed upper half, plus each factor where the other one's top bit is set. */
  static long correctedMultiplyHigh(final long a, final long b) {
    return Math.multiplyHigh(a, b) + ((a >> 63) & b) + ((b >> 63) & a);
  }

  /** Exclusive or of the two halves of the unsigned 128-bit product. */
  static long fold(final long a, final long b) {
    return (a * b) ^ multiplyHigh(a, b);
  }

  private static long multiplyHigh(final long a, final long b) {
    try {
      return (long) MULTIPLY_HIGH.invokeExact(a, b);
    } catch (final Throwable impossible) {
      throw new LinkageError("multiplication failed", impossible);
    }
  }

  /** What the sums over an input of {@code length} bytes start with. */
  static long start(final long length) {
    return length * PRIME64_1;
  }

  /** Eight bytes as a little-endian number, at any alignment. */
  static long read64(final Object base, final long at) {
    final long value = UnsafeApi.getLongUnaligned(base, at);
    return LITTLE ? value : Long.reverseBytes(value);
  }

  /** Four bytes as a little-endian unsigned number, at any alignment. */
  static long read32(final Object base, final long at) {
    final int value = UnsafeApi.getIntUnaligned(base, at);
    return (LITTLE ? value : Integer.reverseBytes(value)) & 0xFFFFFFFFL;
  }

  /** One unsigned byte. */
  static long read8(final Object base, final long at) {
    return UnsafeApi.getByte(base, at) & 0xFFL;
  }

  /** Folds 16 bytes with two words of the secret. */
  static long mix16(final Object base, final long at, final long key0, final long key1) {
    return fold(read64(base, at) ^ key0, read64(base, at + 8) ^ key1);
  }

  /** The closing mix of XXH3. */
  static long avalanche(final long hash) {
    final long mixed = (hash ^ (hash >>> 37)) * PRIME_MX1;
    return mixed ^ (mixed >>> 32);
  }

  /** The closing mix of XXH64, which XXH3 uses below four bytes. */
  static long avalanche64(final long hash) {
    long mixed = (hash ^ (hash >>> 33)) * PRIME64_2;
    mixed = (mixed ^ (mixed >>> 29)) * PRIME64_3;
    return mixed ^ (mixed >>> 32);
  }
}
