package io.kvroute.route;

import io.kvroute.load.LoadListener;
import io.kvroute.load.ReplicaListener;
import io.kvroute.memory.CapacityExceededException;
import io.kvroute.route.queue.QueuePolicy;
import io.kvroute.route.queue.SchedulerQueue;
import java.util.Objects;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;

/**
 * What a {@link KvRouter} is made of. All memory outside of the heap is laid out when it is built;
 * what is full later refuses and counts.
 */
public final class KvRouterBuilder {
  private static final int MAX_RANKS = 1 << 16;

  private final long blockSize;
  private KvRouterConfig config = KvRouterConfig.DEFAULT;
  private OverloadThresholds thresholds = OverloadThresholds.NONE;
  private QueuePolicy queuePolicy;
  private boolean eagle;
  private long seed;
  private long routerId;
  private NanoClock clock = SystemNanoClock.INSTANCE;
  private long blockCapacity = 1 << 20;
  private long activeBlockCapacity;
  private long edgeCapacity;
  private int rankCapacity = 64;
  private int requestCapacity = 1 << 14;
  private int feedRingBytes = 1 << 22;
  private int queueCapacity = SchedulerQueue.DEFAULT_CAPACITY;
  private long overlapRefreshAfterNs = SchedulerQueue.DEFAULT_OVERLAP_REFRESH_AFTER_NS;
  private CostFunction costFunction = WorkerSelector.kvCost();
  private CostPicker picker = new SoftmaxPicker();
  private PrefillLoadModel prefillLoadModel;
  private RouteListener listener = request -> {};
  private LoadListener loadListener;
  private ReplicaListener replicaListener;

  KvRouterBuilder(final long blockSize) {
    this.blockSize = blockSize;
  }

  /** How the router decides. Default {@link KvRouterConfig#DEFAULT}. */
  public KvRouterBuilder config(final KvRouterConfig value) {
    config = Objects.requireNonNull(value, "config");
    return this;
  }

  /** From when on ranks are overloaded; can be changed later. Default never. */
  public KvRouterBuilder overloadThresholds(final OverloadThresholds value) {
    thresholds = Objects.requireNonNull(value, "overloadThresholds");
    return this;
  }

  /** The queue's classes. Default one class, as the configuration has it. */
  public KvRouterBuilder queuePolicy(final QueuePolicy value) {
    queuePolicy = Objects.requireNonNull(value, "queuePolicy");
    return this;
  }

  /** Whether engines hash windows of one token more than a block. Default no. */
  public KvRouterBuilder eagle(final boolean value) {
    eagle = value;
    return this;
  }

  /** What ties and draws depend on; routers side by side should have different ones. Default 0. */
  public KvRouterBuilder seed(final long value) {
    seed = value;
    return this;
  }

  /** Who this router is among its replicas, unsigned. Default 0. */
  public KvRouterBuilder routerId(final long value) {
    routerId = value;
    return this;
  }

  /** The clock. Default the system's. */
  public KvRouterBuilder clock(final NanoClock value) {
    clock = Objects.requireNonNull(value, "clock");
    return this;
  }

  /** The most distinct blocks of the index. Default 1,048,576. */
  public KvRouterBuilder blockCapacity(final long value) {
    blockCapacity = value;
    return this;
  }

  /** The most distinct blocks of active prompts. Default as many as the index holds. */
  public KvRouterBuilder activeBlockCapacity(final long value) {
    activeBlockCapacity = value;
    return this;
  }

  /**
   * The most runs of blocks without a branch that the index holds. Default one per 40 blocks; large
   * blocks need more, since prompts have few of them.
   */
  public KvRouterBuilder edgeCapacity(final long value) {
    edgeCapacity = value;
    return this;
  }

  /**
   * The most (worker, data-parallel rank) pairs, 1 to 65,536. Default 64.
   *
   * @throws CapacityExceededException if out of range
   */
  public KvRouterBuilder rankCapacity(final int value) {
    if (value < 1 || value > MAX_RANKS) {
      throw new CapacityExceededException(
          "router capacity out of range: rankCapacity=" + value + " limit=" + MAX_RANKS);
    }
    rankCapacity = value;
    return this;
  }

  /** The most active requests. Default 16,384. */
  public KvRouterBuilder requestCapacity(final int value) {
    requestCapacity = value;
    return this;
  }

  /**
   * Bytes of the ring through which events arrive, a power of two; a message may have an eighth of
   * it. Default 4 MiB.
   */
  public KvRouterBuilder feedRingBytes(final int value) {
    feedRingBytes = value;
    return this;
  }

  /** The most requests that may be parked. Default 65,536. */
  public KvRouterBuilder queueCapacity(final int value) {
    queueCapacity = value;
    return this;
  }

  /** Nanoseconds in the queue after which overlap is computed anew; 0 for never. Default 10 s. */
  public KvRouterBuilder overlapRefreshAfterNs(final long value) {
    overlapRefreshAfterNs = value;
    return this;
  }

  /** What a rank costs. Default {@link WorkerSelector#kvCost()}. */
  public KvRouterBuilder costFunction(final CostFunction value) {
    costFunction = Objects.requireNonNull(value, "costFunction");
    return this;
  }

  /** Which cost wins. Default a {@link SoftmaxPicker}. */
  public KvRouterBuilder picker(final CostPicker value) {
    picker = Objects.requireNonNull(value, "picker");
    return this;
  }

  /**
   * Who predicts how long prefills take; it is asked if {@link
   * KvRouterConfig#routerPrefillLoadModel()} is {@link RouterPrefillLoadModel#AIC}, and must be
   * there then. Default nobody.
   */
  public KvRouterBuilder prefillLoadModel(final PrefillLoadModel value) {
    prefillLoadModel = value;
    return this;
  }

  /** Who is told of requests that had to wait. Default nobody. */
  public KvRouterBuilder listener(final RouteListener value) {
    listener = Objects.requireNonNull(value, "listener");
    return this;
  }

  /** Who is told of every change of a rank's load, to publish it. Default nobody. */
  public KvRouterBuilder loadListener(final LoadListener value) {
    loadListener = value;
    return this;
  }

  /**
   * Who tells other routers of this one's requests; it is told if {@link
   * KvRouterConfig#routerReplicaSync()} is on. Default nobody.
   */
  public KvRouterBuilder replicaListener(final ReplicaListener value) {
    replicaListener = value;
    return this;
  }

  /**
   * Makes the router: no worker, no request.
   *
   * @throws IllegalArgumentException if the block size or the ring's size is out of range
   * @throws KvRouterConfigException if the configuration asks for a prefill model that is missing
   * @throws CapacityExceededException if a capacity is out of range, or memory too little; nothing
   *     is left allocated then
   */
  public KvRouter build() {
    Checks.needs(
        config.routerPrefillLoadModel() != RouterPrefillLoadModel.NONE,
        "router_prefill_load_model",
        prefillLoadModel != null,
        "a model");
    return new KvRouter(this);
  }

  long blockSize() {
    return blockSize;
  }

  KvRouterConfig config() {
    return config;
  }

  OverloadThresholds overloadThresholds() {
    return thresholds;
  }

  QueuePolicy queuePolicy() {
    return queuePolicy != null
        ? queuePolicy
        : QueuePolicy.single(
            config.routerQueuePolicy(), config.routerQueueThreshold().orElse(Double.NaN));
  }

  boolean eagle() {
    return eagle;
  }

  long seed() {
    return seed;
  }

  long routerId() {
    return routerId;
  }

  NanoClock clock() {
    return clock;
  }

  long blockCapacity() {
    return blockCapacity;
  }

  long activeBlockCapacity() {
    return activeBlockCapacity == 0 ? blockCapacity : activeBlockCapacity;
  }

  /** 0 if it was not said. */
  long edgeCapacity() {
    return edgeCapacity;
  }

  int rankCapacity() {
    return rankCapacity;
  }

  int requestCapacity() {
    return requestCapacity;
  }

  int feedRingBytes() {
    return feedRingBytes;
  }

  int queueCapacity() {
    return queueCapacity;
  }

  long overlapRefreshAfterNs() {
    return overlapRefreshAfterNs;
  }

  CostFunction costFunction() {
    return costFunction;
  }

  CostPicker picker() {
    return picker;
  }

  /** Null unless the configuration asks for one. */
  PrefillLoadModel prefillLoadModel() {
    return config.routerPrefillLoadModel() == RouterPrefillLoadModel.NONE ? null : prefillLoadModel;
  }

  RouteListener listener() {
    return listener;
  }

  LoadListener loadListener() {
    return loadListener;
  }

  /** Null unless routers are to tell each other. */
  ReplicaListener replicaListener() {
    return config.routerReplicaSync() ? replicaListener : null;
  }
}
