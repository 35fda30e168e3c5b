package io.kvroute.protocol.json;

import io.kvroute.protocol.PotentialLoad;
import io.kvroute.protocol.QueueLimitKind;
import io.kvroute.protocol.QueueRejection;
import io.kvroute.protocol.RouterResponse;
import java.util.List;

/** Responses, with rejections and potential loads. */
final class ResponseJson {
  static final Names<QueueLimitKind> LIMIT_NAMES = new Names<>(QueueLimitKind.class);
  static final JsonCodec<QueueLimitKind> LIMIT_KIND =
      JsonCodec.plain("QueueLimitKind", LIMIT_NAMES::read, LIMIT_NAMES::write);
  static final JsonCodec<QueueRejection> REJECTION =
      JsonCodec.plain("QueueRejection", ResponseJson::readRejection, ResponseJson::writeRejection);
  static final JsonCodec<PotentialLoad> LOAD =
      JsonCodec.plain("PotentialLoad", ResponseJson::readLoad, ResponseJson::writeLoad);
  static final JsonCodec<RouterResponse> RESPONSE =
      JsonCodec.tagged(
          "RouterResponse",
          RequestJson.METHOD,
          ResponseJson::readResponse,
          ResponseJson::writeResponse);

  private static final Shape REJECTION_SHAPE =
      Shape.of("QueueRejection", "policy_class", "limit_kind", "current", "limit");
  private static final Shape LOAD_SHAPE =
      Shape.of(
              "PotentialLoad",
              "worker_id",
              "dp_rank",
              "potential_prefill_tokens",
              "potential_decode_blocks")
          .optional("active_requests");
  private static final Shape NEW_SHAPE =
      Shape.of("RouterResponse::New", "worker_id", "overlap_blocks").optional("dp_rank");
  private static final Shape QUEUE_REJECTED_SHAPE =
      Shape.of("RouterResponse::QueueRejected", "rejection");
  private static final Shape PREFILL_MARKED_SHAPE =
      Shape.of("RouterResponse::PrefillMarked", "success");
  private static final Shape FREE_MARKED_SHAPE = Shape.of("RouterResponse::FreeMarked", "success");
  private static final Shape POTENTIAL_LOADS_SHAPE =
      Shape.of("RouterResponse::PotentialLoads", "loads")
          .optional("pending_count", "pending_isl_tokens");
  private static final String NEW = "new";
  private static final String QUEUE_REJECTED = "queue_rejected";
  private static final String PREFILL_MARKED = "prefill_marked";
  private static final String FREE_MARKED = "free_marked";
  private static final String POTENTIAL_LOADS = "potential_loads";

  private ResponseJson() {}

  private static QueueRejection readRejection(final JsonIn in) {
    String policyClass = null;
    QueueLimitKind limitKind = null;
    long current = 0;
    long limit = 0;
    final StructReader fields = in.struct(REJECTION_SHAPE);
    while (fields.next()) {
      switch (fields.name()) {
        case "policy_class" -> policyClass = in.string();
        case "limit_kind" -> limitKind = LIMIT_NAMES.read(in);
        case "current" -> current = in.u64();
        default -> limit = in.u64();
      }
    }
    return new QueueRejection(policyClass, limitKind, current, limit);
  }

  private static void writeRejection(final JsonOut out, final QueueRejection rejection) {
    out.beginObject().field("policy_class").string(rejection.policyClass()).field("limit_kind");
    LIMIT_NAMES.write(out, rejection.limitKind());
    out.field("current").u64(rejection.current());
    out.field("limit").u64(rejection.limit()).endObject();
  }

  private static PotentialLoad readLoad(final JsonIn in) {
    long workerId = 0;
    int dpRank = 0;
    long prefillTokens = 0;
    long decodeBlocks = 0;
    long activeRequests = 0;
    final StructReader fields = in.struct(LOAD_SHAPE);
    while (fields.next()) {
      switch (fields.name()) {
        case "worker_id" -> workerId = in.u64();
        case "dp_rank" -> dpRank = in.u32();
        case "potential_prefill_tokens" -> prefillTokens = in.u64();
        case "potential_decode_blocks" -> decodeBlocks = in.u64();
        default -> activeRequests = in.u64();
      }
    }
    return new PotentialLoad(workerId, dpRank, prefillTokens, decodeBlocks, activeRequests);
  }

  private static void writeLoad(final JsonOut out, final PotentialLoad load) {
    out.beginObject().field("worker_id").u64(load.workerId());
    out.field("dp_rank").u32(load.dpRank());
    out.field("potential_prefill_tokens").u64(load.potentialPrefillTokens());
    out.field("potential_decode_blocks").u64(load.potentialDecodeBlocks());
    out.field("active_requests").u64(load.activeRequests()).endObject();
  }

  private static RouterResponse readResponse(final JsonIn in, final String method) {
    return switch (method) {
      case NEW -> readNew(in);
      case QUEUE_REJECTED -> readQueueRejected(in);
      case PREFILL_MARKED ->
          new RouterResponse.PrefillMarked(readSuccess(in, PREFILL_MARKED_SHAPE));
      case FREE_MARKED -> new RouterResponse.FreeMarked(readSuccess(in, FREE_MARKED_SHAPE));
      case POTENTIAL_LOADS -> readPotentialLoads(in);
      default -> throw in.unknownVariant("RouterResponse", method);
    };
  }

  private static RouterResponse.New readNew(final JsonIn in) {
    long workerId = 0;
    int dpRank = 0;
    int overlapBlocks = 0;
    final StructReader fields = in.struct(NEW_SHAPE);
    while (fields.next()) {
      switch (fields.name()) {
        case "worker_id" -> workerId = in.u64();
        case "dp_rank" -> dpRank = in.u32();
        default -> overlapBlocks = in.u32();
      }
    }
    return new RouterResponse.New(workerId, dpRank, overlapBlocks);
  }

  private static RouterResponse.QueueRejected readQueueRejected(final JsonIn in) {
    QueueRejection rejection = null;
    final StructReader fields = in.struct(QUEUE_REJECTED_SHAPE);
    while (fields.next()) {
      rejection = readRejection(in);
    }
    return new RouterResponse.QueueRejected(rejection);
  }

  private static boolean readSuccess(final JsonIn in, final Shape shape) {
    boolean success = false;
    final StructReader fields = in.struct(shape);
    while (fields.next()) {
      success = in.bool();
    }
    return success;
  }

  private static RouterResponse.PotentialLoads readPotentialLoads(final JsonIn in) {
    List<PotentialLoad> loads = List.of();
    long pendingCount = 0;
    long pendingIslTokens = 0;
    final StructReader fields = in.struct(POTENTIAL_LOADS_SHAPE);
    while (fields.next()) {
      switch (fields.name()) {
        case "loads" -> loads = in.list(ResponseJson::readLoad);
        case "pending_count" -> pendingCount = in.u64();
        default -> pendingIslTokens = in.u64();
      }
    }
    return new RouterResponse.PotentialLoads(loads, pendingCount, pendingIslTokens);
  }

  private static void writeResponse(final JsonOut out, final RouterResponse response) {
    out.beginObject().field(RequestJson.METHOD);
    if (response instanceof RouterResponse.New routed) {
      out.string(NEW).field("worker_id").u64(routed.workerId());
      out.field("dp_rank").u32(routed.dpRank());
      out.field("overlap_blocks").u32(routed.overlapBlocks());
    } else if (response instanceof RouterResponse.QueueRejected rejected) {
      out.string(QUEUE_REJECTED).field("rejection");
      writeRejection(out, rejected.rejection());
    } else if (response instanceof RouterResponse.PrefillMarked marked) {
      out.string(PREFILL_MARKED).field("success").bool(marked.success());
    } else if (response instanceof RouterResponse.FreeMarked marked) {
      out.string(FREE_MARKED).field("success").bool(marked.success());
    } else {
      final RouterResponse.PotentialLoads loads = (RouterResponse.PotentialLoads) response;
      out.string(POTENTIAL_LOADS).field("loads").list(loads.loads(), ResponseJson::writeLoad);
      out.field("pending_count").u64(loads.pendingCount());
      out.field("pending_isl_tokens").u64(loads.pendingIslTokens());
    }
    out.endObject();
  }
}
