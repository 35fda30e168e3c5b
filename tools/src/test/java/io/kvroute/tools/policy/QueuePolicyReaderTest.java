package io.kvroute.tools.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.route.queue.QueueClass;
import io.kvroute.route.queue.QueueDiscipline;
import io.kvroute.route.queue.QueuePolicies;
import io.kvroute.route.queue.QueuePolicy;
import io.kvroute.route.queue.QueuePolicyException;
import io.kvroute.route.queue.QueuePolicyException.Fault;
import io.kvroute.tools.io.InputException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QueuePolicyReaderTest {
  private static final String POLICY =
      """
      # interactive requests by length, and a class for batches
      default_policy_family: chat
      uncached_isl_buckets:
        - {min_tokens: 0, bucket: short}
        - {min_tokens: 8192, bucket: long}
      policy_classes:
        - name: chat-short
          policy_family: chat
          cache_bucket: short
          quantum: 4
          queue_policy: wspt
          raw_isl_token_queue_limit_per_worker: 18446744073709551615
        - {name: chat-long, policy_family: chat, cache_bucket: long, quantum: 1}
        - name: batch
          quantum: 1
          prefill_busy_threshold: 100
          prefill_busy_threshold_frac: 2
          request_queue_limit_per_worker: 3
          cached_token_queue_limit_per_worker: 0
      models:
        small:
          default_policy_family: only
          uncached_isl_buckets: [{min_tokens: 0, bucket: b}]
          policy_classes: [{name: one, policy_family: only, cache_bucket: b, quantum: 1}]
      """;

  @TempDir private Path directory;

  private static QueuePolicies read(final String yaml) {
    return QueuePolicyReader.read(
        "p.yaml", new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)));
  }

  private static String refusal(final String yaml) {
    return assertThrows(InputException.class, () -> read(yaml)).getMessage();
  }

  @Test
  void shouldReadClassesBucketsAndModels() throws IOException {
    final Path file = directory.resolve("policy.yaml");
    Files.writeString(file, POLICY);
    final QueuePolicies policies = QueuePolicyReader.read(file.toString());
    final QueuePolicy shared = policies.shared();
    assertEquals(3, shared.classCount());
    final QueueClass chat = shared.classAt(shared.classOf(null, 10));
    assertEquals("chat-short", chat.name());
    assertEquals(QueueDiscipline.WSPT, chat.discipline());
    assertEquals(4, chat.quantum());
    assertEquals(OptionalLong.of(-1), chat.rawIslTokenLimit());
    assertEquals(OptionalDouble.of(16.0), chat.busyThresholdFrac());
    assertEquals("chat-long", shared.classAt(shared.classOf("x", 9000)).name());
    final QueueClass batch = shared.classAt(shared.classOf("batch", 9000));
    assertEquals(OptionalLong.of(100), batch.busyThreshold());
    assertEquals(OptionalDouble.of(2), batch.busyThresholdFrac());
    assertEquals(OptionalLong.of(3), batch.requestLimit());
    assertEquals(OptionalLong.of(0), batch.cachedTokenLimit());
    assertNull(batch.family());
    assertEquals("one", policies.of("small", null).classAt(0).name());
  }

  @Test
  void shouldSayWhereAFieldIsWrong() {
    assertEquals(
        "p.yaml: policy_classes[1]: field is not known: colour",
        refusal(POLICY.replace("cache_bucket: long,", "cache_bucket: long, colour: red,")));
    assertEquals(
        "p.yaml: policy_classes[0]: quantum must be a whole number from 0 to 2^64-1",
        refusal(POLICY.replace("quantum: 4", "quantum: -4")));
    assertEquals(
        "p.yaml: policy_classes[0]: quantum must be a whole number from 0 to 2^64-1",
        refusal(POLICY.replace("quantum: 4", "quantum: 4.5")));
    assertEquals(
        "p.yaml: policy_classes[0]: raw_isl_token_queue_limit_per_worker must be a whole number"
            + " from 0 to 2^64-1",
        refusal(POLICY.replace("709551615", "709551616")));
    assertEquals(
        "p.yaml: policy_classes[1]: quantum must be given",
        refusal(POLICY.replace("bucket: long, quantum: 1}", "bucket: long}")));
    assertEquals(
        "p.yaml: policy_classes[2]: name must be a text",
        refusal(POLICY.replace("name: batch", "name: 7")));
    assertEquals(
        "p.yaml: policy_classes[2]: prefill_busy_threshold_frac must be a number",
        refusal(POLICY.replace("frac: 2", "frac: two")));
    assertEquals(
        "p.yaml: policy_classes[0]: queue_policy must be fcfs or wspt: best",
        refusal(POLICY.replace("wspt", "best")));
    assertEquals(
        "p.yaml: models.small: field is not known: models",
        refusal(
            POLICY.replace(
                "default_policy_family: only", "default_policy_family: only\n    models: {}")));
    assertEquals("p.yaml: models must be a mapping", refusal("models: [a]"));
    assertEquals("p.yaml: models: name must be a text: 7", refusal("models: {7: {}}"));
    assertEquals(
        "p.yaml: models.m: default_policy_family must be given", refusal("models: {m: {}}"));
    assertEquals(
        "p.yaml: uncached_isl_buckets must be a list",
        refusal("{default_policy_family: f, uncached_isl_buckets: 1, policy_classes: []}"));
  }

  @Test
  void shouldSayWhereTheTextIsNoYaml() {
    final String broken = refusal("a: [1, 2\nb: }");
    assertTrue(broken.startsWith("p.yaml: bad YAML: "), broken);
    assertTrue(broken.contains("line 2"), broken);
    assertTrue(broken.indexOf('\n') < 0, broken);
    assertTrue(refusal("a: 1\na: 2").contains("duplicate"), refusal("a: 1\na: 2"));
    assertEquals("p.yaml must be a mapping", refusal(""));
    assertEquals("p.yaml must be a mapping", refusal("- 1"));
    final String missing = directory.resolve("none.yaml").toString();
    assertThrows(InputException.class, () -> QueuePolicyReader.read(missing));
  }

  @Test
  void shouldSayWhatIsWrongWithAPolicyThatCannotBe() {
    final QueuePolicyException lcfs =
        assertThrows(QueuePolicyException.class, () -> read(POLICY.replace("wspt", "lcfs")));
    assertEquals(Fault.DISCIPLINE_NOT_ALLOWED, lcfs.fault());
    final QueuePolicyException partial =
        assertThrows(QueuePolicyException.class, () -> read("default_policy_family: f"));
    assertEquals(Fault.PARTIAL_PROFILE, partial.fault());
    assertEquals(
        Fault.NO_PROFILE, assertThrows(QueuePolicyException.class, () -> read("{}")).fault());
  }
}
