package io.kvroute.tools.conformance;

import io.kvroute.protocol.json.JsonCodec;
import io.kvroute.protocol.json.ProtocolJsonException;
import io.kvroute.protocol.json.ProtocolJsonException.Kind;

/** Texts that the original reads, and then writes again, or refuses. */
final class ProtocolReadCases {
  static final String DISGUISE = "a struct or unit variant in disguise is refused";
  static final String NESTING = "nesting deeper than 128 is refused";
  static final String ROUNDING = "floating-point numbers are rounded to nearest";

  private final Tally tally;

  /** What became of a text: its value written again, or why it was refused. */
  private record Outcome(String json, Kind refusal) {
    boolean isRead() {
      return json != null;
    }

    boolean isLike(final JsonTree golden) {
      return isRead()
          ? golden.at("ok").truth() && golden.at("json").text().equals(json)
          : !golden.at("ok").truth();
    }
  }

  ProtocolReadCases(final Tally tally) {
    this.tally = tally;
  }

  void check(final JsonCodec<?> codec, final JsonTree each) {
    final Outcome found = read(codec, each.at("input").text());
    if (each.has("float_roundtrip")) {
      checkRounding(codec, each, found);
    } else if (found.isLike(each)) {
      tally.agree();
    } else if (!found.isRead() && found.refusal() == Kind.DISGUISE) {
      tally.byDecision(DISGUISE);
    } else if (!found.isRead() && found.refusal() == Kind.NESTING) {
      tally.byDecision(NESTING);
    } else {
      disagree(codec, each, found);
    }
  }

  /** The original rounds to nearest only if built so; that is the answer that counts. */
  private void checkRounding(final JsonCodec<?> codec, final JsonTree each, final Outcome found) {
    if (found.isLike(each.at("float_roundtrip"))) {
      tally.byDecision(ROUNDING);
    } else {
      disagree(codec, each, found);
    }
  }

  private void disagree(final JsonCodec<?> codec, final JsonTree each, final Outcome found) {
    tally.disagree(
        "read "
            + codec.name()
            + " \""
            + each.at("name").text()
            + "\": input="
            + each.at("input")
            + " expected="
            + (each.at("ok").truth() ? each.at("json") : "refused")
            + " found="
            + (found.isRead() ? found.json() : "refused as " + found.refusal()));
  }

  private static <T> Outcome read(final JsonCodec<T> codec, final String input) {
    try {
      return new Outcome(codec.write(codec.read(input)), null);
    } catch (final ProtocolJsonException e) {
      return new Outcome(null, e.kind());
    }
  }
}
