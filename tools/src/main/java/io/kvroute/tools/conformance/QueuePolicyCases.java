package io.kvroute.tools.conformance;

import io.kvroute.route.queue.QueueClass;
import io.kvroute.route.queue.QueueDiscipline;
import io.kvroute.route.queue.QueuePolicies;
import io.kvroute.route.queue.QueuePolicy;
import io.kvroute.route.queue.QueuePolicyException;
import io.kvroute.route.queue.QueuePolicyException.Fault;
import io.kvroute.tools.io.InputException;
import io.kvroute.tools.policy.QueuePolicyReader;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.StringJoiner;

/** When a rank is busy, and what a policy in YAML comes to. */
final class QueuePolicyCases {
  private static final String PARSE = "Parse";

  /** What is wrong with a policy, by the note of the line that has it. */
  private static final Map<String, Fault> FAULTS =
      Map.ofEntries(
          Map.entry("no classes", Fault.NO_CLASSES),
          Map.entry("quantum 0", Fault.QUANTUM_NOT_POSITIVE),
          Map.entry("lcfs", Fault.DISCIPLINE_NOT_ALLOWED),
          Map.entry("family without bucket", Fault.HALF_A_PLACE),
          Map.entry("bucket without family", Fault.HALF_A_PLACE),
          Map.entry("unknown bucket", Fault.UNKNOWN_BUCKET),
          Map.entry("default family not configured", Fault.UNKNOWN_DEFAULT_FAMILY),
          Map.entry("duplicate class", Fault.DUPLICATE_CLASS),
          Map.entry("duplicate family and bucket", Fault.DUPLICATE_PLACE),
          Map.entry("explicit class named like a family", Fault.CLASS_NAMED_LIKE_FAMILY),
          Map.entry("bad identifier", Fault.BAD_NAME),
          Map.entry("negative threshold", Fault.BAD_THRESHOLD),
          Map.entry("NaN threshold", Fault.BAD_THRESHOLD),
          Map.entry("first bucket not 0", Fault.FIRST_BUCKET_NOT_ZERO),
          Map.entry("no buckets", Fault.NO_BUCKETS),
          Map.entry("buckets not increasing", Fault.BUCKETS_NOT_INCREASING),
          Map.entry("duplicate bucket", Fault.DUPLICATE_BUCKET),
          Map.entry("missing family x bucket", Fault.MISSING_CLASS),
          Map.entry("partial root", Fault.PARTIAL_PROFILE),
          Map.entry("nothing defined", Fault.NO_PROFILE),
          Map.entry("empty model name", Fault.EMPTY_MODEL_NAME));

  private QueuePolicyCases() {}

  static void checkBusy(final JsonTree line, final Tally tally) {
    for (final JsonTree row : line.at("rows").elements()) {
      final List<JsonTree> fields = row.elements();
      final QueueClass.Builder builder = QueueClass.builder("busy").withoutThreshold();
      if (!fields.get(0).isNull()) {
        builder.busyThreshold(fields.get(0).u64());
      }
      if (!fields.get(1).isNull()) {
        builder.busyThresholdFrac(fields.get(1).f64());
      }
      final QueueClass queueClass = builder.build();
      tally.compare(
          "busy " + row,
          fields.get(4) + " " + fields.get(5),
          queueClass.isBusy(fields.get(2).u64(), fields.get(3).u64())
              + " "
              + queueClass.isQueueing());
    }
  }

  static void checkConfig(final JsonTree line, final Tally tally) {
    final String note = line.has("note") ? line.at("note").text() : "policy";
    final String expected = line.at("error").isNull() ? expectedPolicy(line) : expectedError(line);
    tally.compare("policy_config \"" + note + '"', expected, found(line));
  }

  private static String expectedError(final JsonTree line) {
    final String kind = line.at("error").at("kind").text();
    return kind.equals(PARSE) ? PARSE : String.valueOf(FAULTS.get(line.at("note").text()));
  }

  private static String expectedPolicy(final JsonTree line) {
    final StringJoiner text = new StringJoiner("\n");
    for (final JsonTree each : line.at("classes").elements()) {
      text.add(each.line());
    }
    for (final JsonTree probe : line.at("probes").elements()) {
      text.add(probe.at("class").text() + ' ' + probe.at("needs_snapshot"));
    }
    return text.toString();
  }

  private static String found(final JsonTree line) {
    final QueuePolicies policies;
    try {
      policies = read(line.at("yaml").text());
    } catch (final QueuePolicyException e) {
      return e.fault().toString();
    } catch (final InputException e) {
      return PARSE;
    }
    if (!line.has("probes")) {
      return "no error";
    }
    final StringJoiner text = new StringJoiner("\n");
    for (final QueueClass each : policies.shared().classes()) {
      text.add(line(each));
    }
    for (final JsonTree probe : line.at("probes").elements()) {
      final QueuePolicy policy = policies.of(probe.at("model").textOrNull(), null);
      final String named = probe.at("policy_class").textOrNull();
      text.add(
          policy.classAt(policy.classOf(named, probe.at("uncached_tokens").u64())).name()
              + ' '
              + policy.dependsOnCachedTokens(named));
    }
    return text.toString();
  }

  static QueuePolicies read(final String yaml) {
    return QueuePolicyReader.read(
        "policy", new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)));
  }

  /** A class as a line of the file has it. */
  private static String line(final QueueClass each) {
    return "{cached_token_queue_limit_per_worker="
        + number(each.cachedTokenLimit())
        + ", name="
        + each.name()
        + ", prefill_busy_threshold="
        + number(each.busyThreshold())
        + ", prefill_busy_threshold_frac="
        + (each.busyThresholdFrac().isPresent() ? each.busyThresholdFrac().getAsDouble() : "null")
        + ", quantum="
        + Long.toUnsignedString(each.quantum())
        + ", queue_policy="
        + each.discipline().toString().toLowerCase(Locale.ROOT)
        + ", raw_isl_token_queue_limit_per_worker="
        + number(each.rawIslTokenLimit())
        + ", request_queue_limit_per_worker="
        + number(each.requestLimit())
        + '}';
  }

  private static String number(final OptionalLong value) {
    return value.isPresent() ? Long.toUnsignedString(value.getAsLong()) : "null";
  }

  /** The classes of a line; where they are several, one family that has a bucket for each. */
  static QueuePolicy policy(final JsonTree classes) {
    final List<JsonTree> all = classes.elements();
    if (all.size() == 1) {
      return QueuePolicy.of(queueClass(all.get(0)).build());
    }
    final QueuePolicy.Builder builder = QueuePolicy.builder().defaultFamily("all");
    for (int i = 0; i < all.size(); i++) {
      builder.bucket(i, "b" + i);
      builder.add(queueClass(all.get(i)).family("all").bucket("b" + i).build());
    }
    return builder.build();
  }

  private static QueueClass.Builder queueClass(final JsonTree each) {
    final QueueClass.Builder builder =
        QueueClass.builder(each.at("name").text())
            .withoutThreshold()
            .quantum(each.at("quantum").u64())
            .discipline(
                QueueDiscipline.valueOf(each.at("queue_policy").text().toUpperCase(Locale.ROOT)));
    if (!each.at("prefill_busy_threshold").isNull()) {
      builder.busyThreshold(each.at("prefill_busy_threshold").u64());
    }
    if (!each.at("prefill_busy_threshold_frac").isNull()) {
      builder.busyThresholdFrac(each.at("prefill_busy_threshold_frac").f64());
    }
    if (!each.at("request_queue_limit_per_worker").isNull()) {
      builder.requestLimit(each.at("request_queue_limit_per_worker").u64());
    }
    if (!each.at("raw_isl_token_queue_limit_per_worker").isNull()) {
      builder.rawIslTokenLimit(each.at("raw_isl_token_queue_limit_per_worker").u64());
    }
    if (!each.at("cached_token_queue_limit_per_worker").isNull()) {
      builder.cachedTokenLimit(each.at("cached_token_queue_limit_per_worker").u64());
    }
    return builder;
  }
}
