package io.kvroute.tools.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.kvroute.tools.io.InputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProtocolConformanceTest {
  private final ProtocolConformance checker = new ProtocolConformance();

  @TempDir private Path directory;

  /** The golden file beside the repository, where there is one. */
  private static Path golden() {
    Path root = Path.of(System.getProperty("user.dir")).toAbsolutePath();
    while (root != null && !Files.isDirectory(root.resolve(".mvn"))) {
      root = root.getParent();
    }
    final Path file =
        root == null ? null : root.resolveSibling("shared/vectors/protocol-json.json");
    assumeTrue(file != null && Files.isRegularFile(file), "no golden data beside the repository");
    return file;
  }

  @Test
  void shouldAgreeWithEveryGoldenCaseExceptWhereItWasDecidedOtherwise() throws IOException {
    final Path file = golden();
    assertTrue(checker.recognises(file));
    final GoldenResult result = checker.check(file);
    assertNull(result.firstDisagreement());
    assertEquals(0, result.disagree());
    assertEquals(192 + 1 + 620 + 386, result.total());
    assertEquals(
        Map.of(
            ProtocolReadCases.DISGUISE, 47L,
            ProtocolReadCases.ROUNDING, 8L,
            ProtocolReadCases.NESTING, 3L,
            ProtocolFunctionCases.PANIC, 10L,
            ProtocolFunctionCases.ULPS, 7L),
        result.byDecision());
  }

  @Test
  void shouldNameTheFirstDisagreementWhenGoldenTextsAreChanged() throws IOException {
    final String write =
        """
        {"type":"StorageTier","name":"disk","json":"\\"dusk\\"","reads_back":true}\
        """;
    final GoldenResult written = checker.check(file(write, "", ""));
    assertEquals(1, written.disagree());
    assertTrue(
        written.firstDisagreement().startsWith("write StorageTier \"disk\": expected=\"dusk\""),
        written.firstDisagreement());

    final String read =
        """
        {"type":"LocalBlockHash","name":"five","input":"5","ok":true,"json":"6"},
        {"type":"LocalBlockHash","name":"good","input":"5","ok":true,"json":"5"},
        {"type":"LocalBlockHash","name":"bad","input":"x","ok":false,"error":"e"},
        {"type":"LocalBlockHash","name":"late","input":"7","ok":false,"error":"e"}\
        """;
    final GoldenResult reads = checker.check(file("", read, ""));
    assertEquals(2, reads.agree());
    assertEquals(2, reads.disagree());
    assertEquals(
        "read LocalBlockHash \"five\": input=5 expected=6 found=5", reads.firstDisagreement());

    final String function =
        """
        {"function":"pad_value_for_mm_hash","name":"n","input":{"mm_hash":"1"},"output":1000002}\
        """;
    assertEquals(
        "pad_value_for_mm_hash \"n\": expected=1000002 found=1000001",
        checker.check(file("", "", function)).firstDisagreement());
  }

  @Test
  void shouldNotCallADifferenceDecidedWhenItIsNone() throws IOException {
    final String unrounded =
        """
        {"type":"RoutingConstraints","name":"w","input":"{\\"preferred_taints\\":{\\"a\\":1}}",
         "ok":true,"json":"{\\"preferred_taints\\":{\\"a\\":1.0}}",
         "float_roundtrip":{"ok":true,"json":"{\\"preferred_taints\\":{\\"a\\":1.5}}"}}\
        """;
    assertEquals(1, checker.check(file("", unrounded, "")).disagree());

    final String panic =
        """
        {"function":"SharedCacheHits::from_ranges","name":"p","input":{"ranges":[[1,2]]},
         "panics":true,"panic_message":"m"}\
        """;
    assertEquals(1, checker.check(file("", "", panic)).disagree());

    final String multiplier =
        """
        {"function":"RoutingConstraints::preferred_taint_multiplier","name":"m",
         "input":{"preferred":[{"taint":"a","bits":"3f800000"}],"required":[],"worker":[]},
         "output":{"bits":"3ff000000000000%s","f64":"1.0"}}\
        """;
    final GoldenResult near = checker.check(file("", "", multiplier.formatted("2")));
    assertEquals(Map.of(ProtocolFunctionCases.ULPS, 1L), near.byDecision());
    assertEquals(1, checker.check(file("", "", multiplier.formatted("3"))).disagree());
  }

  @Test
  void shouldRecogniseItsKindOnly() throws IOException {
    assertTrue(checker.recognises(file("", "", "")));
    assertFalse(checker.recognises(Files.writeString(directory.resolve("a"), "{\"write\":[]}")));
    assertFalse(checker.recognises(Files.writeString(directory.resolve("b"), "[1]")));
    assertFalse(checker.recognises(Files.writeString(directory.resolve("c"), "no json")));
    assertFalse(checker.recognises(Files.writeString(directory.resolve("d"), "")));
    assertThrows(InputException.class, () -> checker.recognises(directory.resolve("none")));
  }

  @Test
  void shouldSayWhatIsWrongWhenAFileIsDamaged() throws IOException {
    final Path unknownType = file("", "{\"type\":\"Nothing\"}", "");
    assertMessage("type is not known: type=Nothing", unknownType);
    final Path noInput = file("", "{\"type\":\"LocalBlockHash\"}", "");
    assertMessage("field is missing: name=input", noInput);
    final Path unknownFunction = file("", "", "{\"function\":\"f\",\"name\":\"n\"}");
    assertMessage("function is not known: name=f", unknownFunction);
  }

  private void assertMessage(final String expected, final Path file) {
    final String message = assertThrows(IOException.class, () -> checker.check(file)).getMessage();
    assertTrue(message.contains(expected), message);
  }

  private Path file(final String write, final String read, final String functions)
      throws IOException {
    return Files.writeString(
        directory.resolve("golden.json"),
        "{\"write\":["
            + write
            + "],\"write_fails\":[],\"read\":["
            + read
            + "],\"functions\":["
            + functions
            + "]}");
  }
}
