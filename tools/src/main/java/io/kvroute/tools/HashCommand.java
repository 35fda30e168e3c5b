package io.kvroute.tools;

import io.kvroute.hash.BlockHashes;
import io.kvroute.tools.hash.HashCase;
import io.kvroute.tools.hash.HashCaseReader;
import io.kvroute.tools.io.Fields;
import io.kvroute.tools.io.InputFiles;
import io.kvroute.tools.io.JsonInput;
import java.io.InputStream;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kvroute hash}: block and sequence hashes of prompts given as JSON. */
@Command(
    name = "hash",
    mixinStandardHelpOptions = true,
    versionProvider = Kvroute.Version.class,
    description = {
      "Prints the block hashes and sequence hashes of prompts given as JSON.",
      "",
      "One JSON object a line, in the order of the cases:",
      "  {\"name\":...,\"block_hashes\":[\"...\"],\"sequence_hashes\":[\"...\"]}",
      "Hashes are unsigned 64-bit numbers as decimal strings. If any case is bad, nothing is"
          + " printed.",
      ""
    },
    footer = {
      "",
      "The input is JSON, plain or gzip: one case, an array of cases, or an object whose"
          + " 'sequences' holds the array. A case:",
      "  tokens      array of token ids, 0 to 4294967295 (required)",
      "  block_size  tokens per block, 0 to 4294967295; with 0 there are no blocks (required)",
      "  name        printed with the result",
      "  lora_name   name of the adapter",
      "  is_eagle    true for windows of block_size + 1 tokens",
      "  mm_hashes   by block: null or an array of multimodal hashes, numbers or strings",
      "",
      "Example: echo '{\"tokens\":[1,2,3,4],\"block_size\":4}' | kvroute hash -"
    })
final class HashCommand implements Callable<Integer> {
  private final InputStream standardInput;

  @Parameters(paramLabel = "FILE", description = "the cases; - reads them from standard input")
  private String file;

  @Spec private CommandSpec spec;

  HashCommand(final InputStream standardInput) {
    this.standardInput = standardInput;
  }

  @Override
  public Integer call() {
    // Lines are kept until all cases are read: a bad one must not follow results that look whole.
    final StringBuilder lines = new StringBuilder();
    final String source = InputFiles.STANDARD_INPUT.equals(file) ? "standard input" : file;
    try (JsonInput json = JsonInput.of(source, InputFiles.open(file, standardInput))) {
      HashCaseReader.readAll(json, hashCase -> append(hashCase, lines));
    }
    spec.commandLine().getOut().print(lines);
    return ExitCode.OK;
  }

  private static void append(final HashCase hashCase, final StringBuilder lines) {
    final long[] local = hashCase.computeBlockHashes();
    final Fields line = new Fields();
    if (hashCase.name() == null) {
      line.putNull("name");
    } else {
      line.put("name", hashCase.name());
    }
    line.putUnsignedTexts("block_hashes", local);
    line.putUnsignedTexts("sequence_hashes", BlockHashes.computeSeqHashForBlock(local));
    lines.append(line.toJson()).append('\n');
  }
}
