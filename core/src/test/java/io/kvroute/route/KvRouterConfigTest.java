package io.kvroute.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.route.queue.QueueDiscipline;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class KvRouterConfigTest {
  private static void assertRefused(final String field, final KvRouterConfig.Builder builder) {
    final KvRouterConfigException refusal =
        assertThrows(KvRouterConfigException.class, builder::build);
    assertEquals(field, refusal.field());
    assertTrue(refusal.getMessage().contains("field=" + field), refusal.getMessage());
  }

  @Test
  void shouldHaveTheDefaultsOfTheReference() {
    final KvRouterConfig config = KvRouterConfig.DEFAULT;
    assertEquals(1.0, config.overlapScoreCredit());
    assertEquals(0.0, config.overlapScoreCreditDecay());
    assertEquals(1.0, config.prefillLoadScale());
    assertEquals(0.75, config.hostCacheHitWeight());
    assertEquals(0.25, config.diskCacheHitWeight());
    assertEquals(0.0, config.decodeActiveRequestWeight());
    assertEquals(0.0, config.routerTemperature());
    assertTrue(config.useKvEvents());
    assertFalse(config.durableKvEvents());
    assertFalse(config.routerReplicaSync());
    assertTrue(config.routerTrackActiveBlocks());
    assertFalse(config.routerTrackOutputBlocks());
    assertTrue(config.routerAssumeKvReuse());
    assertTrue(config.routerTrackPrefillTokens());
    assertEquals(RouterPrefillLoadModel.NONE, config.routerPrefillLoadModel());
    assertEquals(OptionalLong.of(1_000_000), config.routerSnapshotThreshold());
    assertFalse(config.routerResetStates());
    assertEquals(120.0, config.routerTtlSecs());
    assertEquals(OptionalDouble.of(16.0), config.routerQueueThreshold());
    assertNull(config.routerPolicyConfig());
    assertEquals(4, config.routerEventThreads());
    assertFalse(config.skipInitialWorkerWait());
    assertEquals(QueueDiscipline.FCFS, config.routerQueuePolicy());
    assertFalse(config.useRemoteIndexer());
    assertFalse(config.serveIndexer());
    assertEquals(0.0, config.sharedCacheMultiplier());
    assertEquals(SharedCacheType.NONE, config.sharedCacheType());
    assertEquals(OptionalDouble.empty(), config.routerPredictedTtlSecs());
  }

  @ParameterizedTest
  @ValueSource(
      doubles = {Double.NaN, -1.0, -0.001, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
  void shouldRefuseNumbersThatAreNegativeOrNotFinite(final double value) {
    assertRefused("overlap_score_credit", KvRouterConfig.builder().overlapScoreCredit(value));
    assertRefused(
        "overlap_score_credit_decay", KvRouterConfig.builder().overlapScoreCreditDecay(value));
    assertRefused("prefill_load_scale", KvRouterConfig.builder().prefillLoadScale(value));
    assertRefused("router_temperature", KvRouterConfig.builder().routerTemperature(value));
    assertRefused("router_ttl_secs", KvRouterConfig.builder().routerTtlSecs(value));
    assertRefused("router_queue_threshold", KvRouterConfig.builder().routerQueueThreshold(value));
    assertRefused(
        "router_predicted_ttl_secs", KvRouterConfig.builder().routerPredictedTtlSecs(value));
    assertRefused(
        "decode_active_request_weight", KvRouterConfig.builder().decodeActiveRequestWeight(value));
    assertRefused("host_cache_hit_weight", KvRouterConfig.builder().hostCacheHitWeight(value));
  }

  @Test
  void shouldRefuseSharesAboveOne() {
    assertRefused("host_cache_hit_weight", KvRouterConfig.builder().hostCacheHitWeight(1.01));
    assertRefused("disk_cache_hit_weight", KvRouterConfig.builder().diskCacheHitWeight(2));
    assertRefused("shared_cache_multiplier", KvRouterConfig.builder().sharedCacheMultiplier(1.5));
  }

  @Test
  void shouldTakeACreditAboveOne() {
    assertEquals(
        1.7, KvRouterConfig.builder().overlapScoreCredit(1.7).build().overlapScoreCredit());
  }

  @Test
  void shouldRefuseFieldsThatNeedOthers() {
    assertRefused(
        "durable_kv_events", KvRouterConfig.builder().durableKvEvents(true).useKvEvents(false));
    assertRefused(
        "router_track_output_blocks",
        KvRouterConfig.builder().routerTrackOutputBlocks(true).routerTrackActiveBlocks(false));
    assertRefused(
        "router_prefill_load_model",
        KvRouterConfig.builder()
            .routerPrefillLoadModel(RouterPrefillLoadModel.AIC)
            .routerTrackPrefillTokens(false));
    assertRefused(
        "router_predicted_ttl_secs",
        KvRouterConfig.builder().routerPredictedTtlSecs(2).useKvEvents(false));
    assertRefused(
        "serve_indexer", KvRouterConfig.builder().serveIndexer(true).useRemoteIndexer(true));
    assertRefused(
        "serve_indexer", KvRouterConfig.builder().serveIndexer(true).overlapScoreCredit(0));
    assertRefused("router_event_threads", KvRouterConfig.builder().routerEventThreads(0));
    assertRefused("router_snapshot_threshold", KvRouterConfig.builder().routerSnapshotThreshold(0));
  }

  @Test
  void shouldSwitchOptionalFieldsOff() {
    final KvRouterConfig config =
        KvRouterConfig.builder().noRouterQueueThreshold().noRouterSnapshotThreshold().build();
    assertTrue(config.routerQueueThreshold().isEmpty());
    assertTrue(config.routerSnapshotThreshold().isEmpty());
  }

  @Test
  void shouldLetTheLegacyWeightBeatTheScaleWhicheverIsSetFirst() {
    assertEquals(
        2.0,
        KvRouterConfig.builder()
            .overlapScoreWeight(2.0)
            .prefillLoadScale(3.0)
            .build()
            .prefillLoadScale());
    final KvRouterConfig off =
        KvRouterConfig.builder().overlapScoreCredit(0.5).overlapScoreWeight(0.0).build();
    assertEquals(0.0, off.overlapScoreCredit());
    assertEquals(0.0, off.prefillLoadScale());
  }

  @Test
  void shouldMapTheLegacyWeightOfAnOverride() {
    final RouterConfigOverride two =
        RouterConfigOverride.builder().overlapScoreWeight(2).prefillLoadScale(3).build();
    assertEquals(OptionalDouble.of(2), two.prefillLoadScale());
    assertEquals(OptionalDouble.empty(), two.overlapScoreCredit());
    final RouterConfigOverride none =
        RouterConfigOverride.builder().overlapScoreWeight(0).overlapScoreCredit(0.5).build();
    assertEquals(OptionalDouble.of(0), none.prefillLoadScale());
    assertEquals(OptionalDouble.of(0), none.overlapScoreCredit());
  }

  @Test
  void shouldRefuseOverridesOutOfRangeAndChangeNothing() {
    final RouterConfigOverride.Builder builder =
        RouterConfigOverride.builder().routerTemperature(0.5);
    assertThrows(KvRouterConfigException.class, () -> builder.routerTemperature(-1));
    assertThrows(KvRouterConfigException.class, () -> builder.overlapScoreCredit(Double.NaN));
    assertThrows(KvRouterConfigException.class, () -> builder.sharedCacheMultiplier(1.1));
    assertThrows(KvRouterConfigException.class, () -> builder.overlapScoreWeight(-1));
    final RouterConfigOverride override = builder.build();
    assertEquals(OptionalDouble.of(0.5), override.routerTemperature());
    assertEquals(OptionalDouble.empty(), override.overlapScoreCredit());
    assertNull(override.assumeKvReuse());
  }
}
