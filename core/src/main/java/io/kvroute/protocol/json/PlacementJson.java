package io.kvroute.protocol.json;

import io.kvroute.protocol.KvCacheEvent;
import io.kvroute.protocol.Placement;
import io.kvroute.protocol.PlacementEvent;
import io.kvroute.protocol.PlacementOwner;
import io.kvroute.protocol.StorageTier;
import io.kvroute.protocol.WorkerWithDpRank;

/** Workers, tiers, and where a block is. */
final class PlacementJson {
  static final JsonCodec<WorkerWithDpRank> WORKER =
      JsonCodec.plain("WorkerWithDpRank", PlacementJson::readWorker, PlacementJson::writeWorker);
  static final Names<StorageTier> TIER_NAMES = new Names<>(StorageTier.class);
  static final JsonCodec<StorageTier> TIER =
      JsonCodec.plain("StorageTier", TIER_NAMES::read, TIER_NAMES::write);
  static final JsonCodec<PlacementOwner> OWNER =
      JsonCodec.plain("PlacementOwner", PlacementJson::readOwner, PlacementJson::writeOwner);
  static final JsonCodec<Placement> PLACEMENT =
      JsonCodec.plain("Placement", PlacementJson::readPlacement, PlacementJson::writePlacement);
  static final JsonCodec<PlacementEvent> EVENT =
      JsonCodec.plain("PlacementEvent", PlacementJson::readEvent, PlacementJson::writeEvent);

  private static final Shape WORKER_SHAPE = Shape.of("WorkerWithDpRank", "worker_id", "dp_rank");
  private static final Shape PLACEMENT_SHAPE = Shape.of("Placement", "owner", "tier");
  private static final Shape EVENT_SHAPE = Shape.of("PlacementEvent", "placement", "event");
  private static final String LOCAL_WORKER = "LocalWorker";
  private static final String SHARED = "Shared";

  private PlacementJson() {}

  static WorkerWithDpRank readWorker(final JsonIn in) {
    long workerId = 0;
    int dpRank = 0;
    final StructReader fields = in.struct(WORKER_SHAPE);
    while (fields.next()) {
      switch (fields.name()) {
        case "worker_id" -> workerId = in.u64();
        default -> dpRank = in.u32();
      }
    }
    return new WorkerWithDpRank(workerId, dpRank);
  }

  static void writeWorker(final JsonOut out, final WorkerWithDpRank worker) {
    out.beginObject().field("worker_id").u64(worker.workerId());
    out.field("dp_rank").u32(worker.dpRank()).endObject();
  }

  private static PlacementOwner readOwner(final JsonIn in) {
    final VariantReader variant = in.variant("PlacementOwner");
    return switch (variant.name()) {
      case LOCAL_WORKER ->
          new PlacementOwner.LocalWorker(variant.content(PlacementJson::readWorker));
      case SHARED -> variant.unit(new PlacementOwner.Shared());
      default -> throw variant.unknown();
    };
  }

  private static void writeOwner(final JsonOut out, final PlacementOwner owner) {
    if (owner instanceof PlacementOwner.LocalWorker local) {
      out.variant(LOCAL_WORKER, local.worker(), PlacementJson::writeWorker);
    } else {
      out.string(SHARED);
    }
  }

  private static Placement readPlacement(final JsonIn in) {
    PlacementOwner owner = null;
    StorageTier tier = null;
    final StructReader fields = in.struct(PLACEMENT_SHAPE);
    while (fields.next()) {
      switch (fields.name()) {
        case "owner" -> owner = readOwner(in);
        default -> tier = TIER_NAMES.read(in);
      }
    }
    return new Placement(owner, tier);
  }

  private static void writePlacement(final JsonOut out, final Placement placement) {
    out.beginObject().field("owner");
    writeOwner(out, placement.owner());
    out.field("tier");
    TIER_NAMES.write(out, placement.tier());
    out.endObject();
  }

  private static PlacementEvent readEvent(final JsonIn in) {
    Placement placement = null;
    KvCacheEvent event = null;
    final StructReader fields = in.struct(EVENT_SHAPE);
    while (fields.next()) {
      switch (fields.name()) {
        case "placement" -> placement = readPlacement(in);
        default -> event = EventJson.readEvent(in);
      }
    }
    return new PlacementEvent(placement, event);
  }

  private static void writeEvent(final JsonOut out, final PlacementEvent event) {
    out.beginObject().field("placement");
    writePlacement(out, event.placement());
    out.field("event");
    EventJson.writeEvent(out, event.event());
    out.endObject();
  }
}
