package io.kvroute.twin;

import io.kvroute.cache.CacheView;
import io.kvroute.cache.RadixCache;
import io.kvroute.engine.ActiveKvLease;
import io.kvroute.engine.CacheTrace;
import io.kvroute.engine.DecodeReservation;
import io.kvroute.engine.DestinationReservation;
import io.kvroute.engine.SglangKvManager;
import io.kvroute.hash.TokenView;
import io.kvroute.protocol.KvEventDecoder;
import io.kvroute.protocol.KvEventSink;
import io.kvroute.protocol.KvEventType;
import io.kvroute.protocol.ListenerSink;
import io.kvroute.protocol.StorageTier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** The off-heap manager behind the common interface; its event bytes are decoded as they come. */
final class RealSubject implements KvSubject {
  /** Sinks fail here by the thousand, and each manager logs its first failure. */
  private static final Logger QUIET = Logger.getLogger("io.kvroute.engine.EventWriter");

  private static final long WORKER = 0x8000_0000_0000_0007L;

  private final SglangKvManager manager;
  private final Consumer<TwinEvent> events;
  private final int dpRank;
  private final KvEventDecoder decoder = new KvEventDecoder();
  private final ListenerSink healthy = new ListenerSink(this::onEvent);
  private final TokenView view = new TokenView();
  private final Slots<ActiveKvLease> leases = new Slots<>(ActiveKvLease::new);
  private final Slots<DecodeReservation> reservations = new Slots<>(DecodeReservation::new);
  private final Slots<DestinationReservation> destinations =
      new Slots<>(DestinationReservation::new);
  private final Slots<Integer> holders = new Slots<>(() -> null);

  RealSubject(final Config config) {
    this(config, (int) (config.totalTokens() / config.pageSize()));
  }

  /** A manager with fewer radix nodes than it may need. */
  RealSubject(final Config config, final int nodeCapacity) {
    QUIET.setLevel(Level.OFF);
    events = config.events();
    dpRank = config.dpRank();
    manager =
        SglangKvManager.builder(config.totalTokens(), config.pageSize())
            .nodeCapacity(Math.max(2, nodeCapacity))
            .workerId(WORKER)
            .dpRank(dpRank)
            .sink(sinkOf(config.sink()))
            .trace(traceTo(config.trace()))
            .build();
  }

  SglangKvManager manager() {
    return manager;
  }

  private static CacheTrace traceTo(final Consumer<TraceRecord> trace) {
    if (trace == null) {
      return null;
    }
    return (event, rank, tokens, pageSize, available, evictable, protectedTokens, total) ->
        trace.accept(
            new TraceRecord(
                event.name(),
                rank,
                tokens,
                pageSize,
                available,
                evictable,
                protectedTokens,
                total));
  }

  /** A sink that does with an event what the mode says. */
  private record FaultySink(ListenerSink healthy, SinkMode mode) implements KvEventSink {
    @Override
    public int claim(final int length) {
      if (mode == SinkMode.THROWS_ON_CLAIM) {
        throw new IllegalStateException("the sink fails");
      }
      return mode == SinkMode.NO_ROOM ? -1 : healthy.claim(length);
    }

    @Override
    public MutableDirectBuffer buffer() {
      return healthy.buffer();
    }

    @Override
    public void commit(final int offset, final int length) {
      throw new IllegalStateException("the sink fails");
    }
  }

  private KvEventSink sinkOf(final SinkMode mode) {
    return switch (mode) {
      case ABSENT -> null;
      case HEALTHY -> healthy;
      default -> new FaultySink(healthy, mode);
    };
  }

  private void onEvent(final DirectBuffer buffer, final int offset, final int length) {
    decoder.wrap(buffer, offset, length);
    demand(decoder.length() == length, "the event is not as long as its bytes");
    demand(decoder.workerId() == WORKER && decoder.dpRank() == dpRank, "wrong origin");
    demand(decoder.tier() == StorageTier.DEVICE, "wrong tier");
    demand(!decoder.hasStartPosition() && !decoder.hasMultimodal(), "wrong sections");
    final boolean stored = decoder.type() == KvEventType.STORED;
    final List<Long> blocks = new ArrayList<>(decoder.blockCount());
    final List<Long> tokens = new ArrayList<>(decoder.blockCount());
    for (int i = 0; i < decoder.blockCount(); i++) {
      blocks.add(decoder.blockHash(i));
      if (stored) {
        tokens.add(decoder.tokensHash(i));
      }
    }
    demand(stored || decoder.type() == KvEventType.REMOVED, "wrong type");
    events.accept(
        stored
            ? new TwinEvent.Stored(
                decoder.eventId(), decoder.hasParent(), decoder.parentHash(), blocks, tokens)
            : new TwinEvent.Removed(decoder.eventId(), blocks));
  }

  private TokenView view(final int[] tokens, final int count) {
    return view.wrap(tokens, 0, count);
  }

  @Override
  public long allocate(final int lease, final int[] tokens, final int count) {
    return manager.allocate(view(tokens, count), leases.get(lease));
  }

  @Override
  public boolean extendAllocation(final int lease, final int[] tokens, final int count) {
    return manager.extendAllocation(view(tokens, count), leases.get(lease));
  }

  @Override
  public void extendCachedPrefix(final int lease, final int[] tokens, final int count) {
    manager.extendCachedPrefix(view(tokens, count), leases.get(lease));
  }

  @Override
  public boolean reserveDecodePages(final int reservation, final int pages) {
    return manager.reserveDecodePages(pages, reservations.get(reservation));
  }

  @Override
  public void extendDecode(final int lease, final int reservation) {
    manager.extendDecode(leases.get(lease), reservations.get(reservation));
  }

  @Override
  public long allocateDecodeToken(final int lease) {
    return manager.allocateDecodeToken(leases.get(lease));
  }

  @Override
  public void releaseDecodeReservation(final int reservation) {
    manager.releaseDecodeReservation(reservations.get(reservation));
  }

  @Override
  public void finish(final int lease, final int[] tokens, final int count) {
    manager.finish(view(tokens, count), leases.get(lease));
  }

  @Override
  public boolean abort(final int lease) {
    return manager.abort(leases.get(lease));
  }

  @Override
  public boolean retract(final int lease) {
    return manager.retract(leases.get(lease));
  }

  @Override
  public boolean reserveDestination(final int destination, final int[] tokens, final int count) {
    return manager.reserveDestination(view(tokens, count), destinations.get(destination));
  }

  @Override
  public long activateDestination(
      final int destination, final int lease, final int[] tokens, final int count) {
    return manager.activateDestination(
        destinations.get(destination), view(tokens, count), leases.get(lease));
  }

  @Override
  public void cancelDestination(final int destination) {
    manager.cancelDestination(destinations.get(destination));
  }

  @Override
  public void evict(final long tokens) {
    manager.evict(tokens);
  }

  @Override
  public long match(final int[] tokens, final int count) {
    return manager.cache().matchPrefix(view(tokens, count));
  }

  @Override
  public long prefixMatchLen(final int[] tokens, final int count) {
    return manager.cache().prefixMatchLen(view(tokens, count));
  }

  @Override
  public long lock(final int holder, final int[] tokens, final int count) {
    if (holders.get(holder) != null) {
      throw new IllegalStateException("the holder holds a lock");
    }
    final long matched = manager.cache().matchPrefix(view(tokens, count));
    final int node = manager.cache().matchedNode();
    manager.cache().lock(node);
    holders.set(holder, node);
    return matched;
  }

  @Override
  public void unlock(final int holder) {
    if (holders.get(holder) == null) {
      throw new IllegalStateException("the holder holds no lock");
    }
    manager.cache().unlock(holders.get(holder));
    holders.set(holder, null);
  }

  @Override
  public void unlockUnlocked(final int[] tokens, final int count) {
    final RadixCache cache = manager.cache();
    cache.matchPrefix(view(tokens, count));
    final int node = cache.matchedNode();
    if (new CacheView(cache).lockCount(node) == 0) {
      cache.unlock(node);
    }
  }

  @Override
  public void sink(final SinkMode mode) {
    manager.sink(sinkOf(mode));
  }

  @Override
  public Figures figures() {
    final RadixCache cache = manager.cache();
    return new Figures(
        cache.availableTokens(),
        cache.evictableTokens(),
        cache.protectedTokens(),
        cache.totalTokens(),
        cache.nodes(),
        manager.storedEvents(),
        manager.removedEvents(),
        manager.storedBlocks(),
        manager.removedBlocks(),
        manager.hashedBlocks(),
        manager.lastHashedBlocks(),
        manager.sinkRefusals(),
        manager.sinkFailures(),
        manager.unbalancedUnlocks());
  }

  @Override
  public LeaseState lease(final int slot) {
    final ActiveKvLease lease = leases.get(slot);
    final long[] indices = new long[(int) lease.tokenCount()];
    demand(lease.tokenIndices(indices) == indices.length, "not all indices were written");
    return new LeaseState(
        lease.isActive(),
        lease.tokenCount(),
        lease.cachedTokens(),
        lease.lastIndex(),
        Arrays.stream(indices).boxed().toList());
  }

  @Override
  public int reservationCount(final int reservation) {
    return reservations.get(reservation).count();
  }

  @Override
  public DestinationState destination(final int slot) {
    final DestinationReservation destination = destinations.get(slot);
    if (!destination.isActive()) {
      return null;
    }
    final long[] indices = new long[(int) destination.promptTokens()];
    demand(destination.tokenIndices(indices) == indices.length, "not all indices were written");
    return new DestinationState(
        destination.prefixLen(),
        destination.transferablePromptTokens(),
        destination.allocatedTokens(),
        Arrays.stream(indices).boxed().toList());
  }

  @Override
  public Snapshot snapshot() {
    final CacheView inspector = new CacheView(manager.cache());
    final List<TreeNode> tree = new ArrayList<>();
    collect(inspector, inspector.children(), RadixCache.ROOT, 0, tree);
    final TreeMap<Integer, Long> published = new TreeMap<>();
    for (int place = 0; place < manager.cache().pool().placeCount(); place++) {
      if (inspector.isPublished(place)) {
        published.put(inspector.number(place), inspector.hash(place));
      }
    }
    return new Snapshot(tree, inspector.recycled(), inspector.nextFresh(), published);
  }

  private static void collect(
      final CacheView inspector,
      final Map<Integer, List<Integer>> children,
      final int node,
      final int depth,
      final List<TreeNode> tree) {
    final List<Integer> pages = inspector.edge(node);
    tree.add(
        new TreeNode(
            depth,
            pages.stream().map(inspector::key).toList(),
            pages.stream().map(inspector::number).toList(),
            inspector.lockCount(node),
            inspector.stamp(node)));
    final TreeMap<Long, Integer> byKey = new TreeMap<>();
    for (final Integer child : children.get(node)) {
      byKey.put(inspector.key(inspector.edge(child).get(0)), child);
    }
    byKey.values().forEach(child -> collect(inspector, children, child, depth + 1, tree));
  }

  @Override
  public void checkInvariants() {
    new RealInvariants(manager, leases.all(), reservations.all(), destinations.all(), holders.all())
        .check();
  }

  private static void demand(final boolean condition, final String message) {
    if (!condition) {
      throw new AssertionError(message);
    }
  }

  @Override
  public void close() {
    manager.close();
  }
}
