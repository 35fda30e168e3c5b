package io.kvroute.twin;

import java.util.Arrays;
import java.util.Locale;

/**
 * One call on a manager, complete in itself, so that a list of them can be played again with some
 * left out. {@code slot} and {@code other} name leases, reservations and so on; {@code number} is a
 * count of pages or tokens; {@code tokens} are new tokens.
 */
final class Operation {
  private static final int[] NO_TOKENS = {};

  private final Kind kind;
  private final int slot;
  private final int other;
  private final long number;
  private final int[] tokens;

  private Operation(
      final Kind kind, final int slot, final int other, final long number, final int[] tokens) {
    this.kind = kind;
    this.slot = slot;
    this.other = other;
    this.number = number;
    this.tokens = tokens;
  }

  /** What is called. */
  enum Kind {
    /** Lease {@code slot} for the prompt {@code tokens}. */
    ALLOCATE,
    /** Lease {@code slot} grows by {@code tokens}. */
    EXTEND,
    /** Lease {@code slot} caches all but {@code number} of its tokens. */
    CACHE,
    /** Reservation {@code slot} of {@code number} pages. */
    RESERVE,
    /** Lease {@code slot} grows by {@code tokens}, one by one, in reservation {@code other}. */
    DECODE,
    /** Lease {@code slot} grows by {@code tokens}, one by one, in pages of its own. */
    DECODE_ONE,
    /** Reservation {@code slot} is given back. */
    RELEASE,
    /** Lease {@code slot} ends with all but {@code number} of its tokens. */
    FINISH,
    /** Lease {@code slot} ends without caching. */
    ABORT,
    /** Lease {@code slot} ends without caching, to be run again. */
    RETRACT,
    /** Destination {@code slot} for the prompt {@code tokens}. */
    RESERVE_DESTINATION,
    /** Destination {@code slot} becomes lease {@code other}, with {@code number} tokens too few. */
    ACTIVATE_DESTINATION,
    /** Destination {@code slot} is given up. */
    CANCEL_DESTINATION,
    /** {@code number} tokens are evicted. */
    EVICT,
    /** A match of {@code tokens} that counts as a use. */
    MATCH,
    /** A match of {@code tokens} that leaves no mark. */
    PEEK,
    /** Holder {@code slot} matches and locks {@code tokens}. */
    LOCK,
    /** Holder {@code slot} unlocks. */
    UNLOCK,
    /** A match of {@code tokens} that is unlocked without having been locked. */
    UNLOCK_UNLOCKED,
    /** The sink's mode becomes number {@code slot}. */
    SINK
  }

  static Operation of(final Kind kind, final int slot) {
    return new Operation(kind, slot, 0, 0, NO_TOKENS);
  }

  static Operation of(final Kind kind, final int slot, final int other, final long number) {
    return new Operation(kind, slot, other, number, NO_TOKENS);
  }

  static Operation of(final Kind kind, final int slot, final int other, final int[] tokens) {
    return new Operation(kind, slot, other, 0, tokens);
  }

  Kind kind() {
    return kind;
  }

  int slot() {
    return slot;
  }

  int other() {
    return other;
  }

  long number() {
    return number;
  }

  /** The new tokens; not a copy. */
  int[] tokens() {
    return tokens;
  }

  /** One line; equal neighbours among the tokens are written as {@code token*count}. */
  @Override
  public String toString() {
    final StringBuilder line = new StringBuilder();
    line.append(
        String.format(Locale.ROOT, "%s slot=%d other=%d number=%d", kind, slot, other, number));
    if (tokens.length > 0) {
      line.append(" tokens=");
      int start = 0;
      while (start < tokens.length) {
        int end = start;
        while (end < tokens.length && tokens[end] == tokens[start]) {
          end++;
        }
        line.append(start == 0 ? "" : ",").append(tokens[start]);
        line.append(end - start > 1 ? "*" + (end - start) : "");
        start = end;
      }
    }
    return line.toString();
  }

  /** Reads what {@link #toString()} writes. */
  static Operation parse(final String line) {
    final String[] fields = line.trim().split(" ", -1);
    return new Operation(
        Kind.valueOf(fields[0]),
        Integer.parseInt(value(fields[1])),
        Integer.parseInt(value(fields[2])),
        Long.parseLong(value(fields[3])),
        fields.length > 4 ? parseTokens(value(fields[4])) : NO_TOKENS);
  }

  private static String value(final String field) {
    return field.substring(field.indexOf('=') + 1);
  }

  private static int[] parseTokens(final String text) {
    int[] tokens = NO_TOKENS;
    for (final String run : text.split(",", -1)) {
      final String[] parts = run.split("\\*", -1);
      final int from = tokens.length;
      final int count = parts.length > 1 ? Integer.parseInt(parts[1]) : 1;
      tokens = Arrays.copyOf(tokens, from + count);
      Arrays.fill(tokens, from, tokens.length, Integer.parseInt(parts[0]));
    }
    return tokens;
  }
}
