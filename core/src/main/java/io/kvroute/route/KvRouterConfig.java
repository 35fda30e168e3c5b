package io.kvroute.route;

import io.kvroute.route.queue.QueueDiscipline;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * How a router decides. Names and defaults are those of NVIDIA Dynamo's router (Apache-2.0), in the
 * case of this language: {@code overlap_score_credit} is {@link #overlapScoreCredit()}.
 *
 * <p>Immutable. What cannot be is refused by {@link Builder#build()} with the name of the field.
 */
public final class KvRouterConfig {
  /** Every field at its default. */
  public static final KvRouterConfig DEFAULT = builder().build();

  private final double overlapScoreCredit;
  private final double overlapScoreCreditDecay;
  private final double prefillLoadScale;
  private final double hostCacheHitWeight;
  private final double diskCacheHitWeight;
  private final double decodeActiveRequestWeight;
  private final double routerTemperature;
  private final boolean useKvEvents;
  private final boolean durableKvEvents;
  private final boolean routerReplicaSync;
  private final boolean routerTrackActiveBlocks;
  private final boolean routerTrackOutputBlocks;
  private final boolean routerAssumeKvReuse;
  private final boolean routerTrackPrefillTokens;
  private final RouterPrefillLoadModel routerPrefillLoadModel;
  private final OptionalLong routerSnapshotThreshold;
  private final boolean routerResetStates;
  private final double routerTtlSecs;
  private final OptionalDouble routerQueueThreshold;
  private final String routerPolicyConfig;
  private final int routerEventThreads;
  private final boolean skipInitialWorkerWait;
  private final QueueDiscipline routerQueuePolicy;
  private final boolean useRemoteIndexer;
  private final boolean serveIndexer;
  private final double sharedCacheMultiplier;
  private final SharedCacheType sharedCacheType;
  private final OptionalDouble routerPredictedTtlSecs;

  private KvRouterConfig(final Builder builder) {
    overlapScoreCredit = builder.credit();
    overlapScoreCreditDecay = builder.overlapScoreCreditDecay;
    prefillLoadScale = builder.scale();
    hostCacheHitWeight = builder.hostCacheHitWeight;
    diskCacheHitWeight = builder.diskCacheHitWeight;
    decodeActiveRequestWeight = builder.decodeActiveRequestWeight;
    routerTemperature = builder.routerTemperature;
    useKvEvents = builder.useKvEvents;
    durableKvEvents = builder.durableKvEvents;
    routerReplicaSync = builder.routerReplicaSync;
    routerTrackActiveBlocks = builder.routerTrackActiveBlocks;
    routerTrackOutputBlocks = builder.routerTrackOutputBlocks;
    routerAssumeKvReuse = builder.routerAssumeKvReuse;
    routerTrackPrefillTokens = builder.routerTrackPrefillTokens;
    routerPrefillLoadModel = builder.routerPrefillLoadModel;
    routerSnapshotThreshold = builder.routerSnapshotThreshold;
    routerResetStates = builder.routerResetStates;
    routerTtlSecs = builder.routerTtlSecs;
    routerQueueThreshold = builder.routerQueueThreshold;
    routerPolicyConfig = builder.routerPolicyConfig;
    routerEventThreads = builder.routerEventThreads;
    skipInitialWorkerWait = builder.skipInitialWorkerWait;
    routerQueuePolicy = builder.routerQueuePolicy;
    useRemoteIndexer = builder.useRemoteIndexer;
    serveIndexer = builder.serveIndexer;
    sharedCacheMultiplier = builder.sharedCacheMultiplier;
    sharedCacheType = builder.sharedCacheType;
    routerPredictedTtlSecs = builder.routerPredictedTtlSecs;
  }

  /** Starts with every field at its default. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * How much of a block on the device counts as saved; any finite number from 0 on. 0 also stops
   * the KV events.
   */
  public double overlapScoreCredit() {
    return overlapScoreCredit;
  }

  /**
   * How fast that credit falls for a rank with more prefill tokens than the least loaded; from 0
   * on.
   */
  public double overlapScoreCreditDecay() {
    return overlapScoreCreditDecay;
  }

  /** The weight of blocks to prefill beside blocks to decode; from 0 on. */
  public double prefillLoadScale() {
    return prefillLoadScale;
  }

  /** What a block in the host's pinned memory counts, beside 1 on the device; 0 to 1. */
  public double hostCacheHitWeight() {
    return hostCacheHitWeight;
  }

  /** What a block on a disk or in an external store counts; 0 to 1. */
  public double diskCacheHitWeight() {
    return diskCacheHitWeight;
  }

  /** What every active request of a rank adds to its cost, in blocks; from 0 on. */
  public double decodeActiveRequestWeight() {
    return decodeActiveRequestWeight;
  }

  /** 0 takes the lowest cost; above, ranks are drawn by a softmax over costs scaled to 0..1. */
  public double routerTemperature() {
    return routerTemperature;
  }

  /** Whether the index is fed by the workers' events; otherwise by the router's own decisions. */
  public boolean useKvEvents() {
    return useKvEvents;
  }

  /** Whether events come from a durable stream. Deprecated; needs {@link #useKvEvents()}. */
  public boolean durableKvEvents() {
    return durableKvEvents;
  }

  /** Whether routers tell each other what they have booked. */
  public boolean routerReplicaSync() {
    return routerReplicaSync;
  }

  /** Whether the blocks of active requests are counted. */
  public boolean routerTrackActiveBlocks() {
    return routerTrackActiveBlocks;
  }

  /** Whether decoded blocks are counted, too; needs {@link #routerTrackActiveBlocks()}. */
  public boolean routerTrackOutputBlocks() {
    return routerTrackOutputBlocks;
  }

  /** Whether equal blocks of active requests count once. */
  public boolean routerAssumeKvReuse() {
    return routerAssumeKvReuse;
  }

  /** Whether the tokens that wait for prefill are counted and part of the cost. */
  public boolean routerTrackPrefillTokens() {
    return routerTrackPrefillTokens;
  }

  /** Who predicts how long a prefill takes; needs {@link #routerTrackPrefillTokens()}. */
  public RouterPrefillLoadModel routerPrefillLoadModel() {
    return routerPrefillLoadModel;
  }

  /** Messages of a durable stream between two snapshots, unsigned, from 1 on; empty for none. */
  public OptionalLong routerSnapshotThreshold() {
    return routerSnapshotThreshold;
  }

  /** Whether saved state is dropped at the start. */
  public boolean routerResetStates() {
    return routerResetStates;
  }

  /** Seconds that a block lives in an index fed by decisions; from 0 on. */
  public double routerTtlSecs() {
    return routerTtlSecs;
  }

  /**
   * The multiple of a worker's largest batch, in outstanding prefill tokens, from which on requests
   * wait in the queue; from 0 on, empty for no queue.
   */
  public OptionalDouble routerQueueThreshold() {
    return routerQueueThreshold;
  }

  /** The file that describes the queue's classes; null for the one default class. */
  public String routerPolicyConfig() {
    return routerPolicyConfig;
  }

  /** Threads that apply events, from 1 on. This engine has one; an embedder may partition. */
  public int routerEventThreads() {
    return routerEventThreads;
  }

  /** Whether a front end starts before it knows a worker. */
  public boolean skipInitialWorkerWait() {
    return skipInitialWorkerWait;
  }

  /** The order inside the queue's default class. */
  public QueueDiscipline routerQueuePolicy() {
    return routerQueuePolicy;
  }

  /** Whether overlaps are asked of another router's index. */
  public boolean useRemoteIndexer() {
    return useRemoteIndexer;
  }

  /**
   * Whether this router's index answers others; needs {@link #overlapScoreCredit()} above 0 and
   * excludes {@link #useRemoteIndexer()}.
   */
  public boolean serveIndexer() {
    return serveIndexer;
  }

  /** What a block in a cache that all workers share counts; 0 to 1. */
  public double sharedCacheMultiplier() {
    return sharedCacheMultiplier;
  }

  /** Which shared cache there is. */
  public SharedCacheType sharedCacheType() {
    return sharedCacheType;
  }

  /**
   * Seconds that a decision counts as if its blocks were cached already, beside the events; from 0
   * on, empty for never. Needs {@link #useKvEvents()}.
   */
  public OptionalDouble routerPredictedTtlSecs() {
    return routerPredictedTtlSecs;
  }

  /** Collects fields; a builder can be used again. Not thread-safe. */
  public static final class Builder {
    private double overlapScoreCredit = 1.0;
    private double overlapScoreCreditDecay = 0.0;
    private double prefillLoadScale = 1.0;
    private double hostCacheHitWeight = 0.75;
    private double diskCacheHitWeight = 0.25;
    private double decodeActiveRequestWeight = 0.0;
    private double routerTemperature = 0.0;
    private boolean useKvEvents = true;
    private boolean durableKvEvents = false;
    private boolean routerReplicaSync = false;
    private boolean routerTrackActiveBlocks = true;
    private boolean routerTrackOutputBlocks = false;
    private boolean routerAssumeKvReuse = true;
    private boolean routerTrackPrefillTokens = true;
    private RouterPrefillLoadModel routerPrefillLoadModel = RouterPrefillLoadModel.NONE;
    private OptionalLong routerSnapshotThreshold = OptionalLong.of(1_000_000);
    private boolean routerResetStates = false;
    private double routerTtlSecs = 120.0;
    private OptionalDouble routerQueueThreshold = OptionalDouble.of(16.0);
    private String routerPolicyConfig = null;
    private int routerEventThreads = 4;
    private boolean skipInitialWorkerWait = false;
    private QueueDiscipline routerQueuePolicy = QueueDiscipline.FCFS;
    private boolean useRemoteIndexer = false;
    private boolean serveIndexer = false;
    private double sharedCacheMultiplier = 0.0;
    private SharedCacheType sharedCacheType = SharedCacheType.NONE;
    private OptionalDouble routerPredictedTtlSecs = OptionalDouble.empty();

    private double overlapScoreWeight = Double.NaN;

    private Builder() {}

    /** Sets {@link KvRouterConfig#overlapScoreCredit()}. */
    public Builder overlapScoreCredit(final double value) {
      overlapScoreCredit = value;
      return this;
    }

    /** Sets {@link KvRouterConfig#overlapScoreCreditDecay()}. */
    public Builder overlapScoreCreditDecay(final double value) {
      overlapScoreCreditDecay = value;
      return this;
    }

    /** Sets {@link KvRouterConfig#prefillLoadScale()}. */
    public Builder prefillLoadScale(final double value) {
      prefillLoadScale = value;
      return this;
    }

    /** Sets {@link KvRouterConfig#hostCacheHitWeight()}. */
    public Builder hostCacheHitWeight(final double value) {
      hostCacheHitWeight = value;
      return this;
    }

    /** Sets {@link KvRouterConfig#diskCacheHitWeight()}. */
    public Builder diskCacheHitWeight(final double value) {
      diskCacheHitWeight = value;
      return this;
    }

    /** Sets {@link KvRouterConfig#decodeActiveRequestWeight()}. */
    public Builder decodeActiveRequestWeight(final double value) {
      decodeActiveRequestWeight = value;
      return this;
    }

    /** Sets {@link KvRouterConfig#routerTemperature()}. */
    public Builder routerTemperature(final double value) {
      routerTemperature = value;
      return this;
    }

    /** Sets {@link KvRouterConfig#useKvEvents()}. */
    public Builder useKvEvents(final boolean value) {
      useKvEvents = value;
      return this;
    }

    /** Sets {@link KvRouterConfig#durableKvEvents()}. */
    public Builder durableKvEvents(final boolean value) {
      durableKvEvents = value;
      return this;
    }

    /** Sets {@link KvRouterConfig#routerReplicaSync()}. */
    public Builder routerReplicaSync(final boolean value) {
      routerReplicaSync = value;
      return this;
    }

    /** Sets {@link KvRouterConfig#routerTrackActiveBlocks()}. */
    public Builder routerTrackActiveBlocks(final boolean value) {
      routerTrackActiveBlocks = value;
      return this;
    }

    /** Sets {@link KvRouterConfig#routerTrackOutputBlocks()}. */
    public Builder routerTrackOutputBlocks(final boolean value) {
      routerTrackOutputBlocks = value;
      return this;
    }

    /** Sets {@link KvRouterConfig#routerAssumeKvReuse()}. */
    public Builder routerAssumeKvReuse(final boolean value) {
      routerAssumeKvReuse = value;
      return this;
    }

    /** Sets {@link KvRouterConfig#routerTrackPrefillTokens()}. */
    public Builder routerTrackPrefillTokens(final boolean value) {
      routerTrackPrefillTokens = value;
      return this;
    }

    /** Sets {@link KvRouterConfig#routerPrefillLoadModel()}. */
    public Builder routerPrefillLoadModel(final RouterPrefillLoadModel value) {
      routerPrefillLoadModel = Objects.requireNonNull(value, "routerPrefillLoadModel");
      return this;
    }

    /** Sets {@link KvRouterConfig#routerSnapshotThreshold()}. */
    public Builder routerSnapshotThreshold(final long value) {
      routerSnapshotThreshold = OptionalLong.of(value);
      return this;
    }

    /** Leaves {@link KvRouterConfig#routerSnapshotThreshold()} empty. */
    public Builder noRouterSnapshotThreshold() {
      routerSnapshotThreshold = OptionalLong.empty();
      return this;
    }

    /** Sets {@link KvRouterConfig#routerResetStates()}. */
    public Builder routerResetStates(final boolean value) {
      routerResetStates = value;
      return this;
    }

    /** Sets {@link KvRouterConfig#routerTtlSecs()}. */
    public Builder routerTtlSecs(final double value) {
      routerTtlSecs = value;
      return this;
    }

    /** Sets {@link KvRouterConfig#routerQueueThreshold()}. */
    public Builder routerQueueThreshold(final double value) {
      routerQueueThreshold = OptionalDouble.of(value);
      return this;
    }

    /** Leaves {@link KvRouterConfig#routerQueueThreshold()} empty. */
    public Builder noRouterQueueThreshold() {
      routerQueueThreshold = OptionalDouble.empty();
      return this;
    }

    /** Sets {@link KvRouterConfig#routerPolicyConfig()}. */
    public Builder routerPolicyConfig(final String value) {
      routerPolicyConfig = value;
      return this;
    }

    /** Sets {@link KvRouterConfig#routerEventThreads()}. */
    public Builder routerEventThreads(final int value) {
      routerEventThreads = value;
      return this;
    }

    /** Sets {@link KvRouterConfig#skipInitialWorkerWait()}. */
    public Builder skipInitialWorkerWait(final boolean value) {
      skipInitialWorkerWait = value;
      return this;
    }

    /** Sets {@link KvRouterConfig#routerQueuePolicy()}. */
    public Builder routerQueuePolicy(final QueueDiscipline value) {
      routerQueuePolicy = Objects.requireNonNull(value, "routerQueuePolicy");
      return this;
    }

    /** Sets {@link KvRouterConfig#useRemoteIndexer()}. */
    public Builder useRemoteIndexer(final boolean value) {
      useRemoteIndexer = value;
      return this;
    }

    /** Sets {@link KvRouterConfig#serveIndexer()}. */
    public Builder serveIndexer(final boolean value) {
      serveIndexer = value;
      return this;
    }

    /** Sets {@link KvRouterConfig#sharedCacheMultiplier()}. */
    public Builder sharedCacheMultiplier(final double value) {
      sharedCacheMultiplier = value;
      return this;
    }

    /** Sets {@link KvRouterConfig#sharedCacheType()}. */
    public Builder sharedCacheType(final SharedCacheType value) {
      sharedCacheType = Objects.requireNonNull(value, "sharedCacheType");
      return this;
    }

    /** Sets {@link KvRouterConfig#routerPredictedTtlSecs()}. */
    public Builder routerPredictedTtlSecs(final double value) {
      routerPredictedTtlSecs = OptionalDouble.of(value);
      return this;
    }

    /** Leaves {@link KvRouterConfig#routerPredictedTtlSecs()} empty. */
    public Builder noRouterPredictedTtlSecs() {
      routerPredictedTtlSecs = OptionalDouble.empty();
      return this;
    }

    /**
     * Sets the legacy weight: whatever else is set, it becomes the {@link
     * KvRouterConfig#prefillLoadScale()}, and 0 takes the credit away.
     */
    public Builder overlapScoreWeight(final double value) {
      overlapScoreWeight = value;
      return this;
    }

    private double credit() {
      return overlapScoreWeight == 0.0 ? 0.0 : overlapScoreCredit;
    }

    private double scale() {
      return Double.isNaN(overlapScoreWeight) ? prefillLoadScale : overlapScoreWeight;
    }

    /**
     * Makes the configuration.
     *
     * @throws KvRouterConfigException if a field is out of its range, or two contradict each other
     */
    public KvRouterConfig build() {
      checkRanges();
      checkTogether();
      return new KvRouterConfig(this);
    }

    private void checkRanges() {
      Checks.notNegative("overlap_score_credit", credit());
      Checks.notNegative("overlap_score_credit_decay", overlapScoreCreditDecay);
      Checks.notNegative("prefill_load_scale", scale());
      Checks.notNegative("decode_active_request_weight", decodeActiveRequestWeight);
      Checks.notNegative("router_temperature", routerTemperature);
      Checks.notNegative("router_ttl_secs", routerTtlSecs);
      Checks.fraction("host_cache_hit_weight", hostCacheHitWeight);
      Checks.fraction("disk_cache_hit_weight", diskCacheHitWeight);
      Checks.fraction("shared_cache_multiplier", sharedCacheMultiplier);
      Checks.notNegative("router_queue_threshold", routerQueueThreshold.orElse(0.0));
      Checks.notNegative("router_predicted_ttl_secs", routerPredictedTtlSecs.orElse(0.0));
      Checks.positive("router_snapshot_threshold", routerSnapshotThreshold.orElse(1));
      Checks.positive("router_event_threads", routerEventThreads);
    }

    private void checkTogether() {
      Checks.needs(durableKvEvents, "durable_kv_events", useKvEvents, "use_kv_events");
      Checks.needs(
          routerTrackOutputBlocks,
          "router_track_output_blocks",
          routerTrackActiveBlocks,
          "router_track_active_blocks");
      Checks.needs(
          routerPrefillLoadModel != RouterPrefillLoadModel.NONE,
          "router_prefill_load_model",
          routerTrackPrefillTokens,
          "router_track_prefill_tokens");
      Checks.needs(
          routerPredictedTtlSecs.isPresent(),
          "router_predicted_ttl_secs",
          useKvEvents,
          "use_kv_events");
      Checks.needs(
          serveIndexer, "serve_indexer", !useRemoteIndexer, "use_remote_indexer to be off");
      Checks.needs(serveIndexer, "serve_indexer", credit() > 0.0, "overlap_score_credit above 0");
    }
  }
}
