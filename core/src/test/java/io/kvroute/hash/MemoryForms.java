package io.kvroute.hash;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.LinkedHashMap;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;

/** Puts the same bytes or tokens into every kind of memory, aligned and not. */
final class MemoryForms {
  static final int[] OFFSETS = {0, 1, 3, 8};

  private static final byte NOISE = (byte) 0xA5;

  private MemoryForms() {}

  static byte[] bytesOf(final int[] tokens) {
    final ByteBuffer buffer =
        ByteBuffer.allocate(tokens.length * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (final int token : tokens) {
      buffer.putInt(token);
    }
    return buffer.array();
  }

  static byte[] shifted(final byte[] bytes, final int offset) {
    final byte[] result = new byte[bytes.length + offset + 5];
    java.util.Arrays.fill(result, NOISE);
    System.arraycopy(bytes, 0, result, offset, bytes.length);
    return result;
  }

  static int[] shifted(final int[] tokens, final int index) {
    final int[] result = new int[tokens.length + index + 2];
    java.util.Arrays.fill(result, 0xA5A5A5A5);
    System.arraycopy(tokens, 0, result, index, tokens.length);
    return result;
  }

  /** A direct buffer whose content starts {@code offset} bytes after an address divisible by 64. */
  static ByteBuffer direct(final byte[] bytes, final int offset) {
    final byte[] content = shifted(bytes, offset);
    final ByteBuffer buffer = ByteBuffer.allocateDirect(content.length + 128).alignedSlice(64);
    return buffer.put(content).clear();
  }

  /** Hashes of the same bytes from every kind of memory, by a name that tells the kind. */
  static Map<String, Long> hashes(final byte[] bytes, final HashSeed seed) {
    final int length = bytes.length;
    final Map<String, Long> hashes = new LinkedHashMap<>();
    for (final int at : OFFSETS) {
      final byte[] array = shifted(bytes, at);
      final ByteBuffer heap = ByteBuffer.wrap(array);
      final ByteBuffer slice = ByteBuffer.wrap(shifted(bytes, at + 2)).position(2).slice();
      final ByteBuffer direct = direct(bytes, at);
      hashes.put("byte[] at " + at, Xxh3.hash(array, at, length, seed));
      hashes.put("heap buffer at " + at, Xxh3.hash(heap, at, length, seed));
      hashes.put("heap slice at " + at, Xxh3.hash(slice, at, length, seed));
      hashes.put("heap, read-only at " + at, Xxh3.hash(heap.asReadOnlyBuffer(), at, length, seed));
      hashes.put("direct buffer at " + at, Xxh3.hash(direct, at, length, seed));
      hashes.put(
          "direct, read-only at " + at, Xxh3.hash(direct.asReadOnlyBuffer(), at, length, seed));
      hashes.put(
          "UnsafeBuffer, heap at " + at, Xxh3.hash(new UnsafeBuffer(array), at, length, seed));
      hashes.put(
          "UnsafeBuffer, direct at " + at, Xxh3.hash(new UnsafeBuffer(direct), at, length, seed));
    }
    return hashes;
  }

  /** The same tokens in every kind of memory, by a name that tells the kind. */
  static Map<String, TokenView> views(final int[] tokens) {
    final int count = tokens.length;
    final byte[] bytes = bytesOf(tokens);
    final Map<String, TokenView> views = new LinkedHashMap<>();
    for (final int at : OFFSETS) {
      final byte[] array = shifted(bytes, at);
      final ByteBuffer heap = ByteBuffer.wrap(array);
      final ByteBuffer direct = direct(bytes, at);
      views.put("int[] at " + at, new TokenView().wrap(shifted(tokens, at), at, count));
      views.put("heap buffer at " + at, new TokenView().wrap(heap, at, count));
      views.put(
          "heap, read-only at " + at, new TokenView().wrap(heap.asReadOnlyBuffer(), at, count));
      views.put("direct buffer at " + at, new TokenView().wrap(direct, at, count));
      views.put(
          "direct, read-only at " + at, new TokenView().wrap(direct.asReadOnlyBuffer(), at, count));
      views.put(
          "UnsafeBuffer, heap at " + at, new TokenView().wrap(new UnsafeBuffer(array), at, count));
      // Wrapped over the byte buffer, which it keeps reachable while the view is in use.
      views.put(
          "UnsafeBuffer, direct at " + at,
          new PinnedView(new UnsafeBuffer(direct), at, count).view());
    }
    return views;
  }

  /** Keeps the memory under views over Agrona buffers alive; such a view alone does not. */
  private record PinnedView(UnsafeBuffer buffer, int offset, int count) {
    private static final java.util.List<PinnedView> PINNED = new java.util.ArrayList<>();

    TokenView view() {
      synchronized (PINNED) {
        PINNED.add(this);
      }
      return new TokenView().wrap(buffer, offset, count);
    }
  }
}
