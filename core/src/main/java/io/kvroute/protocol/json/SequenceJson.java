package io.kvroute.protocol.json;

import io.kvroute.protocol.ActiveBlockEvent;
import io.kvroute.protocol.ActiveBlockEventData;
import io.kvroute.protocol.ActiveSequenceEvent;
import io.kvroute.protocol.ActiveSequenceEventData;
import io.kvroute.protocol.PrefillEvent;
import io.kvroute.protocol.PrefillEventData;
import io.kvroute.protocol.PrefillLoadHint;
import io.kvroute.protocol.UnsignedDuration;
import io.kvroute.protocol.UnsignedLongs;
import io.kvroute.protocol.WorkerWithDpRank;
import io.kvroute.protocol.json.ProtocolJsonException.Kind;
import java.util.OptionalInt;

/** What routers tell each other about requests. */
final class SequenceJson {
  static final JsonCodec<PrefillEvent> PREFILL_EVENT =
      JsonCodec.plain("PrefillEvent", SequenceJson::readPrefill, SequenceJson::writePrefill);
  static final JsonCodec<PrefillEventData> PREFILL_DATA =
      JsonCodec.plain(
          "PrefillEventData", SequenceJson::readPrefillData, SequenceJson::writePrefillData);
  static final JsonCodec<PrefillLoadHint> HINT =
      JsonCodec.plain("PrefillLoadHint", SequenceJson::readHint, SequenceJson::writeHint);
  static final JsonCodec<ActiveSequenceEvent> SEQUENCE_EVENT =
      JsonCodec.plain("ActiveSequenceEvent", SequenceJson::readEvent, SequenceJson::writeEvent);
  static final JsonCodec<ActiveSequenceEventData> SEQUENCE_DATA =
      JsonCodec.plain("ActiveSequenceEventData", SequenceJson::readData, SequenceJson::writeData);
  static final JsonCodec<ActiveBlockEvent> BLOCK_EVENT =
      JsonCodec.plain(
          "ActiveBlockEvent", SequenceJson::readBlockEvent, SequenceJson::writeBlockEvent);
  static final JsonCodec<ActiveBlockEventData> BLOCK_DATA =
      JsonCodec.plain(
          "ActiveBlockEventData", SequenceJson::readBlockData, SequenceJson::writeBlockData);

  private static final Shape PREFILL_SHAPE =
      Shape.of("PrefillEvent", "request_id", "worker_id", "data", "router_id");
  private static final Shape HINT_SHAPE =
      Shape.of("PrefillLoadHint", "initial_effective_prefill_tokens")
          .optional("expected_prefill_duration");
  private static final Shape DURATION_SHAPE = Shape.of("Duration", "secs", "nanos").closed();
  private static final Shape EVENT_SHAPE =
      Shape.of("ActiveSequenceEvent", "request_id", "worker", "data", "router_id")
          .optional("lora_name");
  private static final Shape ADD_REQUEST_SHAPE =
      Shape.of("ActiveSequenceEventData::AddRequest")
          .optional(
              "token_sequence",
              "track_prefill_tokens",
              "expected_output_tokens",
              "prefill_load_hint");
  private static final Shape BLOCK_EVENT_SHAPE = Shape.of("ActiveBlockEvent", "request_id", "data");
  private static final String NEW_PREFILL = "NewPrefill";
  private static final String UPDATE_PREFILL = "UpdatePrefill";
  private static final String COMPLETE_PREFILL = "CompletePrefill";
  private static final String ADD_REQUEST = "AddRequest";
  private static final String FREE = "Free";
  private static final String MARK_PREFILL_COMPLETED = "MarkPrefillCompleted";
  private static final String NEW_BLOCK = "NewBlock";
  private static final String FREE_BLOCK = "FreeBlock";

  private SequenceJson() {}

  private static PrefillEvent readPrefill(final JsonIn in) {
    String requestId = null;
    long workerId = 0;
    PrefillEventData data = null;
    long routerId = 0;
    final StructReader fields = in.struct(PREFILL_SHAPE);
    while (fields.next()) {
      switch (fields.name()) {
        case "request_id" -> requestId = in.string();
        case "worker_id" -> workerId = in.u64();
        case "data" -> data = readPrefillData(in);
        default -> routerId = in.u64();
      }
    }
    return new PrefillEvent(requestId, workerId, data, routerId);
  }

  private static void writePrefill(final JsonOut out, final PrefillEvent event) {
    out.beginObject().field("request_id").string(event.requestId());
    out.field("worker_id").u64(event.workerId()).field("data");
    writePrefillData(out, event.data());
    out.field("router_id").u64(event.routerId()).endObject();
  }

  private static PrefillEventData readPrefillData(final JsonIn in) {
    final VariantReader variant = in.variant("PrefillEventData");
    return switch (variant.name()) {
      case NEW_PREFILL -> new PrefillEventData.NewPrefill(variant.content(JsonIn::u64));
      case UPDATE_PREFILL -> new PrefillEventData.UpdatePrefill(variant.content(JsonIn::u64));
      case COMPLETE_PREFILL -> variant.unit(new PrefillEventData.CompletePrefill());
      default -> throw variant.unknown();
    };
  }

  private static void writePrefillData(final JsonOut out, final PrefillEventData data) {
    if (data instanceof PrefillEventData.NewPrefill begun) {
      out.variant(NEW_PREFILL, begun.tokens(), JsonOut::u64);
    } else if (data instanceof PrefillEventData.UpdatePrefill update) {
      out.variant(UPDATE_PREFILL, update.tokens(), JsonOut::u64);
    } else {
      out.string(COMPLETE_PREFILL);
    }
  }

  private static PrefillLoadHint readHint(final JsonIn in) {
    long tokens = 0;
    UnsignedDuration duration = null;
    final StructReader fields = in.struct(HINT_SHAPE);
    while (fields.next()) {
      switch (fields.name()) {
        case "initial_effective_prefill_tokens" -> tokens = in.u64();
        default -> duration = in.orNull(SequenceJson::readDuration);
      }
    }
    return new PrefillLoadHint(tokens, duration);
  }

  private static UnsignedDuration readDuration(final JsonIn in) {
    long seconds = 0;
    int nanos = 0;
    final StructReader fields = in.struct(DURATION_SHAPE);
    while (fields.next()) {
      switch (fields.name()) {
        case "secs" -> seconds = in.u64();
        default -> nanos = in.u32();
      }
    }
    try {
      return UnsignedDuration.carrying(seconds, nanos);
    } catch (final ArithmeticException e) {
      throw in.error(Kind.RANGE, e.getMessage());
    }
  }

  private static void writeHint(final JsonOut out, final PrefillLoadHint hint) {
    out.beginObject();
    out.field("initial_effective_prefill_tokens").u64(hint.initialEffectivePrefillTokens());
    out.field("expected_prefill_duration")
        .orNull(hint.expectedPrefillDuration(), SequenceJson::writeDuration);
    out.endObject();
  }

  private static void writeDuration(final JsonOut out, final UnsignedDuration duration) {
    out.beginObject().field("secs").u64(duration.seconds());
    out.field("nanos").u32(duration.nanos()).endObject();
  }

  private static ActiveSequenceEvent readEvent(final JsonIn in) {
    String requestId = null;
    WorkerWithDpRank worker = null;
    ActiveSequenceEventData data = null;
    long routerId = 0;
    String loraName = null;
    final StructReader fields = in.struct(EVENT_SHAPE);
    while (fields.next()) {
      switch (fields.name()) {
        case "request_id" -> requestId = in.string();
        case "worker" -> worker = PlacementJson.readWorker(in);
        case "data" -> data = readData(in);
        case "router_id" -> routerId = in.u64();
        default -> loraName = in.stringOrNull();
      }
    }
    return new ActiveSequenceEvent(requestId, worker, data, routerId, loraName);
  }

  private static void writeEvent(final JsonOut out, final ActiveSequenceEvent event) {
    out.beginObject().field("request_id").string(event.requestId()).field("worker");
    PlacementJson.writeWorker(out, event.worker());
    out.field("data");
    writeData(out, event.data());
    out.field("router_id").u64(event.routerId());
    out.field("lora_name").stringOrNull(event.loraName()).endObject();
  }

  private static ActiveSequenceEventData readData(final JsonIn in) {
    final VariantReader variant = in.variant("ActiveSequenceEventData");
    return switch (variant.name()) {
      case ADD_REQUEST -> variant.content(SequenceJson::readAddRequest);
      case FREE -> variant.unit(new ActiveSequenceEventData.Free());
      case MARK_PREFILL_COMPLETED ->
          variant.unit(new ActiveSequenceEventData.MarkPrefillCompleted());
      default -> throw variant.unknown();
    };
  }

  private static ActiveSequenceEventData.AddRequest readAddRequest(final JsonIn in) {
    UnsignedLongs sequence = null;
    boolean track = true;
    OptionalInt outputTokens = OptionalInt.empty();
    PrefillLoadHint hint = null;
    final StructReader fields = in.struct(ADD_REQUEST_SHAPE);
    while (fields.next()) {
      switch (fields.name()) {
        case "token_sequence" -> sequence = in.orNull(JsonIn::u64List);
        case "track_prefill_tokens" -> track = in.bool();
        case "expected_output_tokens" -> outputTokens = in.u32OrNull();
        default -> hint = in.orNull(SequenceJson::readHint);
      }
    }
    return new ActiveSequenceEventData.AddRequest(sequence, track, outputTokens, hint);
  }

  private static void writeData(final JsonOut out, final ActiveSequenceEventData data) {
    if (data instanceof ActiveSequenceEventData.AddRequest add) {
      out.variant(ADD_REQUEST, add, SequenceJson::writeAddRequest);
    } else {
      out.string(data instanceof ActiveSequenceEventData.Free ? FREE : MARK_PREFILL_COMPLETED);
    }
  }

  private static void writeAddRequest(
      final JsonOut out, final ActiveSequenceEventData.AddRequest add) {
    out.beginObject().field("token_sequence").orNull(add.tokenSequence(), JsonOut::u64List);
    out.field("track_prefill_tokens").bool(add.trackPrefillTokens());
    out.field("expected_output_tokens").u32OrNull(add.expectedOutputTokens());
    out.field("prefill_load_hint").orNull(add.prefillLoadHint(), SequenceJson::writeHint);
    out.endObject();
  }

  private static ActiveBlockEvent readBlockEvent(final JsonIn in) {
    String requestId = null;
    ActiveBlockEventData data = null;
    final StructReader fields = in.struct(BLOCK_EVENT_SHAPE);
    while (fields.next()) {
      switch (fields.name()) {
        case "request_id" -> requestId = in.string();
        default -> data = readBlockData(in);
      }
    }
    return new ActiveBlockEvent(requestId, data);
  }

  private static void writeBlockEvent(final JsonOut out, final ActiveBlockEvent event) {
    out.beginObject().field("request_id").string(event.requestId()).field("data");
    writeBlockData(out, event.data());
    out.endObject();
  }

  private static ActiveBlockEventData readBlockData(final JsonIn in) {
    final VariantReader variant = in.variant("ActiveBlockEventData");
    return switch (variant.name()) {
      case NEW_BLOCK -> new ActiveBlockEventData.NewBlock(variant.content(JsonIn::u64List));
      case FREE_BLOCK -> variant.unit(new ActiveBlockEventData.FreeBlock());
      default -> throw variant.unknown();
    };
  }

  private static void writeBlockData(final JsonOut out, final ActiveBlockEventData data) {
    if (data instanceof ActiveBlockEventData.NewBlock added) {
      out.variant(NEW_BLOCK, added.sequenceHashes(), JsonOut::u64List);
    } else {
      out.string(FREE_BLOCK);
    }
  }
}
