package io.kvroute.protocol.json;

import io.kvroute.hash.BlockExtraInfo;
import io.kvroute.hash.MmRange;
import io.kvroute.hash.RequestExtraInfo;
import io.kvroute.hash.RequestMmObjectInfo;
import io.kvroute.protocol.ActiveBlockEvent;
import io.kvroute.protocol.ActiveBlockEventData;
import io.kvroute.protocol.ActiveLoad;
import io.kvroute.protocol.ActiveSequenceEvent;
import io.kvroute.protocol.ActiveSequenceEventData;
import io.kvroute.protocol.KvCacheEvents;
import io.kvroute.protocol.Placement;
import io.kvroute.protocol.PlacementEvent;
import io.kvroute.protocol.PlacementOwner;
import io.kvroute.protocol.PotentialLoad;
import io.kvroute.protocol.PrefillEvent;
import io.kvroute.protocol.PrefillEventData;
import io.kvroute.protocol.PrefillLoadHint;
import io.kvroute.protocol.QueueLimitKind;
import io.kvroute.protocol.QueueRejection;
import io.kvroute.protocol.RandomEvents;
import io.kvroute.protocol.RouterRequest;
import io.kvroute.protocol.RouterResponse;
import io.kvroute.protocol.RoutingConstraints;
import io.kvroute.protocol.StorageTier;
import io.kvroute.protocol.UnsignedDuration;
import io.kvroute.protocol.UnsignedInts;
import io.kvroute.protocol.UnsignedLongs;
import io.kvroute.protocol.WorkerWithDpRank;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/** Seeded random values of every type of the vocabulary. */
final class JsonRandom {
  private static final int[] CODE_POINTS = {
    0, 7, 8, 9, 10, 12, 13, 31, ' ', '"', '\\', '/', 'a', 0x7F, 0x80, 0xE9, 0x7FF, 0x2028, 0xD7FF,
    0xE000, 0xFEFF, 0xFFFF, 0x10000, 0x1F600, 0x10FFFF
  };

  private final SplittableRandom random;
  private final RandomEvents events;

  JsonRandom(final long seed) {
    random = new SplittableRandom(seed);
    events = new RandomEvents(seed);
  }

  /** A codec and a value of its type. */
  record Sample<T>(JsonCodec<T> codec, T value) {
    static <T> Sample<T> of(final JsonCodec<T> codec, final T value) {
      return new Sample<>(codec, value);
    }
  }

  Sample<?> next() {
    return switch (random.nextInt(16)) {
      case 0 -> Sample.of(ProtocolJson.ROUTER_EVENT, events.next());
      case 1 ->
          Sample.of(
              ProtocolJson.KV_CACHE_EVENTS,
              new KvCacheEvents(list(events::cacheEvent), random.nextBoolean()));
      case 2 -> Sample.of(ProtocolJson.KV_CACHE_EVENT_DATA, events.cacheEvent().data());
      case 3 -> Sample.of(ProtocolJson.PLACEMENT_EVENT, placementEvent());
      case 4, 5, 6 -> Sample.of(ProtocolJson.ROUTER_REQUEST, request());
      case 7, 8 -> Sample.of(ProtocolJson.ROUTER_RESPONSE, response());
      case 9 -> Sample.of(ProtocolJson.ROUTING_CONSTRAINTS, constraints());
      case 10 ->
          Sample.of(
              ProtocolJson.ACTIVE_LOAD,
              new ActiveLoad(
                  events.u64(), events.u32(), optionalU64(), optionalU64(), optionalU64()));
      case 11 -> Sample.of(ProtocolJson.PREFILL_EVENT, prefillEvent());
      case 12 ->
          Sample.of(
              ProtocolJson.ACTIVE_SEQUENCE_EVENT,
              new ActiveSequenceEvent(
                  text(), worker(), sequenceData(), events.u64(), orNull(this::text)));
      case 13 ->
          Sample.of(
              ProtocolJson.ACTIVE_BLOCK_EVENT,
              new ActiveBlockEvent(
                  text(),
                  random.nextBoolean()
                      ? new ActiveBlockEventData.FreeBlock()
                      : new ActiveBlockEventData.NewBlock(hashes())));
      case 14 -> Sample.of(ProtocolJson.REQUEST_EXTRA_INFO, requestInfo());
      default -> Sample.of(ProtocolJson.EXTERNAL_SEQUENCE_BLOCK_HASH, events.u64());
    };
  }

  private PlacementEvent placementEvent() {
    final PlacementOwner owner =
        random.nextBoolean()
            ? new PlacementOwner.Shared()
            : new PlacementOwner.LocalWorker(worker());
    final StorageTier tier = StorageTier.ofOrdinal(random.nextInt(StorageTier.count()));
    return new PlacementEvent(new Placement(owner, tier), events.cacheEvent());
  }

  private RouterRequest request() {
    return switch (random.nextInt(4)) {
      case 0 -> new RouterRequest.MarkFree(orNull(this::text));
      case 1 -> new RouterRequest.MarkPrefill(orNull(this::text));
      case 2 -> new RouterRequest.PotentialLoads(tokens(), mmInfos(), orNull(this::text));
      default ->
          new RouterRequest.New(
              tokens(), mmInfos(), constraints(), finite(), events.u32(), orNull(this::text));
    };
  }

  private RouterResponse response() {
    return switch (random.nextInt(5)) {
      case 0 -> new RouterResponse.New(events.u64(), events.u32(), events.u32());
      case 1 -> new RouterResponse.PrefillMarked(random.nextBoolean());
      case 2 -> new RouterResponse.FreeMarked(random.nextBoolean());
      case 3 -> new RouterResponse.QueueRejected(rejection());
      default -> new RouterResponse.PotentialLoads(list(this::load), events.u64(), events.u64());
    };
  }

  private QueueRejection rejection() {
    final QueueLimitKind[] kinds = QueueLimitKind.values();
    return new QueueRejection(
        text(), kinds[random.nextInt(kinds.length)], events.u64(), events.u64());
  }

  private PotentialLoad load() {
    return new PotentialLoad(events.u64(), events.u32(), events.u64(), events.u64(), events.u64());
  }

  private RoutingConstraints constraints() {
    final Set<String> required = new HashSet<>(list(this::text));
    final Map<String, Float> preferred = new HashMap<>();
    for (final String taint : list(this::text)) {
      final float weight = Float.intBitsToFloat(random.nextInt());
      preferred.put(taint, Float.isFinite(weight) ? weight : 0.5f);
    }
    return new RoutingConstraints(required, preferred);
  }

  private PrefillEvent prefillEvent() {
    final PrefillEventData data =
        switch (random.nextInt(3)) {
          case 0 -> new PrefillEventData.NewPrefill(events.u64());
          case 1 -> new PrefillEventData.UpdatePrefill(events.u64());
          default -> new PrefillEventData.CompletePrefill();
        };
    return new PrefillEvent(text(), events.u64(), data, events.u64());
  }

  private ActiveSequenceEventData sequenceData() {
    return switch (random.nextInt(4)) {
      case 0 -> new ActiveSequenceEventData.Free();
      case 1 -> new ActiveSequenceEventData.MarkPrefillCompleted();
      default ->
          new ActiveSequenceEventData.AddRequest(
              orNull(this::hashes),
              random.nextBoolean(),
              random.nextBoolean() ? OptionalInt.of(events.u32()) : OptionalInt.empty(),
              orNull(this::hint));
    };
  }

  private PrefillLoadHint hint() {
    return new PrefillLoadHint(
        events.u64(),
        orNull(() -> new UnsignedDuration(events.u64(), random.nextInt(1_000_000_000))));
  }

  private RequestExtraInfo requestInfo() {
    return new RequestExtraInfo(
        list(
            () ->
                new RequestMmObjectInfo(
                    events.u64(), list(() -> new MmRange(events.u64(), events.u64())))));
  }

  private List<BlockExtraInfo> mmInfos() {
    return orNull(() -> list(() -> orNull(events::blockInfo)));
  }

  private WorkerWithDpRank worker() {
    return new WorkerWithDpRank(events.u64(), events.u32());
  }

  private UnsignedInts tokens() {
    return UnsignedInts.of(random.ints(random.nextInt(40)).toArray());
  }

  private UnsignedLongs hashes() {
    return UnsignedLongs.of(events.hashes(random.nextInt(40)));
  }

  private OptionalLong optionalU64() {
    return random.nextBoolean() ? OptionalLong.of(events.u64()) : OptionalLong.empty();
  }

  private double finite() {
    final double value = Double.longBitsToDouble(random.nextLong());
    return Double.isFinite(value) ? value : -0.0;
  }

  private String text() {
    final StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(6); i > 0; i--) {
      text.appendCodePoint(CODE_POINTS[random.nextInt(CODE_POINTS.length)]);
    }
    return text.toString();
  }

  private <T> T orNull(final Supplier<T> supplier) {
    return random.nextBoolean() ? supplier.get() : null;
  }

  private <T> List<T> list(final Supplier<T> supplier) {
    final List<T> list = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      list.add(supplier.get());
    }
    return list;
  }
}
