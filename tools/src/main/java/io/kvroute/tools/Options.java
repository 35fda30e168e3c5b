package io.kvroute.tools;

import io.kvroute.index.IndexSnapshot;
import io.kvroute.index.RadixIndex;
import io.kvroute.tools.io.InputException;
import io.kvroute.tools.sim.PolicyKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.stream.Collectors;
import picocli.CommandLine.TypeConversionException;

/** Checks that options have in common. */
final class Options {

  private Options() {}

  static void require(
      final String option, final String range, final boolean isInRange, final Object value) {
    if (!isInRange) {
      throw new InputException(option + " must be " + range + ": " + value);
    }
  }

  /** The policy of a label, for picocli. */
  static PolicyKind policy(final String label) {
    try {
      return PolicyKind.of(label);
    } catch (final IllegalArgumentException e) {
      throw unusable(
          "no such policy: '"
              + label
              + "'; there are "
              + Arrays.stream(PolicyKind.values())
                  .map(PolicyKind::label)
                  .collect(Collectors.joining(", ")),
          e);
    }
  }

  /** A decimal number, for picocli, whose own words name a class of Java. */
  static BigDecimal decimal(final String text) {
    try {
      return new BigDecimal(text);
    } catch (final NumberFormatException e) {
      throw unusable("'" + text + "' is not a number", e);
    }
  }

  /**
   * Fails if a file cannot be written: now, not after minutes of work. Leaves things as they are.
   */
  static void requireWritable(final String name) {
    try {
      final Path file = Path.of(name);
      final boolean isThere = Files.exists(file);
      Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND).close();
      if (!isThere) {
        Files.delete(file);
      }
    } catch (final InvalidPathException e) {
      throw new InputException("not a file name: " + e.getReason(), e);
    } catch (final IOException e) {
      throw unwritable(name, e);
    }
  }

  /** Writes a text to a file. */
  static void write(final String name, final String text) {
    try {
      Files.writeString(Path.of(name), text);
    } catch (final IOException e) {
      throw unwritable(name, e);
    }
  }

  /** Writes an index to a file. */
  static void writeSnapshot(final String name, final RadixIndex index) {
    try {
      IndexSnapshot.write(index, Path.of(name));
    } catch (final UncheckedIOException e) {
      throw unwritable(name, e.getCause());
    }
  }

  /** Why a file cannot be written. */
  static InputException unwritable(final String file, final IOException e) {
    final String why;
    if (e instanceof NoSuchFileException) {
      why = "no such directory";
    } else if (e instanceof AccessDeniedException) {
      why = "permission denied";
    } else if (e instanceof FileSystemException system && system.getReason() != null) {
      why = system.getReason();
    } else {
      why = e.getMessage();
    }
    return new InputException("cannot write " + file + ": " + why, e);
  }

  private static TypeConversionException unusable(final String sentence, final Exception cause) {
    final TypeConversionException unusable = new TypeConversionException(sentence);
    unusable.initCause(cause);
    return unusable;
  }
}
