package io.kvroute.protocol;

import io.kvroute.hash.BlockExtraInfo;
import java.util.List;
import java.util.Objects;

/** What a frontend asks of a router. */
public sealed interface RouterRequest
    permits RouterRequest.New,
        RouterRequest.PotentialLoads,
        RouterRequest.MarkPrefill,
        RouterRequest.MarkFree {

  /**
   * Route this prompt.
   *
   * @param tokens of the prompt, unsigned 32-bit
   * @param blockMmInfos per block what it contains besides tokens, null for a block without; null
   *     if there is no list
   * @param routingConstraints taints required and preferred
   * @param priorityJump seconds of head start in the queue
   * @param strictPriority rank that no head start overcomes, unsigned 32-bit; higher goes first
   * @param loraName name of the adapter, or null
   */
  record New(
      UnsignedInts tokens,
      List<BlockExtraInfo> blockMmInfos,
      RoutingConstraints routingConstraints,
      double priorityJump,
      int strictPriority,
      String loraName)
      implements RouterRequest {
    /** Copies the list. */
    public New {
      Objects.requireNonNull(tokens, "tokens");
      Objects.requireNonNull(routingConstraints, "routingConstraints");
      blockMmInfos = Lists.copyWithNulls(blockMmInfos);
    }

    /** A plain prompt. */
    public New(final UnsignedInts tokens) {
      this(tokens, null, RoutingConstraints.NONE, 0.0, 0, null);
    }

    /** The default request: an empty prompt. */
    public New() {
      this(UnsignedInts.of());
    }
  }

  /**
   * Tell what load every worker would have if this prompt went to it.
   *
   * @param tokens of the prompt, unsigned 32-bit
   * @param blockMmInfos per block what it contains besides tokens, null for a block without; null
   *     if there is no list
   * @param loraName name of the adapter, or null
   */
  record PotentialLoads(UnsignedInts tokens, List<BlockExtraInfo> blockMmInfos, String loraName)
      implements RouterRequest {
    /** Copies the list. */
    public PotentialLoads {
      Objects.requireNonNull(tokens, "tokens");
      blockMmInfos = Lists.copyWithNulls(blockMmInfos);
    }
  }

  /**
   * The prefill of a request has been done.
   *
   * @param requestId of the request; null if the connection tells
   */
  record MarkPrefill(String requestId) implements RouterRequest {}

  /**
   * A request has ended or was cancelled.
   *
   * @param requestId of the request; null if the connection tells
   */
  record MarkFree(String requestId) implements RouterRequest {}
}
