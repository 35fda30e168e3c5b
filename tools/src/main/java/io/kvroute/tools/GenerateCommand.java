package io.kvroute.tools;

import io.kvroute.tools.generate.GeneratedTrace;
import io.kvroute.tools.generate.GeneratorSettings;
import io.kvroute.tools.io.InputException;
import io.kvroute.tools.trace.MooncakeWriter;
import io.kvroute.tools.trace.TraceRequest;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.zip.GZIPOutputStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code kvroute generate}: the built-in trace as a file. */
@Command(
    name = "generate",
    mixinStandardHelpOptions = true,
    versionProvider = Kvroute.Version.class,
    sortOptions = false,
    description = {
      "Writes the built-in trace in the Mooncake form: one JSON object a line with timestamp"
          + " (milliseconds), input_length, output_length (tokens) and hash_ids.",
      "",
      "The same options give the same bytes on every machine. With the defaults it is the trace"
          + " that 'kvroute replay' runs without --trace.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  kvroute generate --seed 7 --requests 50000 --output trace.jsonl.gz",
      "  kvroute generate --session-gap 100 --shared-prompts 4 --output busy.jsonl",
      "  kvroute generate --shared-prompts 0 --turns 0 --output nothing-to-share.jsonl"
    })
final class GenerateCommand implements Callable<Integer> {
  @Option(
      names = "--output",
      paramLabel = "FILE",
      description = "file to write, gzip if its name ends in .gz (default: standard output)")
  private String output;

  @Option(
      names = "--requests",
      paramLabel = "N",
      defaultValue = "12000",
      description = "end after this many requests (default ${DEFAULT-VALUE})")
  private long requests;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "42",
      description = "seed (default ${DEFAULT-VALUE})")
  private long seed;

  @Option(
      names = "--sessions",
      paramLabel = "N",
      description = "begin at most this many sessions (default: no limit)")
  private Long sessions;

  @Option(
      names = "--turns",
      paramLabel = "N",
      defaultValue = "4",
      description =
          "mean number of turns of a conversation after its first, 0 to 30; 0: every session, tool"
              + " loops too, is one request (default ${DEFAULT-VALUE})")
  private int turns;

  @Option(
      names = "--shared-prompts",
      paramLabel = "N",
      defaultValue = "24",
      description =
          "system prompts that sessions share, 0 to 4096; 0: sessions have nothing in common"
              + " (default ${DEFAULT-VALUE})")
  private int sharedPrompts;

  @Option(
      names = "--session-gap",
      paramLabel = "MS",
      defaultValue = "500",
      description =
          "mean milliseconds between the starts of two sessions: half of it doubles the rate of"
              + " new sessions (default ${DEFAULT-VALUE})")
  private long sessionGap;

  @Option(
      names = "--trace-block-size",
      paramLabel = "N",
      defaultValue = "512",
      description = "tokens that a hash id stands for, 1 to 65536 (default ${DEFAULT-VALUE})")
  private long traceBlockSize;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    if (requests < 1) {
      throw new InputException("--requests must be at least 1: " + requests);
    }
    final GeneratorSettings settings =
        new GeneratorSettings(
            seed,
            requests,
            traceBlockSize,
            sessions == null ? Long.MAX_VALUE : sessions,
            turns,
            sharedPrompts,
            sessionGap);
    try (GeneratedTrace trace = new GeneratedTrace(settings)) {
      if (output == null) {
        write(trace, spec.commandLine().getOut());
      } else {
        try (Writer file = open()) {
          write(trace, file);
        }
      }
    } catch (final InvalidPathException e) {
      throw new InputException("not a file name: " + e.getReason(), e);
    } catch (final IOException e) {
      throw Options.unwritable(output, e);
    }
    return ExitCode.OK;
  }

  private Writer open() throws IOException {
    final OutputStream file = Files.newOutputStream(Path.of(output));
    try {
      return new BufferedWriter(
          new OutputStreamWriter(
              output.endsWith(".gz") ? new GZIPOutputStream(file) : file, StandardCharsets.UTF_8));
    } catch (final IOException e) {
      file.close();
      throw e;
    }
  }

  private static void write(final GeneratedTrace trace, final Writer out) throws IOException {
    final MooncakeWriter writer = new MooncakeWriter(out);
    final TraceRequest request = new TraceRequest();
    while (trace.next(request)) {
      writer.write(request);
    }
  }
}
