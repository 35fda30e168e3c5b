package io.kvroute.protocol.json;

import io.kvroute.hash.BlockExtraInfo;
import io.kvroute.protocol.KvCacheEvent;
import io.kvroute.protocol.KvCacheEventData;
import io.kvroute.protocol.KvCacheEvents;
import io.kvroute.protocol.KvCacheRemoveData;
import io.kvroute.protocol.KvCacheStoreData;
import io.kvroute.protocol.KvCacheStoredBlockData;
import io.kvroute.protocol.RouterEvent;
import io.kvroute.protocol.StorageTier;
import io.kvroute.protocol.UnsignedLongs;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Cache events. */
final class EventJson {
  static final JsonCodec<RouterEvent> ROUTER_EVENT =
      JsonCodec.plain("RouterEvent", EventJson::readRouterEvent, EventJson::writeRouterEvent);
  static final JsonCodec<KvCacheEvents> EVENTS =
      JsonCodec.plain("KvCacheEvents", EventJson::readEvents, EventJson::writeEvents);
  static final JsonCodec<KvCacheEvent> EVENT =
      JsonCodec.plain("KvCacheEvent", EventJson::readEvent, EventJson::writeEvent);
  static final JsonCodec<KvCacheEventData> DATA =
      JsonCodec.plain("KvCacheEventData", EventJson::readData, EventJson::writeData);
  static final JsonCodec<KvCacheStoreData> STORE =
      JsonCodec.plain("KvCacheStoreData", EventJson::readStore, EventJson::writeStore);
  static final JsonCodec<KvCacheStoredBlockData> BLOCK =
      JsonCodec.plain("KvCacheStoredBlockData", EventJson::readBlock, EventJson::writeBlock);
  static final JsonCodec<KvCacheRemoveData> REMOVE =
      JsonCodec.plain("KvCacheRemoveData", EventJson::readRemove, EventJson::writeRemove);

  private static final Shape ROUTER_EVENT_SHAPE =
      Shape.of("RouterEvent", "worker_id", "event").optional("storage_tier");
  private static final Shape EVENTS_SHAPE = Shape.of("KvCacheEvents", "events", "shutdown");
  private static final Shape EVENT_SHAPE =
      Shape.of("KvCacheEvent", "event_id", "data").optional("dp_rank");
  private static final Shape STORE_SHAPE =
      Shape.of("KvCacheStoreData", "blocks").optional("parent_hash", "start_position");
  private static final Shape BLOCK_SHAPE =
      Shape.of("KvCacheStoredBlockData", "block_hash", "tokens_hash").optional("mm_extra_info");
  private static final Shape REMOVE_SHAPE = Shape.of("KvCacheRemoveData", "block_hashes");
  private static final String STORED = "stored";
  private static final String REMOVED = "removed";
  private static final String CLEARED = "cleared";

  private EventJson() {}

  private static RouterEvent readRouterEvent(final JsonIn in) {
    long workerId = 0;
    StorageTier tier = StorageTier.DEVICE;
    KvCacheEvent event = null;
    final StructReader fields = in.struct(ROUTER_EVENT_SHAPE);
    while (fields.next()) {
      switch (fields.name()) {
        case "worker_id" -> workerId = in.u64();
        case "storage_tier" -> tier = PlacementJson.TIER_NAMES.read(in);
        default -> event = readEvent(in);
      }
    }
    return new RouterEvent(workerId, tier, event);
  }

  private static void writeRouterEvent(final JsonOut out, final RouterEvent event) {
    out.beginObject().field("worker_id").u64(event.workerId()).field("storage_tier");
    PlacementJson.TIER_NAMES.write(out, event.storageTier());
    out.field("event");
    writeEvent(out, event.event());
    out.endObject();
  }

  private static KvCacheEvents readEvents(final JsonIn in) {
    List<KvCacheEvent> events = List.of();
    boolean shutdown = false;
    final StructReader fields = in.struct(EVENTS_SHAPE);
    while (fields.next()) {
      switch (fields.name()) {
        case "events" -> events = in.list(EventJson::readEvent);
        default -> shutdown = in.bool();
      }
    }
    return new KvCacheEvents(events, shutdown);
  }

  private static void writeEvents(final JsonOut out, final KvCacheEvents events) {
    out.beginObject().field("events").list(events.events(), EventJson::writeEvent);
    out.field("shutdown").bool(events.shutdown()).endObject();
  }

  static KvCacheEvent readEvent(final JsonIn in) {
    long eventId = 0;
    KvCacheEventData data = null;
    int dpRank = 0;
    final StructReader fields = in.struct(EVENT_SHAPE);
    while (fields.next()) {
      switch (fields.name()) {
        case "event_id" -> eventId = in.u64();
        case "data" -> data = readData(in);
        default -> dpRank = in.u32();
      }
    }
    return new KvCacheEvent(eventId, data, dpRank);
  }

  static void writeEvent(final JsonOut out, final KvCacheEvent event) {
    out.beginObject().field("event_id").u64(event.eventId()).field("data");
    writeData(out, event.data());
    out.field("dp_rank").u32(event.dpRank()).endObject();
  }

  private static KvCacheEventData readData(final JsonIn in) {
    final VariantReader variant = in.variant("KvCacheEventData");
    return switch (variant.name()) {
      case STORED -> variant.content(EventJson::readStore);
      case REMOVED -> variant.content(EventJson::readRemove);
      case CLEARED -> variant.unit(new KvCacheEventData.Cleared());
      default -> throw variant.unknown();
    };
  }

  private static void writeData(final JsonOut out, final KvCacheEventData data) {
    if (data instanceof KvCacheStoreData store) {
      out.variant(STORED, store, EventJson::writeStore);
    } else if (data instanceof KvCacheRemoveData remove) {
      out.variant(REMOVED, remove, EventJson::writeRemove);
    } else {
      out.string(CLEARED);
    }
  }

  private static KvCacheStoreData readStore(final JsonIn in) {
    OptionalLong parentHash = OptionalLong.empty();
    OptionalInt startPosition = OptionalInt.empty();
    List<KvCacheStoredBlockData> blocks = List.of();
    final StructReader fields = in.struct(STORE_SHAPE);
    while (fields.next()) {
      switch (fields.name()) {
        case "parent_hash" -> parentHash = in.u64OrNull();
        case "start_position" -> startPosition = in.u32OrNull();
        default -> blocks = in.list(EventJson::readBlock);
      }
    }
    return new KvCacheStoreData(parentHash, startPosition, blocks);
  }

  private static void writeStore(final JsonOut out, final KvCacheStoreData store) {
    out.beginObject().field("parent_hash").u64OrNull(store.parentHash());
    out.field("start_position").u32OrNull(store.startPosition());
    out.field("blocks").list(store.blocks(), EventJson::writeBlock).endObject();
  }

  private static KvCacheStoredBlockData readBlock(final JsonIn in) {
    long blockHash = 0;
    long tokensHash = 0;
    BlockExtraInfo info = null;
    final StructReader fields = in.struct(BLOCK_SHAPE);
    while (fields.next()) {
      switch (fields.name()) {
        case "block_hash" -> blockHash = in.u64();
        case "tokens_hash" -> tokensHash = in.u64();
        default -> info = in.orNull(MmJson::readBlock);
      }
    }
    return new KvCacheStoredBlockData(blockHash, tokensHash, info);
  }

  private static void writeBlock(final JsonOut out, final KvCacheStoredBlockData block) {
    out.beginObject().field("block_hash").u64(block.blockHash());
    out.field("tokens_hash").u64(block.tokensHash());
    out.field("mm_extra_info").orNull(block.mmExtraInfo(), MmJson::writeBlock).endObject();
  }

  private static KvCacheRemoveData readRemove(final JsonIn in) {
    UnsignedLongs blockHashes = UnsignedLongs.of();
    final StructReader fields = in.struct(REMOVE_SHAPE);
    while (fields.next()) {
      blockHashes = in.u64List();
    }
    return new KvCacheRemoveData(blockHashes);
  }

  private static void writeRemove(final JsonOut out, final KvCacheRemoveData remove) {
    out.beginObject().field("block_hashes").u64List(remove.blockHashes()).endObject();
  }
}
