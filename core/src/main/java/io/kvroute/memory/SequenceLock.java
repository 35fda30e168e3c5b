package io.kvroute.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Lets any number of threads read what one thread changes, without locks: a version that is odd
 * while a change is under way. A reader remembers the version, reads, and asks afterwards whether
 * the version is still the same; if not, what it read may be torn, and it reads again.
 *
 * <p>Everything that a reader can reach must be changed between {@link #beginChange} and {@link
 * #endChange}. What it cannot reach yet may be written before. What it can no longer reach may be
 * overwritten after: a reader that still looks at it began before the change and is told so.
 *
 * <p>A reader without luck may {@linkplain #ask ask} for a chance: the writer then waits before its
 * next change until nobody asks any more, but only for so long.
 *
 * <p>One thread at a time changes; any thread reads. Nothing allocates.
 */
public final class SequenceLock {
  private static final VarHandle CELLS = MethodHandles.arrayElementVarHandle(long[].class);

  /** How often the writer looks whether a reader still asks: some tens of microseconds. */
  private static final int PATIENCE = 2_000;

  // The two cells lie two cache lines away from each other and from anything else.
  private static final int VERSION = 16;
  private static final int ASKING = 32;

  private final long[] cells = new long[48];
  private boolean changing;
  private long ignored;

  /** Makes a lock under which nothing was changed yet. */
  public SequenceLock() {}

  /** Begins a change, unless one is under way already. */
  public void beginChange() {
    if (!changing) {
      begin();
    }
  }

  private void begin() {
    final long asking = (long) CELLS.getOpaque(cells, ASKING);
    if (asking != ignored) {
      giveWay(asking);
    }
    changing = true;
    CELLS.setOpaque(cells, VERSION, cells[VERSION] + 1);
    VarHandle.storeStoreFence();
  }

  /** Waits for those who ask; those who take too long are not waited for again. */
  private void giveWay(final long asking) {
    long left = asking;
    for (int i = 0; left != 0 && i < PATIENCE; i++) {
      Thread.onSpinWait();
      left = (long) CELLS.getOpaque(cells, ASKING);
    }
    ignored = left;
  }

  /** Ends the change under way, if there is one; who reads from now on sees all of it. */
  public void endChange() {
    if (changing) {
      changing = false;
      CELLS.setRelease(cells, VERSION, cells[VERSION] + 1);
    }
  }

  /** The version; odd while a change is under way, and reading is in vain then. */
  public long version() {
    return (long) CELLS.getAcquire(cells, VERSION);
  }

  /** True if nothing was changed since {@link #version()} returned {@code seen}, an even number. */
  public boolean isStill(final long seen) {
    VarHandle.acquireFence();
    return (long) CELLS.getOpaque(cells, VERSION) == seen;
  }

  /** Asks the writer to let readers read; {@link #thank} must follow. */
  public void ask() {
    CELLS.getAndAdd(cells, ASKING, 1L);
  }

  /** Takes back what {@link #ask} asked for. */
  public void thank() {
    CELLS.getAndAdd(cells, ASKING, -1L);
  }
}
