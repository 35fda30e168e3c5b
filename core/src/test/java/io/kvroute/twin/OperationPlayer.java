package io.kvroute.twin;

import io.kvroute.twin.KvSubject.SinkMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Plays operations on one manager and answers what came of each as text. It knows the tokens of
 * each lease, as the caller of a manager does; it learns of success only from the manager's
 * answers.
 */
final class OperationPlayer {
  /** What an operation came to that the manager rejected with an exception. */
  static final String MISUSE = "misuse";

  private static final int[] NO_TOKENS = {};

  private final KvSubject subject;
  private final Slots<int[]> leaseTokens = new Slots<>(() -> NO_TOKENS);
  private final Slots<int[]> destinationTokens = new Slots<>(() -> NO_TOKENS);

  OperationPlayer(final KvSubject subject) {
    this.subject = subject;
  }

  /** The answer of the call, or {@link #MISUSE} if it was rejected. */
  String play(final Operation operation) {
    try {
      return String.valueOf(call(operation));
    } catch (final IllegalStateException | IllegalArgumentException e) {
      return MISUSE;
    }
  }

  private Object call(final Operation operation) {
    final int slot = operation.slot();
    final int[] tokens = operation.tokens();
    return switch (operation.kind()) {
      case ALLOCATE -> allocate(slot, tokens);
      case EXTEND -> extend(slot, tokens);
      case CACHE -> cache(slot, operation.number());
      case RESERVE -> subject.reserveDecodePages(slot, (int) operation.number());
      case DECODE -> decode(slot, operation.other(), tokens);
      case DECODE_ONE -> decodeOne(slot, tokens);
      case FINISH -> finish(slot, operation.number());
      case ABORT -> release(slot, true);
      case RETRACT -> release(slot, false);
      case RESERVE_DESTINATION -> reserveDestination(slot, tokens);
      case ACTIVATE_DESTINATION -> activate(slot, operation.other(), operation.number());
      case MATCH -> subject.match(tokens, tokens.length);
      case PEEK -> subject.prefixMatchLen(tokens, tokens.length);
      case LOCK -> subject.lock(slot, tokens, tokens.length);
      default -> {
        run(operation);
        yield "done";
      }
    };
  }

  /** The calls that answer nothing. */
  private void run(final Operation operation) {
    final int slot = operation.slot();
    final int[] tokens = operation.tokens();
    switch (operation.kind()) {
      case RELEASE -> subject.releaseDecodeReservation(slot);
      case CANCEL_DESTINATION -> subject.cancelDestination(slot);
      case EVICT -> subject.evict(operation.number());
      case UNLOCK -> subject.unlock(slot);
      case UNLOCK_UNLOCKED -> subject.unlockUnlocked(tokens, tokens.length);
      case SINK -> subject.sink(SinkMode.values()[slot]);
      default -> throw new AssertionError("not an operation: " + operation);
    }
  }

  private long allocate(final int lease, final int[] prompt) {
    final long prefix = subject.allocate(lease, prompt, prompt.length);
    if (prefix != KvSubject.REFUSED) {
      leaseTokens.set(lease, prompt);
    }
    return prefix;
  }

  private boolean extend(final int lease, final int[] more) {
    final int[] all = join(leaseTokens.get(lease), more);
    final boolean done = subject.extendAllocation(lease, all, all.length);
    if (done) {
      leaseTokens.set(lease, all);
    }
    return done;
  }

  private String cache(final int lease, final long missing) {
    final int[] part = without(leaseTokens.get(lease), missing);
    subject.extendCachedPrefix(lease, part, part.length);
    return "cached";
  }

  /** Number of tokens that found a place, and whether the next one was an error. */
  private String decode(final int lease, final int reservation, final int[] more) {
    int done = 0;
    try {
      while (done < more.length) {
        subject.extendDecode(lease, reservation);
        append(lease, more[done++]);
      }
      return done + " decoded";
    } catch (final IllegalStateException e) {
      return done == 0 ? MISUSE : done + " decoded, then " + MISUSE;
    }
  }

  private String decodeOne(final int lease, final int[] more) {
    final List<Long> indices = new ArrayList<>();
    for (final int token : more) {
      final long index = subject.allocateDecodeToken(lease);
      indices.add(index);
      if (index == KvSubject.REFUSED) {
        break;
      }
      append(lease, token);
    }
    return indices.toString();
  }

  private String finish(final int lease, final long missing) {
    final int[] part = without(leaseTokens.get(lease), missing);
    subject.finish(lease, part, part.length);
    leaseTokens.set(lease, NO_TOKENS);
    return "finished";
  }

  private boolean release(final int lease, final boolean abort) {
    final boolean madeRoom = abort ? subject.abort(lease) : subject.retract(lease);
    leaseTokens.set(lease, NO_TOKENS);
    return madeRoom;
  }

  private boolean reserveDestination(final int destination, final int[] prompt) {
    final boolean done = subject.reserveDestination(destination, prompt, prompt.length);
    if (done) {
      destinationTokens.set(destination, prompt);
    }
    return done;
  }

  private long activate(final int destination, final int lease, final long missing) {
    final int[] prompt = destinationTokens.get(destination);
    final int[] part = without(prompt, missing);
    final long prefix = subject.activateDestination(destination, lease, part, part.length);
    leaseTokens.set(lease, prompt);
    return prefix;
  }

  private void append(final int lease, final int token) {
    leaseTokens.set(lease, join(leaseTokens.get(lease), new int[] {token}));
  }

  private static int[] join(final int[] first, final int[] second) {
    final int[] all = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, all, first.length, second.length);
    return all;
  }

  /** All but the last {@code missing} tokens; as many zeros more if the number is negative. */
  private static int[] without(final int[] tokens, final long missing) {
    return Arrays.copyOf(tokens, (int) Math.max(0, tokens.length - missing));
  }
}
