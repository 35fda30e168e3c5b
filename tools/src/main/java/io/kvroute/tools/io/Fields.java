package io.kvroute.tools.io;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Named results in a fixed order: written as one JSON object on one line, or compared with an
 * expected one. Numbers are kept as their digits.
 */
public final class Fields {
  private static final JsonFactory FACTORY = new JsonFactory();

  private final Map<String, Object> values = new LinkedHashMap<>();

  private record Digits(String text) {
    @Override
    public String toString() {
      return text;
    }
  }

  /** Makes an empty object. */
  public Fields() {}

  /** Adds a whole number. */
  public Fields put(final String name, final long value) {
    return add(name, new Digits(Long.toString(value)));
  }

  /** Adds a decimal that {@link Decimals} wrote. */
  public Fields putDecimal(final String name, final String digits) {
    return add(name, new Digits(digits));
  }

  /** Adds a text. */
  public Fields put(final String name, final String value) {
    return add(name, value);
  }

  /** Adds 64 bits as a text of 16 hexadecimal digits. */
  public Fields putHex(final String name, final long value) {
    return add(name, Decimals.hex(value));
  }

  /** Adds 64-bit numbers without sign, each as a decimal text. */
  public Fields putUnsignedTexts(final String name, final long[] numbers) {
    final List<Object> texts = new ArrayList<>(numbers.length);
    for (final long number : numbers) {
      texts.add(Long.toUnsignedString(number));
    }
    return add(name, texts);
  }

  /** Adds true or false. */
  public Fields put(final String name, final boolean value) {
    return add(name, value);
  }

  /** Adds an absent value. */
  public Fields putNull(final String name) {
    return add(name, null);
  }

  /** Adds an object. */
  public Fields put(final String name, final Fields value) {
    return add(name, value);
  }

  /** Adds a list of objects. */
  public Fields put(final String name, final List<Fields> value) {
    return add(name, List.copyOf(value));
  }

  private Fields add(final String name, final Object value) {
    values.put(name, value);
    return this;
  }

  /** The value's text as JSON has it without quotes, or null if there is no such scalar. */
  public String scalar(final String name) {
    final Object value = values.get(name);
    return value == null || value instanceof Fields || value instanceof List
        ? null
        : value.toString();
  }

  /** The object as JSON, without a line end. */
  public String toJson() {
    final StringWriter text = new StringWriter();
    try (JsonGenerator json = FACTORY.createGenerator(text)) {
      write(json, this);
    } catch (final IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  private static void write(final JsonGenerator json, final Object value) throws IOException {
    if (value instanceof Fields fields) {
      json.writeStartObject();
      for (final Map.Entry<String, Object> entry : fields.values.entrySet()) {
        json.writeFieldName(entry.getKey());
        write(json, entry.getValue());
      }
      json.writeEndObject();
    } else if (value instanceof List<?> list) {
      json.writeStartArray();
      for (final Object element : list) {
        write(json, element);
      }
      json.writeEndArray();
    } else if (value instanceof Digits digits) {
      json.writeNumber(digits.text());
    } else if (value instanceof Boolean flag) {
      json.writeBoolean(flag);
    } else if (value == null) {
      json.writeNull();
    } else {
      json.writeString(value.toString());
    }
  }

  /** The object as aligned lines of text, nested names joined by a point. */
  public String toText() {
    final List<String[]> rows = new ArrayList<>();
    collect("", this, rows);
    int width = 0;
    for (final String[] row : rows) {
      width = Math.max(width, row[0].length());
    }
    final StringBuilder text = new StringBuilder();
    for (final String[] row : rows) {
      text.append(row[0]).append(" ".repeat(width - row[0].length() + 2)).append(row[1]);
      text.append('\n');
    }
    return text.toString();
  }

  private static void collect(final String prefix, final Object value, final List<String[]> rows) {
    if (value instanceof Fields fields) {
      for (final Map.Entry<String, Object> entry : fields.values.entrySet()) {
        final String name = prefix.isEmpty() ? entry.getKey() : prefix + '.' + entry.getKey();
        collect(name, entry.getValue(), rows);
      }
    } else if (value instanceof List<?> list) {
      for (int i = 0; i < list.size(); i++) {
        collect(prefix + '.' + i, list.get(i), rows);
      }
    } else {
      rows.add(new String[] {prefix, String.valueOf(value)});
    }
  }

  /**
   * Compares with what is expected: only its names count, at every depth.
   *
   * @return null if all agree, else a clause that names the first that does not
   */
  public String difference(final Fields expected) {
    return difference("", expected, this);
  }

  private static String difference(final String path, final Object expected, final Object actual) {
    if (expected instanceof Fields fields && actual instanceof Fields actualFields) {
      return objectDifference(path, fields, actualFields);
    }
    if (expected instanceof List<?> list && actual instanceof List<?> actualList) {
      return listDifference(path, list, actualList);
    }
    final boolean same;
    if (expected instanceof Digits digits && actual instanceof Digits actualDigits) {
      same = new BigDecimal(digits.text()).compareTo(new BigDecimal(actualDigits.text())) == 0;
    } else {
      same = expected == null ? actual == null : expected.equals(actual);
    }
    return same
        ? null
        : "key=" + path + " expected=" + printed(expected) + " actual=" + printed(actual);
  }

  private static String objectDifference(
      final String path, final Fields expected, final Fields actual) {
    for (final Map.Entry<String, Object> entry : expected.values.entrySet()) {
      final String name = path.isEmpty() ? entry.getKey() : path + '.' + entry.getKey();
      if (!actual.values.containsKey(entry.getKey())) {
        return "key="
            + name
            + " expected="
            + printed(entry.getValue())
            + " but it is not in the output";
      }
      final String found = difference(name, entry.getValue(), actual.values.get(entry.getKey()));
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private static String listDifference(
      final String path, final List<?> expected, final List<?> actual) {
    if (expected.size() != actual.size()) {
      return "key=" + path + " expected size=" + expected.size() + " actual size=" + actual.size();
    }
    for (int i = 0; i < expected.size(); i++) {
      final String found = difference(path + '.' + i, expected.get(i), actual.get(i));
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private static String printed(final Object value) {
    return value instanceof Fields fields ? fields.toJson() : String.valueOf(value);
  }

  /** Reads one JSON object; the current token of {@code in} must be its start. */
  public static Fields read(final JsonInput in) {
    in.expect(JsonToken.START_OBJECT, "a JSON object");
    final Fields fields = new Fields();
    while (in.next() == JsonToken.FIELD_NAME) {
      final String name = in.fieldName();
      in.next();
      fields.add(name, readValue(in));
    }
    return fields;
  }

  private static Object readValue(final JsonInput in) {
    return switch (in.current()) {
      case START_OBJECT -> read(in);
      case START_ARRAY -> readList(in);
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new Digits(in.scalarText());
      case VALUE_TRUE, VALUE_FALSE -> in.current() == JsonToken.VALUE_TRUE;
      case VALUE_NULL -> null;
      default -> in.scalarText();
    };
  }

  private static List<Object> readList(final JsonInput in) {
    final List<Object> list = new ArrayList<>();
    while (in.next() != JsonToken.END_ARRAY) {
      list.add(readValue(in));
    }
    return list;
  }
}
