package io.kvroute.hash;

/**
 * A half-open range of token offsets that placeholders of a multimodal object cover.
 *
 * @param start first offset, unsigned 64-bit
 * @param end one past the last offset, unsigned 64-bit
 */
public record MmRange(long start, long end) {}
