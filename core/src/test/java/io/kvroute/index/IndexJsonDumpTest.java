package io.kvroute.index;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.kvroute.index.IndexOperations.Style;
import io.kvroute.index.NaiveIndex.Block;
import io.kvroute.index.NaiveIndex.Rank;
import io.kvroute.protocol.KvEventEncoder;
import io.kvroute.protocol.MalformedEventException;
import io.kvroute.protocol.RouterEvent;
import io.kvroute.protocol.json.ProtocolJson;
import io.kvroute.protocol.json.RouterEventLines;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.List;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class IndexJsonDumpTest {

  @Test
  void shouldDumpAnIndexAsLinesOfRouterEvents() {
    try (RadixIndex index = RadixIndex.builder().build()) {
      final IndexDriver driver = new IndexDriver(index);
      driver.stored(new Rank(-1, 1), 2, null, List.of(new Block(-2, -3), new Block(5, 6)));
      driver.removed(new Rank(-1, 1), 2, List.of(-2L));
      final StringBuilder text = new StringBuilder();
      final RouterEventLines lines = new RouterEventLines(text);
      assertEquals(2, index.dump(lines));
      assertEquals(2, lines.lines());
      assertEquals(
          "{\"worker_id\":18446744073709551615,\"storage_tier\":\"disk\",\"event\":{\"event_id\":0,"
              + "\"data\":{\"stored\":{\"parent_hash\":null,\"start_position\":null,\"blocks\":["
              + "{\"block_hash\":18446744073709551614,\"tokens_hash\":18446744073709551613,"
              + "\"mm_extra_info\":null},{\"block_hash\":5,\"tokens_hash\":6,"
              + "\"mm_extra_info\":null}]}},\"dp_rank\":1}}\n"
              + "{\"worker_id\":18446744073709551615,\"storage_tier\":\"disk\",\"event\":{"
              + "\"event_id\":1,\"data\":{\"removed\":{\"block_hashes\":[18446744073709551614]}},"
              + "\"dp_rank\":1}}\n",
          text.toString());
    }
  }

  static List<Style> styles() {
    return IndexSnapshotTest.styles().toList();
  }

  @ParameterizedTest
  @MethodSource("styles")
  void shouldMakeAnEqualIndexOfTheLines(final Style style) {
    try (SnapshotTwin twin = new SnapshotTwin(style, 5);
        RadixIndex again = twin.builder().build()) {
      twin.run(800);
      final StringBuilder text = new StringBuilder();
      twin.index().dump(new RouterEventLines(text));
      final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
      for (final String line : text.toString().split("\n", -1)) {
        if (!line.isEmpty()) {
          final RouterEvent event = ProtocolJson.ROUTER_EVENT.read(line);
          final int length = KvEventEncoder.encode(buffer, 0, event);
          assertEquals(ApplyResult.OK, again.apply(buffer, 0, length));
        }
      }
      assertArrayEquals(SnapshotTwin.dump(twin.index()), SnapshotTwin.dump(again));
    }
  }

  @Test
  void shouldSayThatALineCannotBeWritten() {
    try (RadixIndex index = RadixIndex.builder().build()) {
      new IndexDriver(index).stored(new Rank(1, 0), 0, null, List.of(new Block(1, 1)));
      final Writer full =
          new Writer() {
            @Override
            public void write(final char[] text, final int offset, final int length)
                throws IOException {
              throw new IOException("no space left");
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
          };
      final RouterEventLines lines = new RouterEventLines(full);
      assertThrows(UncheckedIOException.class, () -> index.dump(lines));
      assertThrows(
          MalformedEventException.class,
          () -> lines.onEvent(new UnsafeBuffer(new byte[64]), 0, 64));
      assertEquals(0, lines.lines());
    }
  }
}
