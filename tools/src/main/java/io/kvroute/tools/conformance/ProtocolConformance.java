package io.kvroute.tools.conformance;

import io.kvroute.protocol.json.JsonCodec;
import io.kvroute.protocol.json.ProtocolJson;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Checks the JSON and the functions of the vocabulary against {@code protocol-json.json}: texts
 * that the original writes, texts that it reads or refuses, and results of its functions.
 */
public final class ProtocolConformance implements GoldenChecker {
  private static final String WRITE = "write";
  private static final String WRITE_FAILS = "write_fails";
  private static final String READ = "read";
  private static final String FUNCTIONS = "functions";

  private final Map<String, JsonCodec<?>> codecs = new TreeMap<>();

  /** Makes a checker. */
  public ProtocolConformance() {
    for (final JsonCodec<?> codec : ProtocolJson.all()) {
      codecs.put(codec.name(), codec);
    }
  }

  @Override
  public boolean recognises(final Path file) throws IOException {
    return JsonTree.fieldNames(file).containsAll(List.of(WRITE, WRITE_FAILS, READ, FUNCTIONS));
  }

  @Override
  public GoldenResult check(final Path file) throws IOException {
    final JsonTree golden = JsonTree.of(file);
    final Tally tally = new Tally();
    try {
      final ProtocolWriteCases writes = new ProtocolWriteCases(tally);
      for (final JsonTree each : golden.at(WRITE).elements()) {
        writes.check(codec(each), each);
      }
      for (final JsonTree each : golden.at(WRITE_FAILS).elements()) {
        writes.checkRefused(each);
      }
      final ProtocolReadCases reads = new ProtocolReadCases(tally);
      for (final JsonTree each : golden.at(READ).elements()) {
        reads.check(codec(each), each);
      }
      final ProtocolFunctionCases functions = new ProtocolFunctionCases(tally);
      for (final JsonTree each : golden.at(FUNCTIONS).elements()) {
        functions.check(each);
      }
    } catch (final IllegalArgumentException e) {
      throw new IOException("not a golden file: file=" + file + " cause=" + e.getMessage(), e);
    }
    return tally.result("protocol-json");
  }

  private JsonCodec<?> codec(final JsonTree each) {
    final String type = each.at("type").text();
    final JsonCodec<?> codec = codecs.get(type);
    if (codec == null) {
      throw new IllegalArgumentException("type is not known: type=" + type);
    }
    return codec;
  }
}
