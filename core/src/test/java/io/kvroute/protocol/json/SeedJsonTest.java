package io.kvroute.protocol.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.protocol.ActiveSequenceEvent;
import io.kvroute.protocol.ActiveSequenceEventData;
import io.kvroute.protocol.KvTransferEnforcement;
import io.kvroute.protocol.PlacementOwner;
import io.kvroute.protocol.PotentialLoad;
import io.kvroute.protocol.RouterRequest;
import io.kvroute.protocol.RouterResponse;
import io.kvroute.protocol.RoutingConstraints;
import io.kvroute.protocol.StorageTier;
import io.kvroute.protocol.UnsignedInts;
import io.kvroute.protocol.WorkerWithDpRank;
import org.junit.jupiter.api.Test;

/** The texts that the original's own tests pin down. */
class SeedJsonTest {
  private static final UnsignedInts TOKENS = UnsignedInts.of(1, 2, 3);

  private static RouterRequest.New prompt(
      final double priorityJump, final int strictPriority, final String loraName) {
    return new RouterRequest.New(
        TOKENS, null, RoutingConstraints.NONE, priorityJump, strictPriority, loraName);
  }

  private static void assertBothWays(final RouterRequest request, final String json) {
    assertEquals(json, ProtocolJson.ROUTER_REQUEST.write(request));
    assertEquals(request, ProtocolJson.ROUTER_REQUEST.read(json));
  }

  @Test
  void shouldWriteALocalBlockHashAsANumber() {
    assertEquals("12345", ProtocolJson.LOCAL_BLOCK_HASH.write(12345L));
    assertEquals(12345L, ProtocolJson.LOCAL_BLOCK_HASH.read("12345"));
  }

  @Test
  void shouldWriteAnExternalSequenceBlockHashAsANumber() {
    assertEquals("67890", ProtocolJson.EXTERNAL_SEQUENCE_BLOCK_HASH.write(67890L));
    assertEquals(67890L, ProtocolJson.EXTERNAL_SEQUENCE_BLOCK_HASH.read("67890"));
    assertEquals("18446744073709551615", ProtocolJson.EXTERNAL_SEQUENCE_BLOCK_HASH.write(-1L));
  }

  @Test
  void shouldReadMarkFreeAndMarkPrefillWithoutAnId() {
    assertBothWays(new RouterRequest.MarkFree(null), "{\"method\":\"mark_free\"}");
    assertBothWays(new RouterRequest.MarkPrefill(null), "{\"method\":\"mark_prefill\"}");
  }

  @Test
  void shouldWriteMarkFreeAndMarkPrefillWithAnId() {
    assertBothWays(
        new RouterRequest.MarkFree("req-123"),
        "{\"method\":\"mark_free\",\"request_id\":\"req-123\"}");
    assertBothWays(
        new RouterRequest.MarkPrefill("req-123"),
        "{\"method\":\"mark_prefill\",\"request_id\":\"req-123\"}");
  }

  @Test
  void shouldKeepTheDecimalPointOfAPriorityJump() {
    assertBothWays(
        prompt(5.0, 0, null), "{\"method\":\"new\",\"tokens\":[1,2,3],\"priority_jump\":5.0}");
  }

  @Test
  void shouldWriteTheNameOfAnAdapter() {
    assertBothWays(
        prompt(0.0, 0, "adapter-a"),
        "{\"method\":\"new\",\"tokens\":[1,2,3],\"priority_jump\":0.0,"
            + "\"lora_name\":\"adapter-a\"}");
  }

  @Test
  void shouldFillInDefaultsWhenANewRequestHasOnlyTokens() {
    assertEquals(
        prompt(0.0, 0, null),
        ProtocolJson.ROUTER_REQUEST.read("{\"method\":\"new\",\"tokens\":[1,2,3]}"));
    assertEquals(
        "{\"method\":\"new\",\"tokens\":[],\"priority_jump\":0.0}",
        ProtocolJson.ROUTER_REQUEST.write(new RouterRequest.New()));
  }

  @Test
  void shouldLeaveOutAStrictPriorityOfZeroOnly() {
    assertBothWays(
        prompt(0.0, 4, null),
        "{\"method\":\"new\",\"tokens\":[1,2,3],\"priority_jump\":0.0,\"strict_priority\":4}");
    assertBothWays(
        prompt(0.0, 0, null), "{\"method\":\"new\",\"tokens\":[1,2,3],\"priority_jump\":0.0}");
  }

  @Test
  void shouldWriteAndReadPotentialLoadsRequests() {
    assertBothWays(
        new RouterRequest.PotentialLoads(TOKENS, null, "adapter-a"),
        "{\"method\":\"potential_loads\",\"tokens\":[1,2,3],\"lora_name\":\"adapter-a\"}");
    assertBothWays(
        new RouterRequest.PotentialLoads(TOKENS, null, null),
        "{\"method\":\"potential_loads\",\"tokens\":[1,2,3]}");
  }

  @Test
  void shouldReadAPotentialLoadWithoutActiveRequests() {
    assertEquals(
        new PotentialLoad(1, 0, 16, 4, 0),
        ProtocolJson.POTENTIAL_LOAD.read(
            "{\"worker_id\":1,\"dp_rank\":0,\"potential_prefill_tokens\":16,"
                + "\"potential_decode_blocks\":4}"));
  }

  @Test
  void shouldWriteActiveRequestsOfAPotentialLoad() {
    assertEquals(
        "{\"worker_id\":1,\"dp_rank\":0,\"potential_prefill_tokens\":16,"
            + "\"potential_decode_blocks\":4,\"active_requests\":2}",
        ProtocolJson.POTENTIAL_LOAD.write(new PotentialLoad(1, 0, 16, 4, 2)));
  }

  @Test
  void shouldKnowTheTwoNamesOfAnEnforcement() {
    final JsonCodec<KvTransferEnforcement> codec = ProtocolJson.KV_TRANSFER_ENFORCEMENT;
    assertEquals("\"required\"", codec.write(KvTransferEnforcement.REQUIRED));
    assertEquals(KvTransferEnforcement.PREFERRED, codec.read("\"preferred\""));
    assertThrows(ProtocolJsonException.class, () -> codec.read("\"fallback\""));
  }

  @Test
  void shouldWriteTiersAndOwnersByTheirNames() {
    final String[] names = {"device", "host_pinned", "disk", "external"};
    for (final StorageTier tier : StorageTier.values()) {
      assertEquals('"' + names[tier.ordinal()] + '"', ProtocolJson.STORAGE_TIER.write(tier));
    }
    assertEquals(
        "{\"LocalWorker\":{\"worker_id\":1,\"dp_rank\":0}}",
        ProtocolJson.PLACEMENT_OWNER.write(
            new PlacementOwner.LocalWorker(WorkerWithDpRank.fromWorkerId(1))));
    assertEquals("\"Shared\"", ProtocolJson.PLACEMENT_OWNER.write(new PlacementOwner.Shared()));
  }

  @Test
  void shouldReadANewResponseWithoutARank() {
    assertEquals(
        new RouterResponse.New(7, 0, 3),
        ProtocolJson.ROUTER_RESPONSE.read(
            "{\"method\":\"new\",\"worker_id\":7,\"overlap_blocks\":3}"));
  }

  @Test
  void shouldTrackPrefillTokensWhenAnOldEventDoesNotSay() {
    final ActiveSequenceEvent event =
        ProtocolJson.ACTIVE_SEQUENCE_EVENT.read(
            "{\"request_id\":\"r9\",\"worker\":{\"worker_id\":1,\"dp_rank\":0},"
                + "\"data\":{\"AddRequest\":{}},\"router_id\":2}");
    assertEquals(null, event.loraName());
    assertTrue(((ActiveSequenceEventData.AddRequest) event.data()).trackPrefillTokens());
  }

  @Test
  void shouldPrintTheSameDigitsWhenNumbersDoNotFitIntoADouble() {
    final String block =
        "{\"block_hash\":14643705804678351452,\"tokens_hash\":13226331709069118873,"
            + "\"mm_extra_info\":null}";
    assertEquals(
        block,
        ProtocolJson.KV_CACHE_STORED_BLOCK_DATA.write(
            ProtocolJson.KV_CACHE_STORED_BLOCK_DATA.read(block)));
    for (final String id : new String[] {"7587886108854196461", "18446744073709551615"}) {
      final String worker = "{\"worker_id\":" + id + ",\"dp_rank\":0}";
      final WorkerWithDpRank read = ProtocolJson.WORKER_WITH_DP_RANK.read(worker);
      assertEquals(id, Long.toUnsignedString(read.workerId()));
      assertEquals(worker, ProtocolJson.WORKER_WITH_DP_RANK.write(read));
    }
  }

  @Test
  void shouldWriteEventsInTheirWireForm() {
    assertRewritten(
        ProtocolJson.ROUTER_EVENT,
        "{\"worker_id\":7,\"storage_tier\":\"device\",\"event\":{\"event_id\":1,\"data\":{\"stored\":"
            + "{\"parent_hash\":null,\"start_position\":null,\"blocks\":[{\"block_hash\":"
            + "14643705804678351452,\"tokens_hash\":14643705804678351452,\"mm_extra_info\":null}]}},"
            + "\"dp_rank\":0}}");
    assertRewritten(
        ProtocolJson.ROUTER_EVENT,
        "{\"worker_id\":7,\"storage_tier\":\"host_pinned\",\"event\":{\"event_id\":2,\"data\":"
            + "{\"removed\":{\"block_hashes\":[14643705804678351452]}},\"dp_rank\":0}}");
    assertRewritten(
        ProtocolJson.ROUTER_EVENT,
        "{\"worker_id\":7,\"storage_tier\":\"device\",\"event\":{\"event_id\":3,"
            + "\"data\":\"cleared\",\"dp_rank\":0}}");
    assertRewritten(
        ProtocolJson.ACTIVE_LOAD,
        "{\"worker_id\":7,\"dp_rank\":0,\"active_decode_blocks\":12,"
            + "\"active_prefill_tokens\":300,\"kv_used_blocks\":null}");
    assertRewritten(
        ProtocolJson.ACTIVE_SEQUENCE_EVENT,
        "{\"request_id\":\"r1\",\"worker\":{\"worker_id\":7,\"dp_rank\":0},\"data\":{\"AddRequest\":"
            + "{\"token_sequence\":[11,22],\"track_prefill_tokens\":true,"
            + "\"expected_output_tokens\":128,\"prefill_load_hint\":"
            + "{\"initial_effective_prefill_tokens\":96,\"expected_prefill_duration\":"
            + "{\"secs\":0,\"nanos\":5000000}}}},\"router_id\":1,\"lora_name\":null}");
  }

  @Test
  void shouldWriteRequestsAndResponsesInTheirWireForm() {
    assertRewritten(
        ProtocolJson.ROUTER_REQUEST,
        "{\"method\":\"new\",\"tokens\":[1,2],\"block_mm_infos\":[{\"mm_objects\":[{\"mm_hash\":42,"
            + "\"offsets\":[[0,2]]}]},null],\"routing_constraints\":{\"required_taints\":"
            + "[\"gpu=h100\"],\"preferred_taints\":{\"dynamo.topology/zone=a\":0.5}},"
            + "\"priority_jump\":1.5,\"strict_priority\":4,\"lora_name\":\"adapter-a\"}");
    assertRewritten(
        ProtocolJson.ROUTER_RESPONSE,
        "{\"method\":\"queue_rejected\",\"rejection\":{\"policy_class\":\"default\","
            + "\"limit_kind\":\"raw_isl_tokens\",\"current\":9000,\"limit\":8192}}");
    assertRewritten(
        ProtocolJson.ROUTER_RESPONSE,
        "{\"method\":\"potential_loads\",\"loads\":[{\"worker_id\":7,\"dp_rank\":0,"
            + "\"potential_prefill_tokens\":512,\"potential_decode_blocks\":40,"
            + "\"active_requests\":2}],\"pending_count\":1,\"pending_isl_tokens\":2048}");
  }

  private static <T> void assertRewritten(final JsonCodec<T> codec, final String json) {
    assertEquals(json, codec.write(codec.read(json)));
  }

  @Test
  void shouldSkipUnknownFieldsAndRefuseARequestWithoutTokens() {
    assertEquals(
        prompt(0.0, 0, null),
        ProtocolJson.ROUTER_REQUEST.read(
            "{\"method\":\"new\",\"router_id\":{\"x\":[null]},\"tokens\":[1,2,3]}"));
    assertThrows(
        ProtocolJsonException.class,
        () -> ProtocolJson.ROUTER_REQUEST.read("{\"method\":\"new\"}"));
  }
}
