package io.kvroute.route;

import io.kvroute.hash.BlockExtraInfo;
import io.kvroute.hash.TokenView;
import io.kvroute.protocol.QueueRejection;
import io.kvroute.protocol.UnsignedInts;
import io.kvroute.route.queue.QueuedRequest;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * A request for {@link KvRouter#route}, and what came of it. Owned by the caller and used again and
 * again: {@link #reset} it, say which request, what its prompt is and what it wishes. While it is
 * {@link RouteOutcome#PARKED} it is the router's. It grows to the longest prompt, and allocates
 * nothing after that.
 *
 * <p>Not thread-safe.
 */
public final class RouteRequest extends QueuedRequest {
  private static final int INITIAL_BLOCKS = 64;
  private static final int[] EMPTY = {};

  final TokenView tokens = new TokenView();
  final SelectionRequest wishes = new SelectionRequest();
  final OverlapSignals overlaps = new OverlapSignals();
  final Selection decision = new Selection();
  long[] localHashes = new long[INITIAL_BLOCKS];
  long[] sequenceHashes = new long[INITIAL_BLOCKS];
  long[] trackedHashes = new long[INITIAL_BLOCKS];
  int blocks;
  int trackedBlocks;
  RouteOutcome outcome = RouteOutcome.UNROUTED;
  QueueRejection rejection;
  KvSchedulerException failure;

  private boolean named;
  private long key;
  private String id;
  private List<BlockExtraInfo> blockMmInfos;
  private String loraName;
  private String policyClass;
  private double priorityJump;
  private int strictPriority;
  private int expectedOutputTokens;
  private boolean outputTokensExpected;
  private boolean queryOnly;
  private boolean mayWait = true;

  /** Makes one for an empty prompt, without a name and without any wish. */
  public RouteRequest() {}

  /**
   * As new, but for its memory.
   *
   * @throws IllegalStateException if it is waiting
   */
  public RouteRequest reset() {
    requireFree();
    tokens.wrap(EMPTY, 0, 0);
    wishes.clear();
    outcome = RouteOutcome.UNROUTED;
    rejection = null;
    failure = null;
    named = false;
    key = 0;
    id = null;
    blockMmInfos = null;
    loraName = null;
    policyClass = null;
    priorityJump = 0.0;
    strictPriority = 0;
    outputTokensExpected = false;
    queryOnly = false;
    mayWait = true;
    return this;
  }

  void requireFree() {
    if (isParked()) {
      throw new IllegalStateException("request is waiting: classIndex=" + classIndex());
    }
  }

  // ------ what is asked

  /** Calls the request by a key of the caller's, unique among active requests with a key. */
  public RouteRequest request(final long value) {
    named = true;
    key = value;
    id = null;
    return this;
  }

  /** Calls the request by a text, unique among active requests with a text. */
  public RouteRequest request(final String value) {
    named = true;
    key = 0;
    id = Objects.requireNonNull(value, "id");
    return this;
  }

  /**
   * Sets the prompt; read by {@link KvRouter#route}, and not kept.
   *
   * @throws IndexOutOfBoundsException if the range is not inside the array
   */
  public RouteRequest prompt(final int[] array, final int index, final int count) {
    tokens.wrap(array, index, count);
    return this;
  }

  /** Sets the prompt. */
  public RouteRequest prompt(final UnsignedInts prompt) {
    prompt.view(tokens);
    return this;
  }

  /** Where to put a prompt that lies in a buffer: {@link TokenView#wrap} it. */
  public TokenView prompt() {
    return tokens;
  }

  /** Sets what blocks contain besides tokens, null for a block without; null for no list. */
  public RouteRequest blockMmInfos(final List<BlockExtraInfo> value) {
    blockMmInfos = value;
    return this;
  }

  /** Sets the name of the adapter; null for none. */
  public RouteRequest loraName(final String value) {
    loraName = value;
    return this;
  }

  /** Sets the class or family of the queue; null for the default. */
  public RouteRequest policyClass(final String value) {
    policyClass = value;
    return this;
  }

  /** Sets the head start in the queue in seconds. */
  public RouteRequest priorityJump(final double value) {
    priorityJump = value;
    return this;
  }

  /** Sets the priority that no head start overcomes, unsigned 32-bit; higher goes first. */
  public RouteRequest strictPriority(final int value) {
    strictPriority = value;
    return this;
  }

  /** Sets how many tokens of output are expected, unsigned 32-bit. */
  public RouteRequest expectedOutputTokens(final int value) {
    expectedOutputTokens = value;
    outputTokensExpected = true;
    return this;
  }

  /** Sets whether it is only asked where the request would go: nothing is booked then. */
  public RouteRequest queryOnly(final boolean value) {
    queryOnly = value;
    return this;
  }

  /** Sets whether it may wait in the queue; if not, it is rejected where it would have to. */
  public RouteRequest mayWait(final boolean value) {
    mayWait = value;
    return this;
  }

  /** Which workers and taints it wants, and what it wants otherwise than the configuration. */
  public SelectionRequest wishes() {
    return wishes;
  }

  /** What the caller calls it; 0 if it has no key. */
  public long key() {
    return key;
  }

  /** What the caller calls it; null if that is not a text. */
  public String id() {
    return id;
  }

  // ------ what came of it

  /** What came of it. */
  public RouteOutcome outcome() {
    return outcome;
  }

  /** The rank that was selected, and what is cached there. */
  public Selection decision() {
    return decision;
  }

  /** Why it was not let into the queue; null unless {@link RouteOutcome#REJECTED}. */
  public QueueRejection rejection() {
    return rejection;
  }

  /** Why it can go nowhere; null unless {@link RouteOutcome#FAILED}. */
  public KvSchedulerError error() {
    return outcome == RouteOutcome.FAILED ? decision.error() : null;
  }

  /** The same to be thrown, with a message; null unless {@link RouteOutcome#FAILED}. Allocates. */
  public KvSchedulerException failure() {
    if (outcome != RouteOutcome.FAILED) {
      return null;
    }
    return failure != null
        ? failure
        : new KvSchedulerException(decision.error(), decision.workerId());
  }

  /** Local hashes of the prompt's blocks, as far as {@link #blocks()}; valid until the next use. */
  public long[] localHashes() {
    return localHashes;
  }

  /** Whole blocks of the prompt, as {@link KvRouter#route} hashed them. */
  public int blocks() {
    return blocks;
  }

  // ------ for the router

  void makeRoom(final int count) {
    if (localHashes.length < count) {
      final int length = Math.max(count, 2 * localHashes.length);
      localHashes = Arrays.copyOf(localHashes, length);
      sequenceHashes = Arrays.copyOf(sequenceHashes, length);
      trackedHashes = Arrays.copyOf(trackedHashes, length);
    }
  }

  boolean isNamed() {
    return named;
  }

  List<BlockExtraInfo> blockMmInfos() {
    return blockMmInfos;
  }

  String loraName() {
    return loraName;
  }

  String policyClass() {
    return policyClass;
  }

  double priorityJump() {
    return priorityJump;
  }

  int strictPriority() {
    return strictPriority;
  }

  boolean expectsOutputTokens() {
    return outputTokensExpected;
  }

  int expectedOutputTokens() {
    return expectedOutputTokens;
  }

  boolean isQueryOnly() {
    return queryOnly;
  }

  boolean mayWait() {
    return mayWait;
  }
}
