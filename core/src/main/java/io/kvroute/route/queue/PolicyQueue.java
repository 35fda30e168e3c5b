package io.kvroute.route.queue;

import io.kvroute.protocol.QueueLimitKind;
import io.kvroute.protocol.QueueRejection;
import io.kvroute.protocol.UnsignedMath;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * Parked requests by class. Within a class the highest strict priority goes first, then the highest
 * score of the class's discipline, then the first to come. Only the head of a class is ever
 * considered. Between classes it is deficit round robin: a visit starts at the cursor; a class
 * whose head can be dispatched spends what it has, or earns its quantum and spends; if nobody can
 * pay, all those classes earn as many quanta as it takes until one can; a class that can pay for
 * its next head as well keeps the cursor. A blocked class keeps what it has and earns nothing; an
 * empty one loses it.
 *
 * <p>So a class with a quantum is served within a bounded number of turns whatever the others do.
 * Within a class a priority jump is a head start of that many seconds and no more, while a stream
 * of requests with a higher strict priority holds the others up for as long as it lasts.
 *
 * <p>Bounded by a number of requests, beside the classes' own caps. Not thread-safe. Parking and
 * taking allocate nothing after warm-up; a rejection allocates its answer.
 *
 * @param <R> requests
 */
public final class PolicyQueue<R extends QueuedRequest> {
  /** Tells whether a head can be dispatched now. */
  public interface HeadTest<R> {
    /**
     * Asked once per visited class.
     *
     * @param classIndex number of the class
     * @param head of the class
     */
    boolean isDispatchable(int classIndex, R head);
  }

  private final QueuePolicy policy;
  private final ClassQueue[] classes;
  private final int[] dispatchable;
  private final int capacity;
  private int pendingCount;
  private long pendingIslTokens;
  private long sequence;
  private int cursor;

  /**
   * Makes an empty queue.
   *
   * @param policy its classes
   * @param capacity the most requests that may be parked in all, at least 1
   */
  public PolicyQueue(final QueuePolicy policy, final int capacity) {
    if (capacity < 1) {
      throw new IllegalArgumentException("capacity must be positive: capacity=" + capacity);
    }
    this.policy = policy;
    this.capacity = capacity;
    classes = new ClassQueue[policy.classCount()];
    for (int i = 0; i < classes.length; i++) {
      classes[i] = new ClassQueue();
    }
    dispatchable = new int[classes.length];
  }

  /** Its classes. */
  public QueuePolicy policy() {
    return policy;
  }

  // ------ coming

  /**
   * Parks a request, unless a cap of its class, or the queue's own, has been reached before.
   *
   * @param request that is in no queue
   * @param classIndex number of its class
   * @param workers how many there are; the caps are per worker
   * @param islTokens input tokens, unsigned 64-bit
   * @param cachedTokens the most of them that a rank holds, unsigned 64-bit; counted up to {@code
   *     islTokens}
   * @param arrivalSecs when it came, in seconds from an origin; below 0 counts as 0
   * @param priorityJump in seconds; below 0 counts as 0
   * @param strictPriority unsigned 32-bit
   * @return null if it is parked, else why not
   * @throws IllegalStateException if it is parked already
   */
  public QueueRejection enqueue(
      final R request,
      final int classIndex,
      final long workers,
      final long islTokens,
      final long cachedTokens,
      final double arrivalSecs,
      final double priorityJump,
      final int strictPriority) {
    if (request.isParked()) {
      throw new IllegalStateException("request is parked already: sequence=" + request.sequence);
    }
    final QueueLimitKind reached = reachedLimit(classIndex, workers);
    if (reached != null) {
      return rejection(classIndex, reached, workers);
    }
    if (pendingCount == capacity) {
      return new QueueRejection(
          policy.classAt(classIndex).name(), QueueLimitKind.REQUESTS, pendingCount, capacity);
    }
    request.queue = this;
    request.classIndex = classIndex;
    request.strictPriority = strictPriority;
    request.score =
        policy
            .classAt(classIndex)
            .discipline()
            .score(notNegative(priorityJump), notNegative(arrivalSecs), islTokens, cachedTokens);
    request.sequence = sequence++;
    request.parkedIslTokens = islTokens;
    request.parkedCachedTokens = islTokens - UnsignedMath.subtract(islTokens, cachedTokens);
    classes[classIndex].add(request);
    pendingCount++;
    pendingIslTokens += islTokens;
    return null;
  }

  /** Not a number counts as 0, too. */
  private static double notNegative(final double value) {
    return value > 0 ? value : 0;
  }

  private QueueLimitKind reachedLimit(final int classIndex, final long workers) {
    final QueueClass limits = policy.classAt(classIndex);
    final ClassQueue held = classes[classIndex];
    if (isReached(held.size(), limits.requestLimit(), workers)) {
      return QueueLimitKind.REQUESTS;
    }
    if (isReached(held.islTokens(), limits.rawIslTokenLimit(), workers)) {
      return QueueLimitKind.RAW_ISL_TOKENS;
    }
    return isReached(held.cachedTokens(), limits.cachedTokenLimit(), workers)
        ? QueueLimitKind.CACHED_TOKENS
        : null;
  }

  private static boolean isReached(
      final long current, final OptionalLong perWorker, final long workers) {
    return perWorker.isPresent()
        && Long.compareUnsigned(current, UnsignedMath.multiply(perWorker.getAsLong(), workers))
            >= 0;
  }

  private QueueRejection rejection(
      final int classIndex, final QueueLimitKind kind, final long workers) {
    final QueueClass limits = policy.classAt(classIndex);
    final ClassQueue held = classes[classIndex];
    final long current =
        switch (kind) {
          case REQUESTS -> held.size();
          case RAW_ISL_TOKENS -> held.islTokens();
          case CACHED_TOKENS -> held.cachedTokens();
        };
    final OptionalLong perWorker =
        switch (kind) {
          case REQUESTS -> limits.requestLimit();
          case RAW_ISL_TOKENS -> limits.rawIslTokenLimit();
          case CACHED_TOKENS -> limits.cachedTokenLimit();
        };
    return new QueueRejection(
        limits.name(), kind, current, UnsignedMath.multiply(perWorker.getAsLong(), workers));
  }

  // ------ going

  /**
   * Takes out the request whose turn it is.
   *
   * @param test tells which heads can be dispatched
   * @return null if there is none that can
   */
  public R pop(final HeadTest<? super R> test) {
    int count = 0;
    for (int i = 0; i < classes.length; i++) {
      final int at = (cursor + i) % classes.length;
      final ClassQueue each = classes[at];
      if (each.size() == 0 || !test.isDispatchable(at, cast(each.head()))) {
        continue;
      }
      if (!each.affordsHead()) {
        each.earn(policy.classAt(at).quantum());
      }
      if (each.affordsHead()) {
        return take(at);
      }
      dispatchable[count++] = at;
    }
    return count == 0 ? null : take(earnUntilOnePays(count));
  }

  /** Lets classes earn as many quanta as it takes; the first that can pay then. */
  private int earnUntilOnePays(final int count) {
    long rounds = -1;
    for (int i = 0; i < count; i++) {
      final ClassQueue each = classes[dispatchable[i]];
      final long missing = each.headCost() - each.deficit();
      final long quantum = policy.classAt(dispatchable[i]).quantum();
      final long needed = 1 + Long.divideUnsigned(missing - 1, quantum);
      if (Long.compareUnsigned(needed, rounds) < 0) {
        rounds = needed;
      }
    }
    int first = -1;
    for (int i = count - 1; i >= 0; i--) {
      final int at = dispatchable[i];
      classes[at].earn(UnsignedMath.multiply(rounds, policy.classAt(at).quantum()));
      if (classes[at].affordsHead()) {
        first = at;
      }
    }
    return first;
  }

  private R take(final int at) {
    final ClassQueue from = classes[at];
    final R head = cast(from.takeHead());
    count(head);
    if (from.size() == 0 || !from.affordsHead()) {
      cursor = (at + 1) % classes.length;
    } else {
      cursor = at;
    }
    return head;
  }

  private void count(final R gone) {
    pendingCount--;
    pendingIslTokens -= gone.parkedIslTokens;
  }

  @SuppressWarnings("unchecked") // only requests of this type are added
  private R cast(final QueuedRequest request) {
    return (R) request;
  }

  /**
   * Takes a request out, wherever it stands; the order of the others does not change.
   *
   * @return false if it is not parked here
   */
  public boolean cancel(final R request) {
    if (request.queue != this) {
      return false;
    }
    classes[request.classIndex].remove(request);
    count(request);
    return true;
  }

  /** Takes all requests out, class by class, in no particular order within one. */
  public void clear(final Consumer<? super R> taken) {
    for (final ClassQueue each : classes) {
      while (each.size() > 0) {
        final R last = cast(each.at(each.size() - 1));
        each.remove(last);
        count(last);
        taken.accept(last);
      }
    }
  }

  // ------ figures

  /** Parked requests. */
  public int pendingCount() {
    return pendingCount;
  }

  /** Input tokens of all parked requests, cached or not, unsigned 64-bit. */
  public long pendingIslTokens() {
    return pendingIslTokens;
  }

  /** Parked requests of a class. */
  public int pendingCount(final int classIndex) {
    return classes[classIndex].size();
  }

  /** Input tokens of the parked requests of a class, unsigned 64-bit. */
  public long pendingIslTokens(final int classIndex) {
    return classes[classIndex].islTokens();
  }

  /** Cached tokens of the parked requests of a class, unsigned 64-bit. */
  public long pendingCachedTokens(final int classIndex) {
    return classes[classIndex].cachedTokens();
  }

  /** Tokens that a class has earned and not yet spent, unsigned 64-bit. */
  public long deficit(final int classIndex) {
    return classes[classIndex].deficit();
  }

  /** Number of the class that is visited next. */
  public int cursor() {
    return cursor;
  }
}
