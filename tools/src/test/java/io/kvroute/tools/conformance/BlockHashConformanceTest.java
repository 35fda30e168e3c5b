package io.kvroute.tools.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.tools.io.SharedFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BlockHashConformanceTest {
  private static final String GOOD =
      "{\"xxh3\":[{\"hex\":\"\",\"seed\":\"0\",\"xxh3_64\":\"3244421341483603138\"}],\"sequences\":["
          + "{\"name\":\"eight\",\"tokens\":[1,2,3,4,5,6,7,8],\"block_size\":4,"
          + "\"block_hashes\":[\"14643705804678351452\",\"16777012769546811212\"],"
          + "\"sequence_hashes\":[\"14643705804678351452\",\"4945711292740353085\"]}]}";

  @TempDir private Path directory;

  private final BlockHashConformance checker = new BlockHashConformance();

  private GoldenResult check(final String text) throws IOException {
    final Path file = directory.resolve("vectors.json");
    Files.writeString(file, text);
    assertTrue(checker.recognises(file));
    return checker.check(file);
  }

  @Test
  void shouldAgreeWithTheGoldenVectors() throws IOException {
    final GoldenResult result =
        checker.check(Path.of(SharedFiles.require("vectors/block-hash-vectors.json")));
    assertNull(result.firstDisagreement());
    assertEquals(204 + 208, result.agree());
    assertEquals(412, result.total());
  }

  @Test
  void shouldCheckWithTheReferenceImplementationToo() throws IOException {
    assertTrue(ReferenceHashes.isAvailable());
    assertEquals("block-hash-vectors", check(GOOD).kind());
    assertEquals(2, check(GOOD).agree());
  }

  @Test
  void shouldNameTheFirstDisagreement() throws IOException {
    final GoldenResult plain = check(GOOD.replace("3244421341483603138", "1"));
    assertEquals(
        "xxh3[0] by this build: expected=1 found=3244421341483603138", plain.firstDisagreement());
    assertEquals(1, plain.disagree());
    assertEquals(1, plain.agree());
    final GoldenResult chain = check(GOOD.replace("4945711292740353085", "7"));
    assertEquals(
        "eight sequence_hashes by this build: expected=[14643705804678351452, 7]"
            + " found=[14643705804678351452, 4945711292740353085]",
        chain.firstDisagreement());
  }

  @Test
  void shouldDisagreeWhenACaseNamesNoHashes() throws IOException {
    final GoldenResult result =
        check("{\"xxh3\":[],\"sequences\":[{\"name\":\"x\",\"tokens\":[1],\"block_size\":1}]}");
    assertEquals(1, result.disagree());
    assertTrue(result.firstDisagreement().contains("expected=nothing"), result.firstDisagreement());
  }

  @Test
  void shouldNotRecogniseOtherFiles() throws IOException {
    final Path file = directory.resolve("other.json");
    Files.writeString(file, "{\"sequences\":[]}");
    assertFalse(checker.recognises(file));
  }
}
