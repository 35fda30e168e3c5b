package io.kvroute.index;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.protocol.StorageTier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A snapshot of the size for which there are snapshots. */
final class SnapshotAtScaleTest {
  private static final long BLOCKS = Long.getLong("kvroute.snapshot.blocks", 10_000_000);
  private static final int WORKERS = 64;

  @TempDir Path folder;

  @Tag("long")
  @Test
  void shouldRestoreTenMillionBlocksThatDumpTheSame() throws IOException {
    final Path file = folder.resolve("index.snapshot");
    try (RadixIndex index =
        RadixIndex.builder().blockCapacity(BLOCKS + 10_000).rankCapacity(WORKERS).build()) {
      final SyntheticWorkload workload = new SyntheticWorkload(index, WORKERS);
      workload.build(BLOCKS);
      final long[][] queries = workload.queries(512);
      final long[] totals = SyntheticWorkload.totals(index, queries);
      final long written = System.nanoTime();
      IndexSnapshot.write(index, file);
      final long read = System.nanoTime();
      try (RadixIndex restored = IndexSnapshot.restore(file, RadixIndex.builder())) {
        final long end = System.nanoTime();
        System.out.printf(
            Locale.ROOT,
            "snapshot: blocks=%d held=%d edges=%d bytes=%d bytesPerBlock=%.2f writeMs=%d"
                + " restoreMs=%d%n",
            restored.blockCount(),
            restored.heldBlocks(StorageTier.DEVICE),
            restored.edgeCount(),
            Files.size(file),
            (double) Files.size(file) / restored.blockCount(),
            (read - written) / 1_000_000,
            (end - read) / 1_000_000);
        assertEquals(workload.storedBlocks, restored.heldBlocks(StorageTier.DEVICE));
        assertEquals(SnapshotTwin.dumpHash(index), SnapshotTwin.dumpHash(restored));
        assertArrayEquals(totals, SyntheticWorkload.totals(restored, queries));
      }
      assertTrue(Files.size(file) < 20 * index.blockCount());
    }
  }
}
