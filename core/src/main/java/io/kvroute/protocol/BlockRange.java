package io.kvroute.protocol;

/**
 * A half-open range of block positions.
 *
 * @param start first position, unsigned 32-bit
 * @param end one past the last position, unsigned 32-bit
 */
public record BlockRange(int start, int end) {
  @Override
  public String toString() {
    return Integer.toUnsignedString(start) + ".." + Integer.toUnsignedString(end);
  }
}
