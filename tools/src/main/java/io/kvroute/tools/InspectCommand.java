package io.kvroute.tools;

import io.kvroute.index.IndexShape;
import io.kvroute.index.IndexSnapshot;
import io.kvroute.index.RadixIndex;
import io.kvroute.index.SnapshotException;
import io.kvroute.index.SnapshotInfo;
import io.kvroute.protocol.json.RouterEventLines;
import io.kvroute.tools.io.InputException;
import io.kvroute.tools.io.InputFiles;
import io.kvroute.tools.io.OutputFormat;
import io.kvroute.tools.report.SnapshotFields;
import io.kvroute.tools.report.SnapshotPage;
import io.kvroute.tools.report.SnapshotReport;
import io.kvroute.tools.report.SnapshotText;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kvroute inspect}: what a snapshot of an index holds. */
@Command(
    name = "inspect",
    mixinStandardHelpOptions = true,
    versionProvider = Kvroute.Version.class,
    sortOptions = false,
    description = {
      "Restores a snapshot of an index, with all its checks, and tells what is in it: sizes, how deep"
          + " its paths are and how often they part, which prefixes are shared most, who holds how"
          + " much, and where the bytes are.",
      "",
      "'kvroute workload W5 --snapshot FILE' and 'kvroute replay --snapshot FILE' write snapshots; so"
          + " does IndexSnapshot of the library. A file that is damaged, cut short, or something else"
          + " is refused with exit code 2.",
      ""
    },
    footer = {
      "",
      "JSON keys (one object; all but timing is the same in every run and on every machine):",
      "  snapshot, file_bytes, file_bytes_per_block",
      "                           the file",
      "  blocks, held_blocks      distinct blocks; the same, summed over all ranks and tiers",
      "  edges, leaves, max_depth",
      "                           runs of blocks without a branch; those that end a path; blocks of",
      "                           the longest path",
      "  own_names                names that single ranks have for a block, unlike others",
      "  workers, ranks, approximate_ranks",
      "                           approximate: may hold more, which was evicted or did not fit",
      "  block_capacity, edge_capacity, rank_capacity, own_name_capacity, holder_capacity_bytes",
      "                           of the index that was written",
      "  depths, edge_lengths, fan_outs, holders",
      "                           histograms, lists of: from, to, count. Paths by length in blocks;",
      "                           edges by length; edges and the root by children; blocks by the",
      "                           number of ranks that hold them",
      "  top_prefixes             list of: blocks, holders, weight (blocks times holders),",
      "                           first_local_hash, last_local_hash, last_block_hash (texts)",
      "  per_rank                 list of: worker, dp_rank, held_blocks, share (of held_blocks),",
      "                           device, host_pinned, disk, external, own_names, approximate",
      "  bytes                    in memory, by structure; used (their sum); reserved (by the",
      "                           capacities of the index that was written)",
      "  timing                   restore_ms",
      "",
      "--events writes the content as events that make an equal index: a RouterEvent a line, as",
      "NVIDIA Dynamo's routers exchange them. They are numbered from 0; the numbers mean nothing to",
      "the workers named in them.",
      "",
      "Examples:",
      "  kvroute workload W5 --blocks 100000 --rounds 1 --warm-up 0 --snapshot index.snapshot",
      "  kvroute inspect index.snapshot --report index.html",
      "  kvroute inspect index.snapshot --events - | head -n 1"
    })
final class InspectCommand implements Callable<Integer> {
  private static final int MOST_PREFIXES = 1_000;
  private static final int EVENTS_PER_CHECK = 64;

  @Parameters(paramLabel = "SNAPSHOT", description = "the file")
  private String snapshot;

  @Option(
      names = "--top",
      paramLabel = "N",
      defaultValue = "10",
      description = "list this many prefixes (default ${DEFAULT-VALUE})")
  private int top;

  @Option(
      names = "--events",
      paramLabel = "FILE",
      description =
          "also write the content as JSON events, a line each; '-' writes them to standard output,"
              + " and nothing else")
  private String events;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description = "also write a page of HTML with pictures")
  private String report;

  @Option(
      names = "--format",
      paramLabel = "F",
      defaultValue = "text",
      description = "text (default) or json")
  private OutputFormat format;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    Options.require("--top", "from 0 to " + MOST_PREFIXES, top >= 0 && top <= MOST_PREFIXES, top);
    if (report != null) {
      Options.requireWritable(report);
    }
    final boolean eventsOnly = InputFiles.STANDARD_INPUT.equals(events);
    if (events != null && !eventsOnly) {
      Options.requireWritable(events);
    }
    final long start = System.nanoTime();
    final SnapshotInfo info = info();
    try (RadixIndex index = restore(info)) {
      final long nanos = System.nanoTime() - start;
      if (events != null) {
        writeEvents(index, eventsOnly);
      }
      if (!eventsOnly || report != null) {
        tell(new SnapshotReport(snapshot, info, IndexShape.of(index, top), nanos), !eventsOnly);
      }
    }
    return ExitCode.OK;
  }

  // ------ reading

  private Path path() {
    try {
      return Path.of(snapshot);
    } catch (final InvalidPathException e) {
      throw new InputException("not a file name: " + e.getReason(), e);
    }
  }

  private SnapshotInfo info() {
    if (Files.isDirectory(path())) {
      throw new InputException(snapshot + " is a directory, not a file");
    }
    try {
      return IndexSnapshot.info(path());
    } catch (final SnapshotException e) {
      throw refused(e);
    } catch (final UncheckedIOException e) {
      throw InputFiles.unreadable(snapshot, e.getCause());
    }
  }

  private RadixIndex restore(final SnapshotInfo info) {
    try {
      return IndexSnapshot.restore(path(), info.fitting());
    } catch (final SnapshotException e) {
      throw refused(e);
    } catch (final UncheckedIOException e) {
      throw InputFiles.unreadable(snapshot, e.getCause());
    }
  }

  private InputException refused(final SnapshotException e) {
    return new InputException(snapshot + ": " + e.getMessage(), e);
  }

  // ------ writing

  private void writeEvents(final RadixIndex index, final boolean toStandardOutput) {
    try (ProgressLine progress = new ProgressLine(spec.commandLine().getErr(), "events")) {
      if (toStandardOutput) {
        dumpToStandardOutput(index, progress);
      } else {
        try (Writer file = Files.newBufferedWriter(Path.of(events))) {
          dump(index, file, progress);
        }
      }
    } catch (final IOException e) {
      throw Options.unwritable(events, e);
    } catch (final UncheckedIOException e) {
      throw Options.unwritable(events, e.getCause());
    }
  }

  /** Ends early where nobody reads any more, as behind 'head'; whoever ends the command says so. */
  private void dumpToStandardOutput(final RadixIndex index, final ProgressLine progress) {
    final PrintWriter out = spec.commandLine().getOut();
    final RouterEventLines lines = new RouterEventLines(out);
    try {
      index.dump(
          (buffer, offset, length) -> {
            lines.onEvent(buffer, offset, length);
            progress.accept(lines.lines());
            if (lines.lines() % EVENTS_PER_CHECK == 0 && out.checkError()) {
              throw new NobodyReads();
            }
          });
    } catch (final NobodyReads e) {
      progress.close();
    }
  }

  /** Standard output is closed. */
  private static final class NobodyReads extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private static void dump(final RadixIndex index, final Writer out, final ProgressLine progress) {
    final RouterEventLines lines = new RouterEventLines(out);
    index.dump(
        (buffer, offset, length) -> {
          lines.onEvent(buffer, offset, length);
          progress.accept(lines.lines());
        });
  }

  private void tell(final SnapshotReport told, final boolean print) {
    if (report != null) {
      Options.write(report, new SnapshotPage(told).toHtml());
    }
    if (print) {
      final PrintWriter out = spec.commandLine().getOut();
      if (format == OutputFormat.JSON) {
        out.print(SnapshotFields.of(told).toJson());
        out.print('\n');
      } else {
        out.print(SnapshotText.of(told));
      }
    }
  }
}
