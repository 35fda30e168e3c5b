package io.kvroute.tools.io;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;

/**
 * A streaming JSON source whose every error is one sentence with the source's name and the line.
 * Numbers are taken from their digits, never through a double, so 64 bits stay exact.
 */
public final class JsonInput implements Closeable {
  private static final JsonFactory FACTORY =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private static final int MAX_WHOLE_DIGITS = 14;

  private final String source;
  private final JsonParser parser;
  private final long firstLine;

  private JsonInput(final String source, final JsonParser parser, final long firstLine) {
    this.source = source;
    this.parser = parser;
    this.firstLine = firstLine;
  }

  /** Reads a whole stream; lines are counted from 1. Closing this closes the stream. */
  public static JsonInput of(final String source, final InputStream in) {
    try {
      return new JsonInput(source, FACTORY.createParser(in), 1);
    } catch (final IOException e) {
      throw InputFiles.unreadable(source, e);
    }
  }

  /** Reads one line of a larger source; errors name {@code line}. */
  public static JsonInput ofLine(
      final String source, final byte[] bytes, final int length, final long line) {
    try {
      return new JsonInput(source, FACTORY.createParser(bytes, 0, length), line);
    } catch (final IOException e) {
      throw InputFiles.unreadable(source, e);
    }
  }

  /** Name of the source, as errors print it. */
  public String source() {
    return source;
  }

  /** Line of the current token. */
  public long line() {
    return firstLine + parser.currentTokenLocation().getLineNr() - 1;
  }

  /** Steps to the next token; null at the end. */
  public JsonToken next() {
    try {
      return parser.nextToken();
    } catch (final JsonProcessingException e) {
      throw malformed(e);
    } catch (final IOException e) {
      throw InputFiles.unreadable(source, e);
    }
  }

  /** The token stepped to last. */
  public JsonToken current() {
    return parser.currentToken();
  }

  /**
   * Steps to the next token, which must be {@code expected}; {@code what} names it in the error.
   */
  public void expectNext(final JsonToken expected, final String what) {
    if (next() != expected) {
      throw error(what + " expected");
    }
  }

  /** Fails unless the current token is {@code expected}; {@code what} names it in the error. */
  public void expect(final JsonToken expected, final String what) {
    if (current() != expected) {
      throw error(what + " expected");
    }
  }

  /** Fails if anything follows the value that was read. */
  public void expectEnd() {
    if (next() != null) {
      throw error("nothing more expected after the JSON value");
    }
  }

  /** Name of the current field. */
  public String fieldName() {
    try {
      return parser.currentName();
    } catch (final IOException e) {
      throw InputFiles.unreadable(source, e);
    }
  }

  /** Steps over the current value, whatever it is. */
  public void skipValue() {
    try {
      parser.skipChildren();
    } catch (final JsonProcessingException e) {
      throw malformed(e);
    } catch (final IOException e) {
      throw InputFiles.unreadable(source, e);
    }
  }

  /** Text of the current value, which must be a string. */
  public String text(final String field) {
    if (current() != JsonToken.VALUE_STRING) {
      throw error(field + " must be a string");
    }
    return scalarText();
  }

  /** The current value, which must be true or false. */
  public boolean flag(final String field) {
    if (current() != JsonToken.VALUE_TRUE && current() != JsonToken.VALUE_FALSE) {
      throw error(field + " must be true or false");
    }
    return current() == JsonToken.VALUE_TRUE;
  }

  /** The current value, which must be a whole number from 0 to {@code max} (signed order). */
  public long wholeNumber(final String field, final long max) {
    final long value = unsignedLong(field);
    if (value < 0 || value > max) {
      throw error(field + " must be from 0 to " + max + ": " + scalarText());
    }
    return value;
  }

  /**
   * The current value, a number of at least 0, times {@code scale} and without what is then behind
   * the point; never through a double.
   */
  public long scaledNumber(final String field, final int scale) {
    if (current() != JsonToken.VALUE_NUMBER_INT && current() != JsonToken.VALUE_NUMBER_FLOAT) {
      throw error(field + " must be a number");
    }
    final String digits = scalarText();
    final BigDecimal value = new BigDecimal(digits);
    final int magnitude = value.precision() - value.scale();
    if (value.signum() < 0 || (value.signum() > 0 && magnitude > MAX_WHOLE_DIGITS)) {
      throw error(field + " must be from 0 to 10^" + MAX_WHOLE_DIGITS + ": " + shortened(digits));
    }
    return magnitude < -MAX_WHOLE_DIGITS
        ? 0
        : value.multiply(BigDecimal.valueOf(scale)).longValue();
  }

  /** The current value, which must be a whole number of 64 bits without sign. */
  public long unsignedLong(final String field) {
    if (current() != JsonToken.VALUE_NUMBER_INT) {
      throw error(field + " must be a whole number");
    }
    return parseUnsigned(field);
  }

  /** As {@link #unsignedLong(String)}, but the digits may also come as a string. */
  public long unsignedLongOrText(final String field) {
    if (current() != JsonToken.VALUE_NUMBER_INT && current() != JsonToken.VALUE_STRING) {
      throw error(field + " must be a whole number");
    }
    return parseUnsigned(field);
  }

  private long parseUnsigned(final String field) {
    final String digits = scalarText();
    try {
      return Long.parseUnsignedLong(digits);
    } catch (final NumberFormatException e) {
      throw error(field + " must be a whole number from 0 to 2^64-1: " + shortened(digits));
    }
  }

  /** The current scalar as written, or the text of a string. */
  public String scalarText() {
    try {
      return parser.getText();
    } catch (final JsonProcessingException e) {
      throw malformed(e);
    } catch (final IOException e) {
      throw InputFiles.unreadable(source, e);
    }
  }

  /** An error about what was read, at the current line. */
  public InputException error(final String what) {
    return new InputException(source + ": line " + line() + ": " + what);
  }

  private InputException malformed(final JsonProcessingException e) {
    return InputFiles.malformed(source, firstLine, e);
  }

  private static String shortened(final String text) {
    return text.length() <= 160 ? text : text.substring(0, 160) + "...";
  }

  @Override
  public void close() {
    try {
      parser.close();
    } catch (final IOException e) {
      throw InputFiles.unreadable(source, e);
    }
  }
}
