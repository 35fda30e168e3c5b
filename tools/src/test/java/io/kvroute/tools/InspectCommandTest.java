package io.kvroute.tools;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.index.ApplyResult;
import io.kvroute.index.IndexSnapshot;
import io.kvroute.index.RadixIndex;
import io.kvroute.protocol.KvEventEncoder;
import io.kvroute.protocol.StorageTier;
import io.kvroute.protocol.json.ProtocolJson;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.agrona.ExpandableArrayBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InspectCommandTest {

  @TempDir private Path directory;

  private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();

  private String file(final String name) {
    return directory.resolve(name).toString();
  }

  private void store(
      final RadixIndex index,
      final long worker,
      final StorageTier tier,
      final long first,
      final int count) {
    final int length = KvEventEncoder.stored(buffer, 0, worker, 0, tier, 0, false, 0, count);
    for (int i = 0; i < count; i++) {
      KvEventEncoder.putBlockHash(buffer, 0, i, first + i + 1_000);
      KvEventEncoder.putTokensHash(buffer, 0, count, i, first + i);
    }
    assertEquals(ApplyResult.OK, index.apply(buffer, 0, length));
  }

  private String snapshot() {
    try (RadixIndex index =
        RadixIndex.builder().blockCapacity(1_000).edgeCapacity(100).rankCapacity(3).build()) {
      store(index, 1, StorageTier.DEVICE, 0, 10);
      store(index, -1, StorageTier.DEVICE, 0, 6);
      store(index, -1, StorageTier.DISK, 0, 6);
      store(index, 1, StorageTier.DEVICE, 100, 4);
      IndexSnapshot.write(index, Path.of(file("index.snapshot")));
    }
    return file("index.snapshot");
  }

  @Test
  void shouldTellWhatASnapshotHoldsAsJson() {
    final String snapshot = snapshot();
    final Cli.Result result = Cli.run("inspect", snapshot, "--format", "json");
    assertEquals("", result.err());
    assertEquals(0, result.code());
    assertEquals(1, result.lines().length);
    assertTrue(
        result
            .out()
            .contains(
                "\"blocks\":14,\"held_blocks\":26,\"edges\":2,\"leaves\":2,\"max_depth\":10,"
                    + "\"own_names\":0,\"workers\":2,\"ranks\":2,\"approximate_ranks\":0,"
                    + "\"block_capacity\":1000,\"edge_capacity\":100,\"rank_capacity\":3,"),
        result.out());
    assertTrue(
        result
            .out()
            .contains(
                "\"depths\":[{\"from\":4,\"to\":7,\"count\":1},{\"from\":8,\"to\":15,\"count\":1}],"),
        result.out());
    assertTrue(
        result
            .out()
            .contains(
                "\"fan_outs\":[{\"from\":0,\"to\":0,\"count\":2},{\"from\":2,\"to\":3,\"count\":1}],"
                    + "\"holders\":[{\"from\":1,\"to\":1,\"count\":8},"
                    + "{\"from\":2,\"to\":3,\"count\":6}],"
                    + "\"top_prefixes\":[{\"blocks\":6,\"holders\":2,\"weight\":12,"
                    + "\"first_local_hash\":\"0\",\"last_local_hash\":\"5\","
                    + "\"last_block_hash\":\"1005\"},{\"blocks\":4,\"holders\":1,"),
        result.out());
    assertTrue(
        result
            .out()
            .contains(
                "{\"worker\":18446744073709551615,\"dp_rank\":0,\"held_blocks\":12,"
                    + "\"share\":0.461538,\"device\":6,\"host_pinned\":0,\"disk\":6,"
                    + "\"external\":0,\"own_names\":0,\"approximate\":false}"),
        result.out());
  }

  @Test
  void shouldTellWhatASnapshotHoldsAsText() {
    final Cli.Result result = Cli.run("inspect", snapshot(), "--top", "1");
    assertEquals(0, result.code());
    assertTrue(result.out().startsWith("Snapshot "), result.out());
    assertTrue(result.out().contains("\nheld blocks                  26   1.86 per block, "));
    assertTrue(result.out().contains("\n              worker  dp rank"), "header\n" + result.out());
    assertTrue(result.out().contains("18446744073709551615        0         12   46.15 %"));
    for (final String line : result.lines()) {
      assertTrue(line.length() <= 100 || line.startsWith("Snapshot "), line);
    }
  }

  @Test
  void shouldWriteTheEventsOnlyToStandardOutput() {
    final String snapshot = snapshot();
    final Cli.Result result = Cli.run("inspect", snapshot, "--events", "-");
    assertEquals("", result.err());
    assertEquals(0, result.code());
    assertEquals(4, result.lines().length);
    try (RadixIndex again = RadixIndex.builder().build()) {
      for (final String line : result.lines()) {
        final int length = KvEventEncoder.encode(buffer, 0, ProtocolJson.ROUTER_EVENT.read(line));
        assertEquals(ApplyResult.OK, again.apply(buffer, 0, length));
      }
      assertEquals(14, again.blockCount());
      assertArrayEquals(new long[] {1, -1}, again.workers());
      assertEquals(6, again.heldBlocks(-1, 0, StorageTier.DISK));
    }
  }

  @Test
  void shouldEndEarlyWhereNobodyReadsTheEvents() {
    try (RadixIndex index = RadixIndex.builder().rankCapacity(1_000).build()) {
      for (int worker = 0; worker < 1_000; worker++) {
        store(index, worker, StorageTier.DEVICE, 0, 3);
      }
      IndexSnapshot.write(index, Path.of(file("many.snapshot")));
    }
    final int[] lines = {0};
    final Writer closed =
        new Writer() {
          @Override
          public void write(final char[] text, final int offset, final int length)
              throws IOException {
            lines[0] += text[offset] == '{' ? 1 : 0;
            throw new IOException("broken pipe");
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    final StringWriter err = new StringWriter();
    final int code =
        Main.run(
            new Main.Streams(
                new ByteArrayInputStream(new byte[0]),
                new PrintWriter(closed),
                new PrintWriter(err)),
            "inspect",
            file("many.snapshot"),
            "--events",
            "-");
    assertEquals(2, code);
    assertEquals("kvroute: standard output cannot be written\n", err.toString());
    assertEquals(64, lines[0]);
  }

  @Test
  void shouldWriteEventsAndAPageBesideWhatItPrints() throws IOException {
    final String snapshot = snapshot();
    final Cli.Result result =
        Cli.run(
            "inspect",
            snapshot,
            "--events",
            file("events.jsonl"),
            "--report",
            file("page.html"),
            "--format",
            "json");
    assertEquals("", result.err());
    assertEquals(0, result.code());
    assertEquals(1, result.lines().length);
    final List<String> lines = Files.readAllLines(directory.resolve("events.jsonl"));
    assertEquals(
        Cli.run("inspect", snapshot, "--events", "-").out(), String.join("\n", lines) + "\n");
    final String page = Files.readString(directory.resolve("page.html"));
    assertTrue(page.startsWith("<!DOCTYPE html>"), page);
    assertTrue(page.endsWith("</html>\n"), page);
    assertTrue(page.contains("holds 14 distinct blocks in 2 edges, held 26 times by 2 ranks"));
    assertTrue(page.contains(">18446744073709551615 / 0</text>"), page);
    assertFalse(page.contains("http"), page);
    final String again = file("again.html");
    Cli.run("inspect", snapshot, "--events", "-", "--report", again);
    assertEquals(page, Files.readString(Path.of(again)));
  }

  @Test
  void shouldEndWith2WhenTheFileIsNoSnapshot() throws IOException {
    final String snapshot = snapshot();
    final byte[] bytes = Files.readAllBytes(Path.of(snapshot));
    bytes[300] ^= 1;
    Files.write(Path.of(snapshot), bytes);
    assertRefused("a chunk of the snapshot was changed: chunk=0 ", snapshot);
    Files.writeString(Path.of(snapshot), "no snapshot");
    assertRefused("not a snapshot of an index: ", snapshot);
    assertRefused("no such file: ", file("missing"));
    assertRefused(" is a directory, not a file", directory.toString());
    assertRefused("--top must be from 0 to 1000: -1", snapshot, "--top", "-1");
    assertRefused("Missing required parameter: 'SNAPSHOT'");
    assertRefused("cannot write ", snapshot(), "--report", file("missing/page.html"));
    assertRefused("cannot write ", snapshot(), "--events", file("missing/events.jsonl"));
  }

  private static void assertRefused(final String sentence, final String... args) {
    final String[] all = new String[args.length + 1];
    all[0] = "inspect";
    System.arraycopy(args, 0, all, 1, args.length);
    final Cli.Result result = Cli.run(all);
    assertEquals(2, result.code(), result.out());
    assertEquals("", result.out());
    assertEquals(1, result.err().lines().count(), result.err());
    assertTrue(result.err().startsWith("kvroute inspect: "), result.err());
    assertTrue(result.err().contains(sentence), result.err());
  }

  // ------ making snapshots

  @Test
  void shouldInspectTheIndexOfTheSyntheticWorkload() {
    final Cli.Result made =
        Cli.run(
            "workload",
            "W5",
            "--blocks",
            "20000",
            "--rounds",
            "1",
            "--warm-up",
            "0",
            "--snapshot",
            file("w5.snapshot"),
            "--format",
            "json");
    assertEquals("", made.err());
    assertEquals(0, made.code());
    final Cli.Result result = Cli.run("inspect", file("w5.snapshot"), "--format", "json");
    final String stored = made.out().replaceAll(".*\"stored_blocks\":(\\d+),.*\n", "$1");
    assertTrue(result.out().contains("\"held_blocks\":" + stored + ","), result.out());
    assertTrue(result.out().contains("\"workers\":8,"), result.out());
  }

  @Test
  void shouldInspectTheIndexOfAReplay() {
    for (final String[] options :
        new String[][] {{"--limit", "60"}, {"--limit", "60", "--sequential"}}) {
      final String[] args = new String[options.length + 7];
      args[0] = "replay";
      System.arraycopy(options, 0, args, 1, options.length);
      args[options.length + 1] = "--snapshot";
      args[options.length + 2] = file("replay.snapshot");
      args[options.length + 3] = "--workers";
      args[options.length + 4] = "3";
      args[options.length + 5] = "--format";
      args[options.length + 6] = "json";
      final Cli.Result made = Cli.run(args);
      assertEquals("", made.err());
      assertEquals(0, made.code());
      final String blocks = made.out().replaceAll(".*\"index_blocks\":(\\d+),.*\n", "$1");
      final Cli.Result result = Cli.run("inspect", file("replay.snapshot"), "--format", "json");
      assertEquals("", result.err());
      assertTrue(result.out().contains("\"blocks\":" + blocks + ","), result.out());
    }
  }

  @Test
  void shouldRefuseASnapshotWhereThereIsNoIndex() {
    final Cli.Result policy =
        Cli.run("replay", "--policy", "round-robin", "--snapshot", file("none"));
    assertEquals(2, policy.code());
    assertTrue(policy.err().contains("--snapshot needs a policy with an index"), policy.err());
    assertFalse(Files.exists(directory.resolve("none")));
    final Cli.Result workload = Cli.run("workload", "W3", "--snapshot", file("none"));
    assertEquals("kvroute workload: W3 takes no --snapshot\n", workload.err());
    assertEquals(2, workload.code());
  }
}
