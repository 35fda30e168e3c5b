package io.kvroute.tools.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventOutboxTest {
  private final EventOutbox outbox = new EventOutbox();
  private final List<Long> seen = new ArrayList<>();

  private void write(final long value, final int length) {
    final int offset = outbox.claim(length);
    outbox.buffer().putLong(offset, value);
    outbox.buffer().putLong(offset + length - 8, ~value);
    outbox.commit(offset, length);
  }

  private void deliver(final long nowNs) {
    outbox.deliver(
        nowNs,
        (buffer, offset, length) -> {
          assertEquals(~buffer.getLong(offset), buffer.getLong(offset + length - 8));
          seen.add(buffer.getLong(offset));
        });
  }

  @Test
  void shouldDeliverInOrderWhatIsDue() {
    write(1, 16);
    write(2, 24);
    outbox.seal(100);
    write(3, 16);
    outbox.seal(200);
    deliver(99);
    assertEquals(List.of(), seen);
    deliver(100);
    assertEquals(List.of(1L, 2L), seen);
    assertEquals(1, outbox.pending());
    deliver(1_000);
    assertEquals(List.of(1L, 2L, 3L), seen);
    assertEquals(0, outbox.pending());
  }

  @Test
  void shouldKeepWhatIsNotSealed() {
    write(1, 16);
    deliver(Long.MAX_VALUE - 1);
    assertEquals(List.of(), seen);
    outbox.seal(5);
    deliver(5);
    assertEquals(List.of(1L), seen);
  }

  @Test
  void shouldKeepEveryEventWhenItGrowsAndMovesDown() {
    long next = 0;
    for (int round = 0; round < 200; round++) {
      for (int i = 0; i < 40; i++) {
        write(next++, 16 + 8 * (i % 50));
      }
      outbox.seal(round);
      deliver(round - 7);
    }
    deliver(200);
    assertEquals(next, seen.size());
    for (int i = 0; i < next; i++) {
      assertEquals(i, seen.get(i));
    }
  }
}
