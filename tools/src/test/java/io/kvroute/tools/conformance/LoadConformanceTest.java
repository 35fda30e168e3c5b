package io.kvroute.tools.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.tools.io.SharedFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoadConformanceTest {
  private static final String LOAD_HEADER = "{\"file\":\"load\",\"kind\":\"header\"}\n";
  private static final String LOAD_LINE =
      "{\"kind\":\"load\",\"note\":\"n\",\"seed\":null,\"initial_ranges\":[[\"1\",0,1]],"
          + "\"own_router_id\":7,\"replica_policy\":\"lazy_register\",\"ops\":["
          + "{\"expected_output_tokens\":null,\"hashes\":[\"1\",\"2\"],\"hint\":"
          + "{\"tokens\":9,\"expected_ns\":null},\"lora\":null,\"op\":\"add\","
          + "\"published\":[[\"1:0\",2,9]],\"rank\":\"1:0\",\"request_id\":\"a\","
          + "\"result\":\"ok\",\"state\":{\"1:0\":[2,9,1,null]},\"t_ns\":0,"
          + "\"track_prefill_tokens\":true}]}\n";
  private static final String PREFILL_HEADER = "{\"file\":\"prefill\",\"kind\":\"header\"}\n";
  private static final String PREFILL_LINE =
      "{\"kind\":\"prefill\",\"note\":\"n\",\"seed\":null,\"ops\":["
          + "{\"active\":[[5,10,1],[1000005,0,0]],\"anchor\":[\"a\",5],\"expected_ns\":1000000,"
          + "\"id\":\"a\",\"op\":\"insert\",\"sum_tokens\":10,\"t_ns\":5,\"tokens\":10,"
          + "\"total_modelled_ms\":1,\"unmodelled\":0}]}\n";

  @TempDir private Path directory;

  private GoldenResult check(final GoldenChecker checker, final String text) throws IOException {
    final Path file = directory.resolve("golden.jsonl");
    Files.writeString(file, text);
    assertTrue(checker.recognises(file));
    return checker.check(file);
  }

  @Test
  void shouldAgreeWithEveryGoldenOperation() throws IOException {
    final GoldenResult result =
        new LoadConformance().check(Path.of(SharedFiles.require("vectors/golden-load.jsonl")));
    assertNull(result.firstDisagreement());
    assertEquals(7920, result.agree());
    assertEquals(
        Map.of(LoadConformance.UNKNOWN_FREE, 182L, LoadConformance.REPEATED, 2L),
        result.byDecision());
    assertEquals(8104, result.total());
  }

  @Test
  void shouldAgreeWithEveryGoldenInstant() throws IOException {
    final GoldenResult result =
        new PrefillConformance()
            .check(Path.of(SharedFiles.require("vectors/golden-prefill.jsonl")));
    assertNull(result.firstDisagreement());
    assertEquals(22_195, result.agree());
    assertEquals(Map.of(), result.byDecision());
    assertEquals(22_195, result.total());
  }

  @Test
  void shouldNameTheOperationThatDisagrees() throws IOException {
    final LoadConformance load = new LoadConformance();
    assertEquals(1, check(load, LOAD_HEADER + LOAD_LINE).agree());
    final GoldenResult wrong =
        check(load, LOAD_HEADER + LOAD_LINE.replace("[2,9,1,null]", "[3,9,1,null]"));
    assertEquals(1, wrong.disagree());
    assertTrue(
        wrong.firstDisagreement().startsWith("\"n\" seed null operation 0: state expected="),
        wrong.firstDisagreement());
    final GoldenResult unpublished =
        check(load, LOAD_HEADER + LOAD_LINE.replace("[[\"1:0\",2,9]]", "[]"));
    assertTrue(
        unpublished.firstDisagreement().contains("published"), unpublished.firstDisagreement());
  }

  @Test
  void shouldNameTheInstantThatDisagrees() throws IOException {
    final PrefillConformance prefill = new PrefillConformance();
    assertEquals(4, check(prefill, PREFILL_HEADER + PREFILL_LINE).agree());
    final GoldenResult wrong =
        check(prefill, PREFILL_HEADER + PREFILL_LINE.replace("[5,10,1]", "[5,9,1]"));
    assertEquals(1, wrong.disagree());
    assertTrue(wrong.firstDisagreement().contains("operation 0"), wrong.firstDisagreement());
  }

  @Test
  void shouldSayWhichLineIsNotGolden() {
    final IOException failure =
        assertThrows(
            IOException.class,
            () ->
                check(
                    new LoadConformance(),
                    LOAD_HEADER + LOAD_LINE.replace("\"op\":\"add\"", "\"op\":\"lose\"")));
    assertTrue(failure.getMessage().contains("line=2"), failure.getMessage());
  }

  @Test
  void shouldNotRecogniseEachOthersFiles() throws IOException {
    final Path file = directory.resolve("other.jsonl");
    Files.writeString(file, LOAD_HEADER);
    assertFalse(new PrefillConformance().recognises(file));
    Files.writeString(file, PREFILL_HEADER);
    assertFalse(new LoadConformance().recognises(file));
  }
}
