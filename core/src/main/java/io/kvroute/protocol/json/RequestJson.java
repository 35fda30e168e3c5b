package io.kvroute.protocol.json;

import com.fasterxml.jackson.core.JsonToken;
import io.kvroute.hash.BlockExtraInfo;
import io.kvroute.protocol.KvTransferEnforcement;
import io.kvroute.protocol.RouterRequest;
import io.kvroute.protocol.RoutingConstraints;
import io.kvroute.protocol.UnsignedInts;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Requests and their constraints. */
final class RequestJson {
  /** The field that names the variant of a request or response. */
  static final String METHOD = "method";

  static final Names<KvTransferEnforcement> ENFORCEMENT_NAMES =
      new Names<>(KvTransferEnforcement.class);
  static final JsonCodec<KvTransferEnforcement> ENFORCEMENT =
      JsonCodec.plain("KvTransferEnforcement", ENFORCEMENT_NAMES::read, ENFORCEMENT_NAMES::write);
  static final JsonCodec<RoutingConstraints> CONSTRAINTS =
      JsonCodec.plain(
          "RoutingConstraints", RequestJson::readConstraints, RequestJson::writeConstraints);
  static final JsonCodec<RouterRequest> REQUEST =
      JsonCodec.tagged(
          "RouterRequest", METHOD, RequestJson::readRequest, RequestJson::writeRequest);

  private static final Shape CONSTRAINTS_SHAPE =
      Shape.of("RoutingConstraints").optional("required_taints", "preferred_taints");
  private static final Shape NEW_SHAPE =
      Shape.of("RouterRequest::New", "tokens")
          .optional(
              "block_mm_infos",
              "routing_constraints",
              "priority_jump",
              "strict_priority",
              "lora_name");
  private static final Shape POTENTIAL_LOADS_SHAPE =
      Shape.of("RouterRequest::PotentialLoads", "tokens").optional("block_mm_infos", "lora_name");
  private static final Shape MARK_PREFILL_SHAPE =
      Shape.of("RouterRequest::MarkPrefill").optional("request_id");
  private static final Shape MARK_FREE_SHAPE =
      Shape.of("RouterRequest::MarkFree").optional("request_id");
  private static final String NEW = "new";
  private static final String POTENTIAL_LOADS = "potential_loads";
  private static final String MARK_PREFILL = "mark_prefill";
  private static final String MARK_FREE = "mark_free";

  private RequestJson() {}

  private static RoutingConstraints readConstraints(final JsonIn in) {
    Set<String> required = Set.of();
    Map<String, Float> preferred = Map.of();
    final StructReader fields = in.struct(CONSTRAINTS_SHAPE);
    while (fields.next()) {
      switch (fields.name()) {
        case "required_taints" -> required = new HashSet<>(in.list(JsonIn::string));
        default -> preferred = readWeights(in);
      }
    }
    return new RoutingConstraints(required, preferred);
  }

  /** A weight that is given twice counts as the last one. */
  private static Map<String, Float> readWeights(final JsonIn in) {
    in.expect(JsonToken.START_OBJECT, "object");
    final Map<String, Float> weights = new HashMap<>();
    while (in.next() == JsonToken.FIELD_NAME) {
      final String taint = in.fieldName();
      in.next();
      weights.put(taint, in.f32());
    }
    return weights;
  }

  private static void writeConstraints(final JsonOut out, final RoutingConstraints constraints) {
    out.beginObject();
    if (!constraints.requiredTaints().isEmpty()) {
      out.field("required_taints").list(constraints.requiredTaints(), JsonOut::string);
    }
    if (!constraints.preferredTaints().isEmpty()) {
      out.field("preferred_taints").beginObject();
      constraints.preferredTaints().forEach((taint, weight) -> out.field(taint).f32(weight));
      out.endObject();
    }
    out.endObject();
  }

  private static RouterRequest readRequest(final JsonIn in, final String method) {
    return switch (method) {
      case NEW -> readNew(in);
      case POTENTIAL_LOADS -> readPotentialLoads(in);
      case MARK_PREFILL -> new RouterRequest.MarkPrefill(readRequestId(in, MARK_PREFILL_SHAPE));
      case MARK_FREE -> new RouterRequest.MarkFree(readRequestId(in, MARK_FREE_SHAPE));
      default -> throw in.unknownVariant("RouterRequest", method);
    };
  }

  private static RouterRequest.New readNew(final JsonIn in) {
    UnsignedInts tokens = UnsignedInts.of();
    List<BlockExtraInfo> infos = null;
    RoutingConstraints constraints = RoutingConstraints.NONE;
    double priorityJump = 0.0;
    int strictPriority = 0;
    String loraName = null;
    final StructReader fields = in.struct(NEW_SHAPE);
    while (fields.next()) {
      switch (fields.name()) {
        case "tokens" -> tokens = in.u32List();
        case "block_mm_infos" -> infos = in.orNull(MmJson::readBlocks);
        case "routing_constraints" -> constraints = readConstraints(in);
        case "priority_jump" -> priorityJump = in.f64();
        case "strict_priority" -> strictPriority = in.u32();
        default -> loraName = in.stringOrNull();
      }
    }
    return new RouterRequest.New(
        tokens, infos, constraints, priorityJump, strictPriority, loraName);
  }

  private static RouterRequest.PotentialLoads readPotentialLoads(final JsonIn in) {
    UnsignedInts tokens = UnsignedInts.of();
    List<BlockExtraInfo> infos = null;
    String loraName = null;
    final StructReader fields = in.struct(POTENTIAL_LOADS_SHAPE);
    while (fields.next()) {
      switch (fields.name()) {
        case "tokens" -> tokens = in.u32List();
        case "block_mm_infos" -> infos = in.orNull(MmJson::readBlocks);
        default -> loraName = in.stringOrNull();
      }
    }
    return new RouterRequest.PotentialLoads(tokens, infos, loraName);
  }

  private static String readRequestId(final JsonIn in, final Shape shape) {
    String requestId = null;
    final StructReader fields = in.struct(shape);
    while (fields.next()) {
      requestId = in.stringOrNull();
    }
    return requestId;
  }

  private static void writeRequest(final JsonOut out, final RouterRequest request) {
    out.beginObject().field(METHOD);
    if (request instanceof RouterRequest.New prompt) {
      writeNew(out.string(NEW), prompt);
    } else if (request instanceof RouterRequest.PotentialLoads loads) {
      out.string(POTENTIAL_LOADS).field("tokens").u32List(loads.tokens());
      out.listUnlessNull("block_mm_infos", loads.blockMmInfos(), MmJson::writeBlock);
      out.stringUnlessNull("lora_name", loads.loraName());
    } else if (request instanceof RouterRequest.MarkPrefill mark) {
      out.string(MARK_PREFILL).stringUnlessNull("request_id", mark.requestId());
    } else {
      final RouterRequest.MarkFree mark = (RouterRequest.MarkFree) request;
      out.string(MARK_FREE).stringUnlessNull("request_id", mark.requestId());
    }
    out.endObject();
  }

  private static void writeNew(final JsonOut out, final RouterRequest.New prompt) {
    out.field("tokens").u32List(prompt.tokens());
    out.listUnlessNull("block_mm_infos", prompt.blockMmInfos(), MmJson::writeBlock);
    if (!prompt.routingConstraints().isEmpty()) {
      out.field("routing_constraints");
      writeConstraints(out, prompt.routingConstraints());
    }
    out.field("priority_jump").f64(prompt.priorityJump());
    if (prompt.strictPriority() != 0) {
      out.field("strict_priority").u32(prompt.strictPriority());
    }
    out.stringUnlessNull("lora_name", prompt.loraName());
  }
}
