package io.kvroute.protocol.json;

import io.kvroute.hash.BlockExtraInfo;
import io.kvroute.hash.BlockMmObjectInfo;
import io.kvroute.hash.RequestExtraInfo;
import io.kvroute.hash.RequestMmObjectInfo;
import io.kvroute.protocol.ActiveBlockEvent;
import io.kvroute.protocol.ActiveBlockEventData;
import io.kvroute.protocol.ActiveLoad;
import io.kvroute.protocol.ActiveSequenceEvent;
import io.kvroute.protocol.ActiveSequenceEventData;
import io.kvroute.protocol.KvCacheEvent;
import io.kvroute.protocol.KvCacheEventData;
import io.kvroute.protocol.KvCacheEvents;
import io.kvroute.protocol.KvCacheRemoveData;
import io.kvroute.protocol.KvCacheStoreData;
import io.kvroute.protocol.KvCacheStoredBlockData;
import io.kvroute.protocol.KvTransferEnforcement;
import io.kvroute.protocol.OverlapScores;
import io.kvroute.protocol.Placement;
import io.kvroute.protocol.PlacementEvent;
import io.kvroute.protocol.PlacementOwner;
import io.kvroute.protocol.PotentialLoad;
import io.kvroute.protocol.PrefillEvent;
import io.kvroute.protocol.PrefillEventData;
import io.kvroute.protocol.PrefillLoadHint;
import io.kvroute.protocol.QueueLimitKind;
import io.kvroute.protocol.QueueRejection;
import io.kvroute.protocol.RouterEvent;
import io.kvroute.protocol.RouterRequest;
import io.kvroute.protocol.RouterResponse;
import io.kvroute.protocol.RoutingConstraints;
import io.kvroute.protocol.StorageTier;
import io.kvroute.protocol.WorkerWithDpRank;
import java.util.List;

/** The codecs of all types of the vocabulary. */
public final class ProtocolJson {
  /** Reads and writes {@link RouterRequest}. */
  public static final JsonCodec<RouterRequest> ROUTER_REQUEST = RequestJson.REQUEST;

  /** Reads and writes {@link RouterResponse}. */
  public static final JsonCodec<RouterResponse> ROUTER_RESPONSE = ResponseJson.RESPONSE;

  /** Reads and writes {@link RoutingConstraints}. */
  public static final JsonCodec<RoutingConstraints> ROUTING_CONSTRAINTS = RequestJson.CONSTRAINTS;

  /** Reads and writes {@link KvTransferEnforcement}. */
  public static final JsonCodec<KvTransferEnforcement> KV_TRANSFER_ENFORCEMENT =
      RequestJson.ENFORCEMENT;

  /** Reads and writes {@link PotentialLoad}. */
  public static final JsonCodec<PotentialLoad> POTENTIAL_LOAD = ResponseJson.LOAD;

  /** Reads and writes {@link QueueRejection}. */
  public static final JsonCodec<QueueRejection> QUEUE_REJECTION = ResponseJson.REJECTION;

  /** Reads and writes {@link QueueLimitKind}. */
  public static final JsonCodec<QueueLimitKind> QUEUE_LIMIT_KIND = ResponseJson.LIMIT_KIND;

  /** Reads and writes {@link WorkerWithDpRank}. */
  public static final JsonCodec<WorkerWithDpRank> WORKER_WITH_DP_RANK = PlacementJson.WORKER;

  /** Reads and writes {@link StorageTier}. */
  public static final JsonCodec<StorageTier> STORAGE_TIER = PlacementJson.TIER;

  /** Reads and writes {@link PlacementOwner}. */
  public static final JsonCodec<PlacementOwner> PLACEMENT_OWNER = PlacementJson.OWNER;

  /** Reads and writes {@link Placement}. */
  public static final JsonCodec<Placement> PLACEMENT = PlacementJson.PLACEMENT;

  /** Reads and writes {@link PlacementEvent}. */
  public static final JsonCodec<PlacementEvent> PLACEMENT_EVENT = PlacementJson.EVENT;

  /** Reads and writes {@link RouterEvent}. */
  public static final JsonCodec<RouterEvent> ROUTER_EVENT = EventJson.ROUTER_EVENT;

  /** Reads and writes {@link KvCacheEvents}. */
  public static final JsonCodec<KvCacheEvents> KV_CACHE_EVENTS = EventJson.EVENTS;

  /** Reads and writes {@link KvCacheEvent}. */
  public static final JsonCodec<KvCacheEvent> KV_CACHE_EVENT = EventJson.EVENT;

  /** Reads and writes {@link KvCacheEventData}. */
  public static final JsonCodec<KvCacheEventData> KV_CACHE_EVENT_DATA = EventJson.DATA;

  /** Reads and writes {@link KvCacheStoreData}. */
  public static final JsonCodec<KvCacheStoreData> KV_CACHE_STORE_DATA = EventJson.STORE;

  /** Reads and writes {@link KvCacheStoredBlockData}. */
  public static final JsonCodec<KvCacheStoredBlockData> KV_CACHE_STORED_BLOCK_DATA =
      EventJson.BLOCK;

  /** Reads and writes {@link KvCacheRemoveData}. */
  public static final JsonCodec<KvCacheRemoveData> KV_CACHE_REMOVE_DATA = EventJson.REMOVE;

  /** Reads and writes {@link BlockMmObjectInfo}. */
  public static final JsonCodec<BlockMmObjectInfo> BLOCK_MM_OBJECT_INFO = MmJson.BLOCK_OBJECT;

  /** Reads and writes {@link BlockExtraInfo}. */
  public static final JsonCodec<BlockExtraInfo> BLOCK_EXTRA_INFO = MmJson.BLOCK;

  /** Reads and writes {@link RequestMmObjectInfo}. */
  public static final JsonCodec<RequestMmObjectInfo> REQUEST_MM_OBJECT_INFO = MmJson.REQUEST_OBJECT;

  /** Reads and writes {@link RequestExtraInfo}. */
  public static final JsonCodec<RequestExtraInfo> REQUEST_EXTRA_INFO = MmJson.REQUEST;

  /** Reads and writes {@link ActiveLoad}. */
  public static final JsonCodec<ActiveLoad> ACTIVE_LOAD = LoadJson.ACTIVE_LOAD;

  /** Reads and writes {@link OverlapScores} without scores, whose keys JSON cannot have. */
  public static final JsonCodec<OverlapScores> OVERLAP_SCORES = LoadJson.SCORES;

  /** Reads and writes {@link PrefillEvent}. */
  public static final JsonCodec<PrefillEvent> PREFILL_EVENT = SequenceJson.PREFILL_EVENT;

  /** Reads and writes {@link PrefillEventData}. */
  public static final JsonCodec<PrefillEventData> PREFILL_EVENT_DATA = SequenceJson.PREFILL_DATA;

  /** Reads and writes {@link PrefillLoadHint}. */
  public static final JsonCodec<PrefillLoadHint> PREFILL_LOAD_HINT = SequenceJson.HINT;

  /** Reads and writes {@link ActiveSequenceEvent}. */
  public static final JsonCodec<ActiveSequenceEvent> ACTIVE_SEQUENCE_EVENT =
      SequenceJson.SEQUENCE_EVENT;

  /** Reads and writes {@link ActiveSequenceEventData}. */
  public static final JsonCodec<ActiveSequenceEventData> ACTIVE_SEQUENCE_EVENT_DATA =
      SequenceJson.SEQUENCE_DATA;

  /** Reads and writes {@link ActiveBlockEvent}. */
  public static final JsonCodec<ActiveBlockEvent> ACTIVE_BLOCK_EVENT = SequenceJson.BLOCK_EVENT;

  /** Reads and writes {@link ActiveBlockEventData}. */
  public static final JsonCodec<ActiveBlockEventData> ACTIVE_BLOCK_EVENT_DATA =
      SequenceJson.BLOCK_DATA;

  /** Reads and writes the router's hash of a block's tokens, an unsigned 64-bit number. */
  public static final JsonCodec<Long> LOCAL_BLOCK_HASH =
      JsonCodec.plain("LocalBlockHash", JsonIn::u64, JsonOut::u64);

  /** Reads and writes an engine's name of a block, an unsigned 64-bit number. */
  public static final JsonCodec<Long> EXTERNAL_SEQUENCE_BLOCK_HASH =
      JsonCodec.plain("ExternalSequenceBlockHash", JsonIn::u64, JsonOut::u64);

  private static final List<JsonCodec<?>> ALL =
      List.of(
          ROUTER_REQUEST,
          ROUTER_RESPONSE,
          ROUTING_CONSTRAINTS,
          KV_TRANSFER_ENFORCEMENT,
          POTENTIAL_LOAD,
          QUEUE_REJECTION,
          QUEUE_LIMIT_KIND,
          WORKER_WITH_DP_RANK,
          STORAGE_TIER,
          PLACEMENT_OWNER,
          PLACEMENT,
          PLACEMENT_EVENT,
          ROUTER_EVENT,
          KV_CACHE_EVENTS,
          KV_CACHE_EVENT,
          KV_CACHE_EVENT_DATA,
          KV_CACHE_STORE_DATA,
          KV_CACHE_STORED_BLOCK_DATA,
          KV_CACHE_REMOVE_DATA,
          BLOCK_MM_OBJECT_INFO,
          BLOCK_EXTRA_INFO,
          REQUEST_MM_OBJECT_INFO,
          REQUEST_EXTRA_INFO,
          ACTIVE_LOAD,
          OVERLAP_SCORES,
          PREFILL_EVENT,
          PREFILL_EVENT_DATA,
          PREFILL_LOAD_HINT,
          ACTIVE_SEQUENCE_EVENT,
          ACTIVE_SEQUENCE_EVENT_DATA,
          ACTIVE_BLOCK_EVENT,
          ACTIVE_BLOCK_EVENT_DATA,
          LOCAL_BLOCK_HASH,
          EXTERNAL_SEQUENCE_BLOCK_HASH);

  private ProtocolJson() {}

  /** Every codec. */
  public static List<JsonCodec<?>> all() {
    return ALL;
  }
}
