package io.kvroute.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.kvroute.index.NaiveIndex.Block;
import io.kvroute.index.NaiveIndex.Rank;
import io.kvroute.memory.Arena;
import io.kvroute.protocol.StorageTier;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a block costs, everything included, and that nothing ever leaks. */
final class IndexMemoryTest {
  private static final int BYTES_PER_BLOCK = 40;
  private static final int BYTES_PER_HOLDER = 2;
  private static final int BYTES_PER_OWN_NAME = 40;
  private static final Path STATUS = Path.of("/proc/self/status");

  private static List<Block> chain(final long name, final long local, final int count) {
    final List<Block> blocks = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      blocks.add(new Block(name + i, local + i));
    }
    return blocks;
  }

  @Test
  void shouldNeedFortyBytesABlockAndTwoAFurtherHolderAtTheFillItWasMadeFor() {
    for (final int workers : new int[] {8, 64, 512}) {
      final RadixIndexBuilder builder =
          RadixIndex.builder().blockCapacity(600_000).rankCapacity(workers);
      final Arena arena = Arena.ofCapacity(builder.requiredBytes());
      try (RadixIndex index = builder.arena(arena).build()) {
        final SyntheticWorkload workload = new SyntheticWorkload(index, workers);
        while (index.blockCount() < 599_000) {
          workload.build(workload.storedBlocks() + 1);
        }
        assertEquals(0, index.counters().evictedBlocks());
        final long held = index.heldBlocks(StorageTier.DEVICE);
        final long bound =
            BYTES_PER_BLOCK * index.blockCount() + BYTES_PER_HOLDER * (held - index.blockCount());
        assertTrue(
            arena.usedBytes() <= bound,
            "workers=" + workers + " bytes=" + arena.usedBytes() + " bound=" + bound);
        assertTrue(index.usedBytes() <= arena.usedBytes());
      }
      arena.close();
    }
  }

  @Test
  void shouldNeedFortyBytesForAnEntryWhereEnginesDisagree() {
    final int count = 50_000;
    assertTrue(OwnNames.length(count) <= (long) BYTES_PER_OWN_NAME * count + 100);
    try (RadixIndex index =
        RadixIndex.builder().blockCapacity(count).ownNameCapacity(count + 1_000).build()) {
      final IndexDriver driver = new IndexDriver(index);
      for (int i = 0; i < count; i += 1_000) {
        driver.stored(new Rank(1, 0), 0, null, chain(1_000_000L + i, i, 1_000));
      }
      final long before = index.usedBytes();
      for (int i = 0; i < count; i += 1_000) {
        driver.stored(new Rank(2, 0), 0, null, chain(2_000_000L + i, i, 1_000));
      }
      assertEquals(count, index.ownNameCount());
      final long added = index.usedBytes() - before;
      assertTrue(added <= (long) BYTES_PER_OWN_NAME * count, "added=" + added);
    }
  }

  @Test
  void shouldStayFlatOverSplitsAtEveryPointOfALongChain() {
    final int length = 3_000;
    try (RadixIndex index = RadixIndex.builder().blockCapacity(10_000).build()) {
      final IndexDriver driver = new IndexDriver(index);
      final Rank rank = new Rank(1, 0);
      final Rank other = new Rank(2, 0);
      driver.stored(rank, 0, null, chain(1_000_000, 0, length));
      final long bytes = index.usedBytes();
      assertEquals(1, index.edgeCount());
      for (int i = 1; i < length; i++) {
        // A branch, then another worker that holds so much and no more: both cut the edge.
        driver.stored(rank, 0, 1_000_000L + i - 1, chain(5_000_000, 9_000_000, 20));
        driver.removed(rank, 0, chain(5_000_000, 0, 20).stream().map(Block::hash).toList());
        driver.stored(other, 0, null, chain(1_000_000, 0, i));
        driver.removed(rank, 0, List.of(1_000_000L + i));
        driver.stored(rank, 0, 1_000_000L + i - 1, List.of(new Block(1_000_000L + i, i)));
        driver.cleared(other, 0);
        while (index.sweep()) {
          // what the other worker held
        }
        assertEquals(bytes, index.usedBytes(), "cut at " + i);
        assertEquals(1, index.edgeCount());
      }
      IndexInvariants.check(index);
    }
  }

  @Test
  void shouldStayFlatOverWorkersThatComeAndGo() {
    try (RadixIndex index = RadixIndex.builder().blockCapacity(100_000).rankCapacity(20).build()) {
      final IndexDriver driver = new IndexDriver(index);
      driver.stored(new Rank(1, 0), 0, null, chain(1_000_000, 0, 300));
      final long bytes = index.usedBytes();
      for (int i = 0; i < 3_000; i++) {
        final Rank rank = new Rank(100 + i, i % 3);
        driver.stored(rank, 0, null, chain(1_000_000, 0, 100 + i % 200));
        driver.stored(rank, 0, 1_000_050L, chain(2_000_000, 7_000_000L + i, 50));
        driver.stored(rank, 1, null, chain(3_000_000, 0, 70));
        assertTrue(index.removeWorker(100 + i));
      }
      while (index.sweep()) {
        // until all have left
      }
      assertEquals(bytes, index.usedBytes());
      assertEquals(1, index.rankCount());
      assertEquals(0, index.ownNameCount());
      IndexInvariants.check(index);
    }
  }

  @Tag("long")
  @Test
  void shouldStayFlatOverAMillionStoresAndRemovals() throws IOException {
    try (RadixIndex index = RadixIndex.builder().blockCapacity(300_000).build()) {
      final SyntheticWorkload workload = new SyntheticWorkload(index, 8);
      workload.build(200_000);
      final List<byte[]> removals = new ArrayList<>();
      final List<UnsafeBuffer> stores =
          workload.freshStores(1_000, removals).stream().map(UnsafeBuffer::new).toList();
      final List<UnsafeBuffer> removed = removals.stream().map(UnsafeBuffer::new).toList();
      cycle(index, stores, removed);
      final long bytes = index.usedBytes();
      final long resident = Files.isReadable(STATUS) ? residentKib(Files.readAllLines(STATUS)) : 0;
      for (int round = 1; round < 1_000; round++) {
        cycle(index, stores, removed);
        assertEquals(bytes, index.usedBytes(), "round=" + round);
      }
      if (resident != 0) {
        final long grown = residentKib(Files.readAllLines(STATUS)) - resident;
        assertTrue(grown < 64 << 10, "resident size grew: KiB=" + grown);
      }
      IndexInvariants.check(index);
    }
  }

  private static void cycle(
      final RadixIndex index, final List<UnsafeBuffer> stores, final List<UnsafeBuffer> removals) {
    for (int i = 0; i < stores.size(); i++) {
      final UnsafeBuffer store = stores.get(i);
      assertEquals(ApplyResult.OK, index.apply(store, 0, store.capacity()));
      if (i % 3 == 2) {
        remove(index, removals.get(i - 2));
        remove(index, removals.get(i));
        remove(index, removals.get(i - 1));
      }
    }
    remove(index, removals.get(stores.size() - 1));
  }

  private static void remove(final RadixIndex index, final UnsafeBuffer removal) {
    assertEquals(ApplyResult.OK, index.apply(removal, 0, removal.capacity()));
  }

  private static long residentKib(final List<String> status) {
    return status.stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
        .findFirst()
        .orElseThrow();
  }

  /** In a JVM of its own, whose heap is resident from the start. */
  @Tag("long")
  @Test
  void shouldBeNoLargerInResidentMemoryThanItSays() throws IOException, InterruptedException {
    assumeTrue(Files.isReadable(STATUS), "there is no /proc/self/status here");
    final Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-opens",
                "java.base/jdk.internal.misc=ALL-UNNAMED",
                "-Xms768m",
                "-Xmx768m",
                "-cp",
                System.getProperty("java.class.path"),
                Resident.class.getName())
            .redirectErrorStream(true)
            .start();
    final String output =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), output);
    final String[] numbers = output.trim().split(" ", -1);
    final long bound =
        BYTES_PER_BLOCK * Long.parseLong(numbers[1])
            + BYTES_PER_HOLDER * (Long.parseLong(numbers[2]) - Long.parseLong(numbers[1]));
    assertTrue(Long.parseLong(numbers[0]) << 10 <= bound, output + " bound=" + bound);
  }

  /** Prints by how many KiB an index of ten million blocks makes it grow, its blocks and holds. */
  static final class Resident {
    private Resident() {}

    /** Measures. */
    public static void main(final String[] arguments) throws IOException {
      try (RadixIndex warm = RadixIndex.builder().blockCapacity(1_100_000).build()) {
        new SyntheticWorkload(warm, 64).build(1_000_000);
      }
      System.gc();
      final long before = residentKib(Files.readAllLines(STATUS));
      try (RadixIndex index =
          RadixIndex.builder().blockCapacity(10_000_000).rankCapacity(64).build()) {
        final SyntheticWorkload workload = new SyntheticWorkload(index, 64);
        while (index.blockCount() < 9_999_000) {
          workload.build(workload.storedBlocks() + 1);
        }
        System.gc();
        final long grown = residentKib(Files.readAllLines(STATUS)) - before;
        System.out.println(
            grown + " " + index.blockCount() + " " + index.heldBlocks(StorageTier.DEVICE));
      }
    }
  }
}
