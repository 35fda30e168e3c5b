package io.kvroute.protocol.json;

/**
 * A text is not the JSON of the type it was read as. The message says what is wrong and where:
 * line, column and path; both counts start at 1, and a column counts UTF-16 units.
 */
public final class ProtocolJsonException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What is wrong with a text. */
  public enum Kind {
    /** It is not JSON, ends early, has something after its value, or is not UTF-8. */
    SYNTAX,
    /** A field that has no default is not there. */
    MISSING_FIELD,
    /** A field is there twice. */
    DUPLICATE_FIELD,
    /** A field is there that the type does not have, where that is not allowed. */
    UNKNOWN_FIELD,
    /** A name stands for none of the variants. */
    UNKNOWN_VARIANT,
    /** A value has another type than its field. */
    TYPE,
    /** A number does not fit. */
    RANGE,
    /** A struct was sent as an array, or a unit variant as an object. */
    DISGUISE,
    /** Arrays and objects are nested too deeply. */
    NESTING
  }

  private final Kind kind;
  private final int line;
  private final int column;

  ProtocolJsonException(
      final Kind kind,
      final String message,
      final int line,
      final int column,
      final Throwable cause) {
    super(message, cause);
    this.kind = kind;
    this.line = line;
    this.column = column;
  }

  /** What is wrong. */
  public Kind kind() {
    return kind;
  }

  /** The line of the text, from 1 on. */
  public int line() {
    return line;
  }

  /** The column of the line in UTF-16 units, from 1 on. */
  public int column() {
    return column;
  }
}
