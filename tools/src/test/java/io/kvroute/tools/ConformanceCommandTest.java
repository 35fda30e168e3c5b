package io.kvroute.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.tools.io.SharedFiles;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConformanceCommandTest {

  @TempDir private Path directory;

  private String file(final String name, final String text) throws IOException {
    final Path file = directory.resolve(name);
    Files.writeString(file, text);
    return file.toString();
  }

  @Test
  void shouldAgreeWithAllGoldenData() {
    final String hashes = SharedFiles.require("vectors/block-hash-vectors.json");
    final String protocol = SharedFiles.require("vectors/protocol-json.json");
    final Cli.Result result = Cli.run("conformance", hashes, protocol);
    assertEquals("", result.err());
    assertEquals(0, result.code());
    final String[] lines = result.lines();
    assertEquals(2, lines.length);
    assertEquals(
        hashes + ": block-hash-vectors: 412 agree, 0 differ by decision, 0 disagree", lines[0]);
    assertTrue(lines[1].startsWith(protocol + ": protocol-json: "), lines[1]);
    assertTrue(lines[1].contains(" differ by decision ("), lines[1]);
    assertTrue(lines[1].endsWith(", 0 disagree"), lines[1]);
  }

  @Test
  void shouldNameTheFirstDisagreementAndEndWith1() throws IOException {
    final String good = file("good.json", "{\"xxh3\":[],\"sequences\":[]}");
    final String bad =
        file(
            "bad.json",
            "{\"xxh3\":[{\"hex\":\"00\",\"seed\":0,\"xxh3_64\":1},"
                + "{\"hex\":\"00\",\"seed\":0,\"xxh3_64\":2}],\"sequences\":[]}");
    final Cli.Result result = Cli.run("conformance", bad, good);
    assertEquals(1, result.code());
    assertEquals(
        bad
            + ": block-hash-vectors: 0 agree, 0 differ by decision, 2 disagree\n"
            + good
            + ": block-hash-vectors: 0 agree, 0 differ by decision, 0 disagree\n",
        result.out());
    assertTrue(
        result
            .err()
            .startsWith(
                "kvroute conformance: "
                    + bad
                    + ": first disagreement: xxh3[0] by this build: expected=1 found="),
        result.err());
    assertEquals(1, result.err().lines().count());
  }

  @Test
  void shouldReadGzip() throws IOException {
    final Path file = directory.resolve("golden");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write("{\"xxh3\":[],\"sequences\":[]}".getBytes(StandardCharsets.UTF_8));
    }
    assertEquals(
        file + ": block-hash-vectors: 0 agree, 0 differ by decision, 0 disagree\n",
        Cli.run("conformance", file.toString()).out());
  }

  @Test
  void shouldEndWith2WhenAFileIsUnusable() throws IOException {
    final String unknown = file("unknown.json", "{\"cases\":[]}");
    assertEquals(
        "kvroute conformance: " + unknown + " is not golden data of a kind that this build knows\n",
        Cli.run("conformance", unknown).err());
    final String cut = file("cut.json", "{\"xxh3\":[],\n\"sequences\":[");
    final Cli.Result result = Cli.run("conformance", cut);
    assertEquals(2, result.code());
    assertTrue(
        result.err().startsWith("kvroute conformance: " + cut + ": line 2: bad JSON at column "),
        result.err());
    assertEquals(2, Cli.run("conformance", directory.resolve("none").toString()).code());
    assertEquals(2, Cli.run("conformance").code());
    final String good = file("good.json", "{\"xxh3\":[],\"sequences\":[]}");
    final Cli.Result second = Cli.run("conformance", good, unknown);
    assertEquals(2, second.code());
    assertEquals("", second.out());
    final String deep = file("deep.json", "[".repeat(2_000));
    assertEquals(
        "kvroute conformance: "
            + deep
            + ": line 1: bad JSON at column 0: Document nesting depth (1001) exceeds the maximum"
            + " allowed (1000)\n",
        Cli.run("conformance", deep).err());
    final String notCases = file("not-cases.json", "{\"xxh3\":[],\n\"sequences\":[7]}");
    assertEquals(
        "kvroute conformance: " + notCases + ": line 2: a case expected\n",
        Cli.run("conformance", notCases).err());
  }
}
