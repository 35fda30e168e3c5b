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

class TtlConformanceTest {
  private static final String HEADER = "{\"file\":\"ttl\",\"kind\":\"header\"}\n";
  private static final String LINE =
      "{\"kind\":\"prune_manager\",\"note\":\"n\",\"seed\":null,\"ttl_ns\":50000000,\"ops\":["
          + "{\"buckets\":1,\"expiries\":[[1,100000000]],\"keys\":[1],"
          + "\"next_expiry_ns\":100000000,\"op\":\"insert\",\"t_ns\":0},"
          + "{\"buckets\":0,\"expiries\":[],\"next_expiry_ns\":null,"
          + "\"ns\":100000000,\"op\":\"pop_expired\",\"result\":[1],\"t_ns\":0}]}\n";

  @TempDir private Path directory;

  private final TtlConformance checker = new TtlConformance();

  private GoldenResult check(final String text) throws IOException {
    final Path file = directory.resolve("golden.jsonl");
    Files.writeString(file, text);
    assertTrue(checker.recognises(file));
    return checker.check(file);
  }

  @Test
  void shouldAgreeWithEveryGoldenOperation() throws IOException {
    final GoldenResult result =
        checker.check(Path.of(SharedFiles.require("vectors/golden-ttl.jsonl")));
    assertNull(result.firstDisagreement());
    assertEquals(4204, result.agree());
    assertEquals(Map.of(), result.byDecision());
    assertEquals(4204, result.total());
  }

  @Test
  void shouldNameTheOperationThatDisagrees() throws IOException {
    assertEquals(2, check(HEADER + LINE).agree());
    final GoldenResult late = check(HEADER + LINE.replace("[[1,100000000]]", "[[1,200000000]]"));
    assertEquals(1, late.disagree());
    assertEquals(1, late.agree());
    assertTrue(
        late.firstDisagreement().startsWith("\"n\" seed null operation 0: expiry of"),
        late.firstDisagreement());
    final GoldenResult kept = check(HEADER + LINE.replace("\"result\":[1]", "\"result\":[]"));
    assertTrue(
        kept.firstDisagreement().contains("timers that ended expected=0 found=1"),
        kept.firstDisagreement());
    final GoldenResult next = check(HEADER + LINE.replace("_expiry_ns\":null", "_expiry_ns\":7"));
    assertTrue(next.firstDisagreement().contains("next expiry"), next.firstDisagreement());
  }

  @Test
  void shouldSayWhichLineIsNotGolden() {
    final IOException failure =
        assertThrows(IOException.class, () -> check(HEADER + LINE.replace("insert", "inspect")));
    assertTrue(failure.getMessage().contains("line=2"), failure.getMessage());
  }

  @Test
  void shouldNotRecogniseOtherFiles() throws IOException {
    final Path file = directory.resolve("other.jsonl");
    for (final String text :
        new String[] {"", "[]", "{\"kind\":\"header\"}", HEADER.replace("ttl", "load"), "{"}) {
      Files.writeString(file, text);
      assertFalse(checker.recognises(file), text);
    }
  }
}
