package io.kvroute.load;

import io.kvroute.protocol.UnsignedDuration;
import java.util.Objects;

/**
 * What is to be known of a request when it is added to the {@link ActiveSequences}. Owned by the
 * caller and used again and again: {@link #reset} it, say which request and where to, and what its
 * prompt is. The hashes are read when the request is added, and not kept.
 *
 * <p>Not thread-safe; no method allocates.
 */
public final class Booking {
  private static final long[] NO_HASHES = {};
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  private String id;
  private long key;
  private long workerId;
  private int dpRank;
  private long[] hashes = NO_HASHES;
  private int index;
  private int count;
  private boolean hasPrompt;
  private boolean tracksPrefill;
  private long prefillTokens;
  private long expectedPrefillNs;
  private boolean hasExpectedOutputTokens;
  private int expectedOutputTokens;
  private String loraName;

  /** Makes one for request 0 on rank 0 of worker 0. */
  public Booking() {
    reset();
  }

  /** As new: no prompt, no prefill, prefill tokens tracked, nothing expected, no adapter. */
  public Booking reset() {
    id = null;
    key = 0;
    rank(0, 0);
    noPrompt();
    trackPrefillTokens(true);
    noPrefill();
    hasExpectedOutputTokens = false;
    expectedOutputTokens = 0;
    loraName = null;
    return this;
  }

  /** Calls the request by a key of the caller's; keys are unique among requests with a key. */
  public Booking request(final long value) {
    id = null;
    key = value;
    return this;
  }

  /** Calls the request by a text; that is unique among requests with a text. */
  public Booking request(final String value) {
    id = Objects.requireNonNull(value, "id");
    key = Requests.keyOf(value);
    return this;
  }

  /** The key that stands for a text in {@link RankLoad#anchorKey}. */
  public static long keyOf(final String id) {
    return Requests.keyOf(id);
  }

  /** Where the request was routed to: worker, unsigned, and data-parallel rank, unsigned. */
  public Booking rank(final long worker, final int rank) {
    workerId = worker;
    dpRank = rank;
    return this;
  }

  /**
   * The blocks of the prompt that are tracked, by their chain hashes: each names the block and all
   * before it. Numbers that nobody else has stand for blocks that are not shared.
   *
   * @throws IndexOutOfBoundsException if the range is not inside the array
   */
  public Booking prompt(final long[] chainHashes, final int from, final int blocks) {
    Objects.checkFromIndexSize(from, blocks, chainHashes.length);
    hashes = chainHashes;
    index = from;
    count = blocks;
    hasPrompt = true;
    return this;
  }

  /** No blocks are tracked. */
  public Booking noPrompt() {
    hashes = NO_HASHES;
    index = 0;
    count = 0;
    hasPrompt = false;
    return this;
  }

  /** Whether the prefill counts as load at all. */
  public Booking trackPrefillTokens(final boolean value) {
    tracksPrefill = value;
    return this;
  }

  /** Tokens that have to be prefilled, unsigned; nobody knows how long that takes. 0 is none. */
  public Booking prefill(final long tokens) {
    prefillTokens = tokens;
    expectedPrefillNs = Prefills.UNMODELLED;
    return this;
  }

  /**
   * Tokens that have to be prefilled, unsigned, and how long that should take.
   *
   * @throws IllegalArgumentException if the duration is negative
   */
  public Booking prefill(final long tokens, final long expectedNs) {
    if (expectedNs < 0) {
      throw new IllegalArgumentException("duration must not be negative: expectedNs=" + expectedNs);
    }
    prefillTokens = tokens;
    expectedPrefillNs = expectedNs;
    return this;
  }

  /** As with nanoseconds; a duration of more than 2^63-1 of them counts as that many. */
  public Booking prefill(final long tokens, final UnsignedDuration expected) {
    final long seconds = expected.seconds();
    final long limit = Long.MAX_VALUE / NANOS_PER_SECOND;
    return Long.compareUnsigned(seconds, limit) >= 0
        ? prefill(tokens, Long.MAX_VALUE)
        : prefill(tokens, seconds * NANOS_PER_SECOND + expected.nanos());
  }

  /** Nothing has to be prefilled. */
  public Booking noPrefill() {
    return prefill(0);
  }

  /** How many tokens of output are expected, unsigned 32-bit. */
  public Booking expectedOutputTokens(final int value) {
    hasExpectedOutputTokens = true;
    expectedOutputTokens = value;
    return this;
  }

  /** Name of the adapter, or null; other routers are told. */
  public Booking loraName(final String value) {
    loraName = value;
    return this;
  }

  String id() {
    return id;
  }

  long key() {
    return key;
  }

  long workerId() {
    return workerId;
  }

  int dpRank() {
    return dpRank;
  }

  long[] hashes() {
    return hashes;
  }

  int index() {
    return index;
  }

  int count() {
    return count;
  }

  boolean hasPrompt() {
    return hasPrompt;
  }

  boolean tracksPrefill() {
    return tracksPrefill;
  }

  long prefillTokens() {
    return prefillTokens;
  }

  long expectedPrefillNs() {
    return expectedPrefillNs;
  }

  boolean hasExpectedOutputTokens() {
    return hasExpectedOutputTokens;
  }

  int expectedOutputTokens() {
    return expectedOutputTokens;
  }

  String loraName() {
    return loraName;
  }
}
