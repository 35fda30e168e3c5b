package io.kvroute.tools.io;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/** Opens what the user names, plain or gzip; which of the two is told by content, not by name. */
public final class InputFiles {

  /** The name that stands for standard input. */
  public static final String STANDARD_INPUT = "-";

  private static final int GZIP_FIRST_BYTE = 0x1f;
  private static final int GZIP_SECOND_BYTE = 0x8b;
  private static final int MAX_CAUSE = 160;

  /** Where the parser speaks of its own settings and of places that it does not show. */
  private static final Pattern PARSER_DETAIL =
      Pattern.compile(" \\(start marker at .*|, from `[^`]*`");

  private static final int BUFFER_BYTES = 1 << 16;

  private InputFiles() {}

  /**
   * Opens a file, or standard input for the name {@code -}.
   *
   * @param name path of the file, or {@code -}
   * @param standardInput what {@code -} stands for; it is not closed by this class
   * @throws InputException if there is no such file or it cannot be read
   */
  public static InputStream open(final String name, final InputStream standardInput) {
    try {
      return STANDARD_INPUT.equals(name) ? unzipped(standardInput) : openFile(name);
    } catch (final IOException e) {
      throw unreadable(name, e);
    }
  }

  /**
   * Opens a file.
   *
   * @throws InputException if there is no such file or it cannot be read
   */
  public static InputStream open(final String name) {
    try {
      return openFile(name);
    } catch (final IOException e) {
      throw unreadable(name, e);
    }
  }

  private static InputStream openFile(final String name) throws IOException {
    if (name.isEmpty()) {
      throw new InputException("the name of the file is empty");
    }
    final Path path;
    try {
      path = Path.of(name);
    } catch (final InvalidPathException e) {
      throw new InputException("not a file name: " + e.getReason(), e);
    }
    if (Files.isDirectory(path)) {
      throw new InputException(name + " is a directory, not a file");
    }
    final InputStream file = Files.newInputStream(path);
    try {
      return unzipped(file);
    } catch (final IOException e) {
      file.close();
      throw e;
    }
  }

  private static InputStream unzipped(final InputStream in) throws IOException {
    final PushbackInputStream peeked = new PushbackInputStream(in, 2);
    final byte[] magic = peeked.readNBytes(2);
    peeked.unread(magic);
    final boolean gzip =
        magic.length == 2
            && (magic[0] & 0xff) == GZIP_FIRST_BYTE
            && (magic[1] & 0xff) == GZIP_SECOND_BYTE;
    return gzip ? new GZIPInputStream(peeked, BUFFER_BYTES) : peeked;
  }

  /** One sentence for a file that cannot be read (any more). */
  public static InputException unreadable(final String name, final IOException cause) {
    if (cause instanceof NoSuchFileException) {
      return new InputException("no such file: " + name, cause);
    }
    if (cause instanceof AccessDeniedException) {
      return new InputException("no permission to read " + name, cause);
    }
    if (cause instanceof ZipException || cause instanceof EOFException) {
      return new InputException("the gzip data of " + name + " is cut short or damaged", cause);
    }
    if (cause instanceof JsonProcessingException bad) {
      return malformed(name, 1, bad);
    }
    return new InputException("cannot read " + name + ": " + cause.getMessage(), cause);
  }

  /** One sentence for bad JSON of which the first line is line {@code firstLine} of the source. */
  static InputException malformed(
      final String name, final long firstLine, final JsonProcessingException cause) {
    final JsonLocation at = cause.getLocation();
    final long line = at == null ? firstLine : firstLine + at.getLineNr() - 1;
    final int column = at == null ? 0 : at.getColumnNr();
    return new InputException(
        name + ": line " + line + ": bad JSON at column " + column + ": " + shortened(cause),
        cause);
  }

  private static String shortened(final JsonProcessingException cause) {
    final String message = cause.getOriginalMessage();
    final int lineEnd = message.indexOf('\n');
    final String line = lineEnd < 0 ? message : message.substring(0, lineEnd);
    final String first = PARSER_DETAIL.matcher(line).replaceAll("");
    return first.length() <= MAX_CAUSE ? first : first.substring(0, MAX_CAUSE) + "...";
  }
}
