package io.kvroute.tools;

import io.kvroute.tools.io.Decimals;
import java.io.Console;
import java.io.PrintWriter;
import java.util.function.LongConsumer;

/** A line on a terminal that shows how far a run is; silent in a pipe. */
final class ProgressLine implements LongConsumer, AutoCloseable {
  private static final long INTERVAL_NANOS = 200_000_000;

  private final PrintWriter terminal;
  private final String unit;
  private long lastNanos = System.nanoTime();
  private int shown;

  /** Shows requests on {@code err} if this process has a terminal. */
  ProgressLine(final PrintWriter err) {
    this(err, "requests");
  }

  /** Shows so many of {@code unit} on {@code err} if this process has a terminal. */
  ProgressLine(final PrintWriter err, final String unit) {
    this(err, isTerminal(System.console()), unit);
  }

  ProgressLine(final PrintWriter err, final boolean visible, final String unit) {
    terminal = visible ? err : null;
    this.unit = unit;
  }

  /** From JDK 22 on there may be a console without a terminal; it can then be asked. */
  private static boolean isTerminal(final Console console) {
    if (console == null) {
      return false;
    }
    try {
      return (Boolean) Console.class.getMethod("isTerminal").invoke(console);
    } catch (final NoSuchMethodException e) {
      return true;
    } catch (final ReflectiveOperationException e) {
      return false;
    }
  }

  @Override
  public void accept(final long done) {
    if (terminal == null) {
      return;
    }
    final long now = System.nanoTime();
    if (now - lastNanos >= INTERVAL_NANOS) {
      lastNanos = now;
      final String text = Decimals.grouped(done) + ' ' + unit;
      terminal.print('\r' + text);
      terminal.flush();
      shown = Math.max(shown, text.length());
    }
  }

  /** Wipes the line. */
  @Override
  public void close() {
    if (shown > 0) {
      terminal.print('\r' + " ".repeat(shown) + '\r');
      terminal.flush();
    }
  }
}
