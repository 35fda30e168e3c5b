package io.kvroute.protocol.json;

import com.fasterxml.jackson.core.JsonToken;
import io.kvroute.protocol.ActiveLoad;
import io.kvroute.protocol.OverlapScores;
import io.kvroute.protocol.UnsignedLongs;
import io.kvroute.protocol.json.ProtocolJsonException.Kind;
import java.util.Map;
import java.util.OptionalLong;

/** Loads, scores and hashes. */
final class LoadJson {
  static final JsonCodec<ActiveLoad> ACTIVE_LOAD =
      JsonCodec.plain("ActiveLoad", LoadJson::readActiveLoad, LoadJson::writeActiveLoad);
  static final JsonCodec<OverlapScores> SCORES =
      JsonCodec.plain("OverlapScores", LoadJson::readScores, LoadJson::writeScores);

  private static final Shape ACTIVE_LOAD_SHAPE =
      Shape.of("ActiveLoad", "worker_id")
          .optional("dp_rank", "active_decode_blocks", "active_prefill_tokens", "kv_used_blocks");
  private static final Shape SCORES_SHAPE = Shape.of("OverlapScores", "scores", "frequencies");

  private LoadJson() {}

  private static ActiveLoad readActiveLoad(final JsonIn in) {
    long workerId = 0;
    int dpRank = 0;
    OptionalLong decodeBlocks = OptionalLong.empty();
    OptionalLong prefillTokens = OptionalLong.empty();
    OptionalLong usedBlocks = OptionalLong.empty();
    final StructReader fields = in.struct(ACTIVE_LOAD_SHAPE);
    while (fields.next()) {
      switch (fields.name()) {
        case "worker_id" -> workerId = in.u64();
        case "dp_rank" -> dpRank = in.u32();
        case "active_decode_blocks" -> decodeBlocks = in.u64OrNull();
        case "active_prefill_tokens" -> prefillTokens = in.u64OrNull();
        default -> usedBlocks = in.u64OrNull();
      }
    }
    return new ActiveLoad(workerId, dpRank, decodeBlocks, prefillTokens, usedBlocks);
  }

  private static void writeActiveLoad(final JsonOut out, final ActiveLoad load) {
    out.beginObject().field("worker_id").u64(load.workerId());
    out.field("dp_rank").u32(load.dpRank());
    out.field("active_decode_blocks").u64OrNull(load.activeDecodeBlocks());
    out.field("active_prefill_tokens").u64OrNull(load.activePrefillTokens());
    out.field("kv_used_blocks").u64OrNull(load.kvUsedBlocks()).endObject();
  }

  private static OverlapScores readScores(final JsonIn in) {
    UnsignedLongs frequencies = UnsignedLongs.of();
    final StructReader fields = in.struct(SCORES_SHAPE);
    while (fields.next()) {
      switch (fields.name()) {
        case "scores" -> expectNoScores(in);
        default -> frequencies = in.u64List();
      }
    }
    return new OverlapScores(Map.of(), frequencies);
  }

  /** Scores have structs as keys, which JSON cannot have. */
  private static void expectNoScores(final JsonIn in) {
    in.expect(JsonToken.START_OBJECT, "object");
    if (in.next() != JsonToken.END_OBJECT) {
      throw in.error(Kind.TYPE, "score has a text as key: expected a worker");
    }
  }

  private static void writeScores(final JsonOut out, final OverlapScores scores) {
    if (!scores.scores().isEmpty()) {
      throw new IllegalArgumentException(
          "scores have no json form, because their keys are structs: scores="
              + scores.scores().size());
    }
    out.beginObject().field("scores").beginObject().endObject();
    out.field("frequencies").u64List(scores.frequencies()).endObject();
  }
}
