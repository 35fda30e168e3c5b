package io.kvroute.engine;

import static io.kvroute.engine.Worker.range;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.hash.TokenView;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** All off-heap memory of a manager: at most 40 bytes a page and 72 a radix node, by the arena. */
class MemoryBoundTest {
  private static final long BYTES_PER_PAGE = 40;
  private static final long BYTES_PER_NODE = 72;

  /** For a root node, a word of bits and the like; it does not grow with anything. */
  private static final long FIXED_BYTES = 256;

  private static long limit(final long pages, final long nodes) {
    return BYTES_PER_PAGE * pages + BYTES_PER_NODE * nodes + FIXED_BYTES;
  }

  @ParameterizedTest
  @ValueSource(
      longs = {1, 2, 3, 4, 5, 7, 15, 16, 17, 63, 64, 65, 100, 1_000, 4_096, 65_537, 262_144})
  void shouldStayWithinTheBoundForEveryPoolSize(final long pages) {
    for (final long pageSize : new long[] {1, 16, 1_000}) {
      try (SglangKvManager manager = SglangKvManager.builder(pages * pageSize, pageSize).build()) {
        final long bytes = manager.usedBytes();
        assertTrue(bytes <= limit(pages, pages), "pages=" + pages + " bytes=" + bytes);
        assertEquals(SglangKvManager.requiredBytes(pages * pageSize, pageSize, (int) pages), bytes);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"1000, 2", "1000, 10", "1000, 999", "262144, 2000", "65536, 65536"})
  void shouldStayWithinTheBoundForFewerNodes(final long pages, final int nodes) {
    try (SglangKvManager manager =
        SglangKvManager.builder(pages * 16, 16).nodeCapacity(nodes).build()) {
      final long bytes = manager.usedBytes();
      assertTrue(bytes <= limit(pages, nodes), "bytes=" + bytes);
    }
  }

  @Test
  void shouldNotTakeMoreMemoryWhateverHappens() {
    try (Worker worker = Worker.of(4_096, 1)) {
      final long before = worker.manager.usedBytes();
      final ActiveKvLease[] leases = new ActiveKvLease[64];
      for (int round = 0; round < 200; round++) {
        final int slot = round * 7 % leases.length;
        if (leases[slot] != null) {
          worker.manager.abort(leases[slot]);
        }
        leases[slot] = new ActiveKvLease();
        final int[] prompt = range(round % 5, round % 5 + 60 + round % 3);
        assertTrue(worker.manager.allocate(TokenView.of(prompt), leases[slot]) >= 0);
        if (round % 2 == 0) {
          worker.finish(leases[slot], prompt);
          leases[slot] = null;
        }
        assertTrue(worker.manager.usedBytes() <= Math.max(before, limit(4_096, 4_096)));
      }
      assertTrue(worker.manager.storedEvents() > 0);
    }
  }
}
