package io.kvroute.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.hash.BlockExtraInfo;
import io.kvroute.hash.BlockHashes;
import io.kvroute.hash.TokenView;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ProtocolTypesTest {
  private static final KvCacheEvent CLEARED =
      new KvCacheEvent(1, new KvCacheEventData.Cleared(), 3);

  @Test
  void shouldHoldWhatARouterEventWasMadeOf() {
    final KvCacheStoreData store =
        new KvCacheStoreData(
            OptionalLong.empty(),
            OptionalInt.empty(),
            List.of(new KvCacheStoredBlockData(0, Long.parseUnsignedLong("13226331709069118873"))));
    final RouterEvent event = new RouterEvent(0, new KvCacheEvent(1, store, 0));
    assertEquals(0, event.workerId());
    assertEquals(StorageTier.DEVICE, event.storageTier());
    assertEquals(1, event.event().eventId());
    final List<KvCacheStoredBlockData> blocks = ((KvCacheStoreData) event.event().data()).blocks();
    assertEquals(1, blocks.size());
    assertEquals(0, blocks.get(0).blockHash());
    assertEquals(
        BlockHashes.computeBlockHash("test data".getBytes(StandardCharsets.US_ASCII)),
        blocks.get(0).tokensHash());
    final KvCacheEvents events = new KvCacheEvents(List.of(event.event()), true);
    assertEquals(List.of(event.event()), events.events());
    assertTrue(events.shutdown());
  }

  @Test
  void shouldSortWorkersUnsigned() {
    final List<WorkerWithDpRank> workers =
        new ArrayList<>(
            List.of(
                new WorkerWithDpRank(Long.MIN_VALUE, 0),
                new WorkerWithDpRank(1, -1),
                new WorkerWithDpRank(1, 1),
                WorkerWithDpRank.fromWorkerId(1)));
    workers.sort(null);
    assertEquals(
        "[WorkerWithDpRank[workerId=1, dpRank=0], WorkerWithDpRank[workerId=1, dpRank=1],"
            + " WorkerWithDpRank[workerId=1, dpRank=4294967295],"
            + " WorkerWithDpRank[workerId=9223372036854775808, dpRank=0]]",
        workers.toString());
  }

  @Test
  void shouldKeepEveryBitWhenAHashIsSigned() {
    assertEquals(
        "18446744073709551615", Long.toUnsignedString(ExternalSequenceBlockHash.fromSigned(-1)));
    assertEquals(
        "9223372036854775808",
        Long.toUnsignedString(ExternalSequenceBlockHash.fromSigned(Long.MIN_VALUE)));
    assertEquals(5, ExternalSequenceBlockHash.fromSigned(5));
  }

  @Test
  void shouldMapMediumNamesToTiersAndBack() {
    final Map<String, StorageTier> known =
        Map.ofEntries(
            Map.entry("GPU", StorageTier.DEVICE),
            Map.entry("DEVICE", StorageTier.DEVICE),
            Map.entry("CPU", StorageTier.HOST_PINNED),
            Map.entry("CPU_PINNED", StorageTier.HOST_PINNED),
            Map.entry("CPU_TIER1", StorageTier.HOST_PINNED),
            Map.entry("CPU_TIER2", StorageTier.DISK),
            Map.entry("DISK", StorageTier.DISK),
            Map.entry("NVME", StorageTier.DISK),
            Map.entry("EXTERNAL", StorageTier.EXTERNAL),
            Map.entry("NETWORK", StorageTier.EXTERNAL),
            Map.entry("REMOTE", StorageTier.EXTERNAL),
            Map.entry("SHARED", StorageTier.EXTERNAL));
    known.forEach((name, tier) -> assertEquals(tier, StorageTier.fromKvMedium(name), name));
    for (final String unknown : new String[] {"gpu", "", "HBM", "GPU ", null}) {
      assertNull(StorageTier.fromKvMedium(unknown));
      assertEquals(StorageTier.DEVICE, StorageTier.fromKvMediumOrDefault(unknown));
    }
    assertNull(StorageTier.DEVICE.toKvMedium());
    for (final StorageTier tier : StorageTier.values()) {
      assertEquals(tier, StorageTier.fromKvMediumOrDefault(tier.toKvMedium()));
      assertEquals(tier == StorageTier.DEVICE, tier.isGpu());
    }
  }

  @Test
  void shouldCountEachUnknownMediumName() {
    final MediumResolver resolver = new MediumResolver();
    assertEquals(StorageTier.DISK, resolver.tierOf("NVME"));
    assertEquals(StorageTier.DEVICE, resolver.tierOf(null));
    assertEquals(StorageTier.DEVICE, resolver.tierOf("HBM"));
    assertEquals(StorageTier.DEVICE, resolver.tierOf("HBM"));
    assertEquals(StorageTier.DEVICE, resolver.tierOf("gpu"));
    assertEquals(Map.of("HBM", 2L, "gpu", 1L), resolver.unknownNames());
    for (int i = 0; i < 100; i++) {
      resolver.tierOf("medium" + i);
    }
    resolver.tierOf("x".repeat(MediumResolver.MAX_NAME_LENGTH + 1));
    assertEquals(MediumResolver.MAX_NAMES, resolver.unknownNames().size());
    assertEquals(100 - (MediumResolver.MAX_NAMES - 2) + 1, resolver.otherUnknownNames());
  }

  @Test
  void shouldBecomeARouterEventOnlyWhenAWorkerOwnsThePlace() {
    final PlacementEvent onDisk =
        new PlacementEvent(Placement.localWorker(-1, 9, StorageTier.DISK), CLEARED);
    assertEquals(new RouterEvent(-1, StorageTier.DISK, CLEARED), onDisk.intoRouterEvent());
    final PlacementEvent shared =
        new PlacementEvent(
            new Placement(new PlacementOwner.Shared(), StorageTier.EXTERNAL), CLEARED);
    assertNull(shared.intoRouterEvent());
    final PlacementEvent local = PlacementEvent.localGpu(5, CLEARED);
    assertEquals(Placement.localGpu(5, 3), local.placement());
    assertEquals(new RouterEvent(5, CLEARED), local.intoRouterEvent());
    assertTrue(local.placement().isLocalGpu());
    assertFalse(onDisk.placement().isLocalGpu());
    assertFalse(new Placement(new PlacementOwner.Shared(), StorageTier.DEVICE).isLocalGpu());
  }

  @Test
  void shouldCreditWorkersAndStopAtTheLargestScore() {
    final WorkerWithDpRank one = new WorkerWithDpRank(1, 0);
    final WorkerWithDpRank two = new WorkerWithDpRank(2, 0);
    final OverlapScores scores = new OverlapScores(Map.of(two, -2), UnsignedLongs.of(4));
    scores.updateScores(List.of(one, two, one));
    assertEquals(Map.of(one, 2, two, -1), scores.scores());
    scores.updateScores(List.of(two));
    assertEquals(Map.of(one, 2, two, -1), scores.scores());
    assertEquals(UnsignedLongs.of(4), scores.frequencies());
    assertThrows(UnsupportedOperationException.class, () -> scores.scores().clear());
    assertNotEquals(new OverlapScores(), scores);
    assertEquals(new OverlapScores(scores.scores(), scores.frequencies()), scores);
  }

  @Test
  void shouldHaveNoTopologyWhenAWorkerConfigurationNamesNone() {
    final WorkerConfig config =
        new WorkerConfig() {
          @Override
          public int dataParallelStartRank() {
            return 0;
          }

          @Override
          public int dataParallelSize() {
            return 1;
          }

          @Override
          public OptionalLong maxNumBatchedTokens() {
            return OptionalLong.empty();
          }

          @Override
          public OptionalLong totalKvBlocks() {
            return OptionalLong.empty();
          }
        };
    assertEquals(Set.of(), config.taints());
    assertNull(config.stableRoutingId());
    assertNull(config.topologyDomains());
    assertNull(config.kvTransferDomain());
    assertNull(config.kvTransferEnforcement());
    assertEquals(OptionalDouble.empty(), config.kvTransferPreferredWeight());
  }

  @Test
  void shouldRoundOverlapsHalfUpWithinTheRangeOfACount() {
    final double[] overlaps = {0, 0.49999999999999994, 0.5, 2.5, 3.4, -1, -0.5, Double.NaN};
    final int[] blocks = {0, 0, 1, 3, 3, 0, 0, 0};
    for (int i = 0; i < overlaps.length; i++) {
      assertEquals(blocks[i], selection(overlaps[i]).overlapBlocks(), "overlap=" + overlaps[i]);
    }
    assertEquals(-1, selection(1e300).overlapBlocks());
    assertEquals(-1, selection(4294967295.0).overlapBlocks());
  }

  private static WorkerSelectionResult selection(final double overlap) {
    return new WorkerSelectionResult(WorkerWithDpRank.fromWorkerId(1), 10, overlap, 0);
  }

  @Test
  void shouldCarryNanosecondsIntoSecondsUnlessTheyOverflow() {
    assertEquals(new UnsignedDuration(2, 0), UnsignedDuration.carrying(1, 1_000_000_000));
    assertEquals(new UnsignedDuration(5, 294_967_295), UnsignedDuration.carrying(1, -1));
    assertEquals(new UnsignedDuration(-1, 999_999_999), UnsignedDuration.carrying(-1, 999_999_999));
    assertThrows(ArithmeticException.class, () -> UnsignedDuration.carrying(-1, 1_000_000_000));
    assertThrows(IllegalArgumentException.class, () -> new UnsignedDuration(0, 1_000_000_000));
    assertThrows(IllegalArgumentException.class, () -> new UnsignedDuration(0, -1));
    final Duration duration = Duration.ofSeconds(7, 5);
    assertEquals(duration, UnsignedDuration.of(duration).toDuration());
    assertThrows(IllegalArgumentException.class, () -> UnsignedDuration.of(Duration.ofNanos(-1)));
    assertThrows(ArithmeticException.class, () -> new UnsignedDuration(-1, 0).toDuration());
  }

  @Test
  void shouldCopyWhatItIsMadeOf() {
    final int[] tokens = {1, 2, -1};
    final List<BlockExtraInfo> infos = new ArrayList<>(Arrays.asList(null, null));
    final RouterRequest.New request =
        new RouterRequest.New(UnsignedInts.of(tokens), infos, RoutingConstraints.NONE, 0, 0, null);
    tokens[0] = 9;
    infos.clear();
    assertEquals("[1, 2, 4294967295]", request.tokens().toString());
    assertEquals(Arrays.asList(null, null), request.blockMmInfos());
    assertThrows(UnsupportedOperationException.class, () -> request.blockMmInfos().add(null));
    assertEquals(3, request.tokens().view(new TokenView()).count());
    assertEquals(
        new RouterRequest.New(UnsignedInts.of(), null, RoutingConstraints.NONE, 0.0, 0, null),
        new RouterRequest.New());
    assertEquals(UnsignedInts.of(2, -1), UnsignedInts.copyOf(request.tokens().toArray(), 1, 2));
    assertEquals(UnsignedLongs.of(6), UnsignedLongs.copyOf(new long[] {5, 6}, 1, 1));
    assertThrows(IndexOutOfBoundsException.class, () -> UnsignedLongs.copyOf(new long[2], 1, 2));
  }

  @Test
  void shouldNameTheSubjectAndTheErrors() {
    assertEquals("kv-events", RouterEventSink.KV_EVENT_SUBJECT);
    assertEquals(529, QueueRejection.HTTP_STATUS);
    assertEquals("failed to find parent block", KvCacheEventError.PARENT_BLOCK_NOT_FOUND.message());
    assertEquals("failed to find block", KvCacheEventError.BLOCK_NOT_FOUND.message());
    assertEquals("invalid block sequence", KvCacheEventError.INVALID_BLOCK_SEQUENCE.message());
  }

  @Test
  void shouldPrintNumbersUnsigned() {
    final String text =
        List.of(
                new RouterEvent(-1, new KvCacheEvent(-2, new KvCacheEventData.Cleared(), -1)),
                new KvCacheStoredBlockData(-1, -2),
                new ActiveLoad(
                    -1, -1, OptionalLong.of(-1), OptionalLong.empty(), OptionalLong.of(-2)),
                new PotentialLoad(-1, -1, -1, -1, -1),
                new QueueRejection("c", QueueLimitKind.REQUESTS, -1, -1),
                new RouterResponse.New(-1, -1, -1),
                selection(1),
                UnsignedLongs.of(-1),
                new BlockRange(-2, -1))
            .toString();
    assertFalse(text.contains("-"), text);
    assertTrue(text.contains("18446744073709551615"), text);
  }
}
