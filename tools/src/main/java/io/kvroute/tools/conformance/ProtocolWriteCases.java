package io.kvroute.tools.conformance;

import io.kvroute.protocol.OverlapScores;
import io.kvroute.protocol.RouterRequest;
import io.kvroute.protocol.RoutingConstraints;
import io.kvroute.protocol.UnsignedInts;
import io.kvroute.protocol.UnsignedLongs;
import io.kvroute.protocol.WorkerWithDpRank;
import io.kvroute.protocol.json.JsonCodec;
import io.kvroute.protocol.json.ProtocolJson;
import io.kvroute.protocol.json.ProtocolJsonException;
import java.util.Map;
import java.util.Set;

/**
 * Texts that the original writes. A text that it reads back makes the value that is then written; a
 * number that is not finite is written as null and cannot be read back, so that such values are
 * made here.
 */
final class ProtocolWriteCases {
  private final Tally tally;

  ProtocolWriteCases(final Tally tally) {
    this.tally = tally;
  }

  void check(final JsonCodec<?> codec, final JsonTree each) {
    final String json = each.at("json").text();
    final String what = "write " + codec.name() + " \"" + each.at("name").text() + '"';
    if (each.at("reads_back").truth()) {
      tally.compare(what, json, rewritten(codec, json));
    } else if (isRead(codec, json)) {
      tally.disagree(what + ": is read back");
    } else {
      tally.compare(what, json, writtenNotFinite(each));
    }
  }

  /** The text written for the value read from a text, or what is wrong with the text. */
  static <T> String rewritten(final JsonCodec<T> codec, final String json) {
    try {
      return codec.write(codec.read(json));
    } catch (final ProtocolJsonException e) {
      return "refused: " + e.getMessage();
    }
  }

  private static boolean isRead(final JsonCodec<?> codec, final String json) {
    try {
      codec.read(json);
      return true;
    } catch (final ProtocolJsonException e) {
      return false;
    }
  }

  private static String writtenNotFinite(final JsonTree each) {
    final String name = each.at("name").text();
    final double value =
        name.contains("NaN")
            ? Double.NaN
            : name.contains("negative") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
    return switch (each.at("type").text()) {
      case "RoutingConstraints" ->
          ProtocolJson.ROUTING_CONSTRAINTS.write(
              new RoutingConstraints(Set.of(), Map.of("a", (float) value)));
      case "RouterRequest" ->
          ProtocolJson.ROUTER_REQUEST.write(
              new RouterRequest.New(
                  UnsignedInts.of(1), null, RoutingConstraints.NONE, value, 0, null));
      default -> "no such value is known";
    };
  }

  /** Checks that scores, whose keys are structs, are not written. */
  void checkRefused(final JsonTree each) {
    final String type = each.at("type").text();
    if (!ProtocolJson.OVERLAP_SCORES.name().equals(type)) {
      tally.disagree("write_fails " + type + ": no such value is known");
      return;
    }
    final OverlapScores scores =
        new OverlapScores(Map.of(new WorkerWithDpRank(1, 0), 1), UnsignedLongs.of());
    try {
      tally.disagree("write_fails " + type + ": " + ProtocolJson.OVERLAP_SCORES.write(scores));
    } catch (final IllegalArgumentException e) {
      tally.agree();
    }
  }
}
