package io.kvroute.tools.policy;

import io.kvroute.route.queue.QueueClass;
import io.kvroute.route.queue.QueueDiscipline;
import io.kvroute.route.queue.QueuePolicies;
import io.kvroute.route.queue.QueuePolicy;
import io.kvroute.route.queue.QueuePolicyException;
import io.kvroute.route.queue.QueuePolicyException.Fault;
import io.kvroute.tools.io.InputException;
import io.kvroute.tools.io.InputFiles;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Reads queue policies from YAML: one profile for all models at the root, and profiles of single
 * models under {@code models}. Fields that are not known are refused. What is well-formed and
 * cannot be is a {@link QueuePolicyException}, all else an {@link InputException}; either names the
 * source and the place.
 */
public final class QueuePolicyReader {
  private static final String FAMILY = "default_policy_family";
  private static final String BUCKETS = "uncached_isl_buckets";
  private static final String CLASSES = "policy_classes";
  private static final String MODELS = "models";
  private static final Set<String> PROFILE = Set.of(FAMILY, BUCKETS, CLASSES);
  private static final Set<String> ROOT = Set.of(FAMILY, BUCKETS, CLASSES, MODELS);
  private static final Set<String> BUCKET = Set.of("min_tokens", "bucket");
  private static final Set<String> CLASS =
      Set.of(
          "name",
          "policy_family",
          "cache_bucket",
          "queue_policy",
          "quantum",
          "prefill_busy_threshold",
          "prefill_busy_threshold_frac",
          "request_queue_limit_per_worker",
          "raw_isl_token_queue_limit_per_worker",
          "cached_token_queue_limit_per_worker");

  private QueuePolicyReader() {}

  /**
   * Reads a file.
   *
   * @throws InputException if it cannot be read, or is not of this form
   * @throws QueuePolicyException if it is, and the policy cannot be
   */
  public static QueuePolicies read(final String file) {
    try (InputStream in = InputFiles.open(file)) {
      return read(file, in);
    } catch (final IOException e) {
      throw InputFiles.unreadable(file, e);
    }
  }

  /**
   * Reads a stream in UTF-8.
   *
   * @param source name of the stream, for errors
   * @throws InputException if it is not of this form
   * @throws QueuePolicyException if it is, and the policy cannot be
   */
  public static QueuePolicies read(final String source, final InputStream in) {
    final LoadSettings settings =
        LoadSettings.builder().setLabel(source).setAllowDuplicateKeys(false).build();
    final Object value;
    try {
      value = new Load(settings).loadFromInputStream(in);
    } catch (final YamlEngineException e) {
      throw new InputException(source + ": bad YAML: " + oneLine(e.getMessage()), e);
    }
    final YamlFields root = YamlFields.of(source, value, ROOT);
    return new QueuePolicies(rootProfile(root), models(root));
  }

  private static String oneLine(final String message) {
    return String.valueOf(message).strip().replaceAll("\\s+", " ");
  }

  private static QueuePolicy rootProfile(final YamlFields root) {
    final long given = PROFILE.stream().filter(root::has).count();
    if (given == 0) {
      return null;
    }
    if (given < PROFILE.size()) {
      throw new QueuePolicyException(
          Fault.PARTIAL_PROFILE,
          root.path() + ": a profile has all of " + FAMILY + ", " + BUCKETS + " and " + CLASSES);
    }
    return profile(root);
  }

  private static Map<String, QueuePolicy> models(final YamlFields root) {
    final Map<String, QueuePolicy> models = new TreeMap<>();
    if (root.has(MODELS)) {
      final YamlFields byName = YamlFields.ofAny(root.path() + ": " + MODELS, root.get(MODELS));
      for (final String name : byName.names()) {
        final String path = byName.path() + '.' + name;
        final YamlFields fields = YamlFields.of(path, byName.get(name), PROFILE);
        fields.text(FAMILY);
        models.put(name, profile(fields));
      }
    }
    return models;
  }

  private static QueuePolicy profile(final YamlFields fields) {
    final QueuePolicy.Builder builder = QueuePolicy.builder().defaultFamily(fields.text(FAMILY));
    final List<?> buckets = fields.list(BUCKETS);
    for (int i = 0; i < buckets.size(); i++) {
      final YamlFields bucket = YamlFields.of(path(fields, BUCKETS, i), buckets.get(i), BUCKET);
      builder.bucket(bucket.u64("min_tokens"), bucket.text("bucket"));
    }
    final List<?> classes = fields.list(CLASSES);
    for (int i = 0; i < classes.size(); i++) {
      builder.add(queueClass(YamlFields.of(path(fields, CLASSES, i), classes.get(i), CLASS)));
    }
    return builder.build();
  }

  private static String path(final YamlFields fields, final String name, final int index) {
    return fields.path() + ": " + name + '[' + index + ']';
  }

  private static QueueClass queueClass(final YamlFields fields) {
    final QueueClass.Builder builder =
        QueueClass.builder(fields.text("name"))
            .quantum(fields.u64("quantum"))
            .family(fields.textOrNull("policy_family"))
            .bucket(fields.textOrNull("cache_bucket"));
    final String discipline = fields.textOrNull("queue_policy");
    if (discipline != null) {
      builder.discipline(discipline(fields, discipline));
    }
    fields.u64("prefill_busy_threshold", builder::busyThreshold);
    fields.f64("prefill_busy_threshold_frac", builder::busyThresholdFrac);
    fields.u64("request_queue_limit_per_worker", builder::requestLimit);
    fields.u64("raw_isl_token_queue_limit_per_worker", builder::rawIslTokenLimit);
    fields.u64("cached_token_queue_limit_per_worker", builder::cachedTokenLimit);
    return builder.build();
  }

  private static QueueDiscipline discipline(final YamlFields fields, final String name) {
    return switch (name) {
      case "fcfs" -> QueueDiscipline.FCFS;
      case "lcfs" -> QueueDiscipline.LCFS;
      case "wspt" -> QueueDiscipline.WSPT;
      default ->
          throw new InputException(fields.path() + ": queue_policy must be fcfs or wspt: " + name);
    };
  }
}
