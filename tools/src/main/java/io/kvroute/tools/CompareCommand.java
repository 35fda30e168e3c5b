package io.kvroute.tools;

import io.kvroute.tools.io.InputException;
import io.kvroute.tools.io.OutputFormat;
import io.kvroute.tools.report.ComparisonPage;
import io.kvroute.tools.report.SimulationFields;
import io.kvroute.tools.report.SimulationText;
import io.kvroute.tools.sim.PolicyKind;
import io.kvroute.tools.sim.SimTrace;
import io.kvroute.tools.sim.Simulation;
import io.kvroute.tools.sim.SimulationResult;
import io.kvroute.tools.sim.SimulationSettings;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code kvroute compare}: one trace under several policies. */
@Command(
    name = "compare",
    mixinStandardHelpOptions = true,
    versionProvider = Kvroute.Version.class,
    sortOptions = false,
    description = {
      "Simulates the same trace on the same cluster under several routing policies, and tells what"
          + " each made of it: a row per policy, and with --report a page with pictures.",
      "",
      "What is simulated, and what the options of the cluster mean, tells 'kvroute replay --help'.",
      ""
    },
    footer = {
      "",
      "Policies:",
      "  kv            the lowest cost: blocks to prefill that are not cached (by the workers'",
      "                events) and blocks in use",
      "  approximate   the same, but what is cached is guessed from the router's own decisions",
      "  round-robin   one worker after the other",
      "  random        any worker",
      "  least-loaded  the fewest requests",
      "",
      "JSON keys (one object): those of 'kvroute replay', but figures and per_worker are in",
      "  policies  a list with one object per policy, and",
      "  timing    has one object per policy, by its name.",
      "",
      "Example:",
      "  kvroute compare --trace conversation_trace.jsonl --speed 1.5 --report out.html"
    })
final class CompareCommand implements Callable<Integer> {
  @Option(
      names = "--policies",
      paramLabel = "P",
      split = ",",
      defaultValue = "kv,round-robin,random,least-loaded,approximate",
      description = "policies to compare, in this order (default ${DEFAULT-VALUE})")
  private List<PolicyKind> policies;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description = "write a page with pictures (HTML, one file, nothing loaded from elsewhere)")
  private String report;

  @Mixin private TraceOptions trace;

  @Mixin private CacheOptions cache;

  @Mixin private SimulationOptions simulation;

  @Option(
      names = "--format",
      paramLabel = "F",
      defaultValue = "text",
      description = "text (default) or json")
  private OutputFormat format;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    final Set<PolicyKind> distinct = EnumSet.noneOf(PolicyKind.class);
    for (final PolicyKind kind : policies) {
      if (!distinct.add(kind)) {
        throw new InputException("--policies names a policy twice: " + kind.label());
      }
    }
    final SimulationSettings settings = simulation.settings(cache, trace);
    final SimTrace requests = SimulationOptions.read(trace, settings.pageSize());
    if (report != null) {
      Options.requireWritable(report);
    }
    final List<SimulationResult> results = new ArrayList<>();
    try (ProgressLine progress = new ProgressLine(spec.commandLine().getErr())) {
      for (final PolicyKind kind : policies) {
        try (Simulation each = new Simulation(settings, kind, requests)) {
          results.add(each.run(progress));
        }
      }
    }
    if (report != null) {
      Options.write(report, new ComparisonPage(trace.name(), results).toHtml());
    }
    print(results);
    return ExitCode.OK;
  }

  private void print(final List<SimulationResult> results) {
    final PrintWriter out = spec.commandLine().getOut();
    if (format == OutputFormat.JSON) {
      out.print(SimulationFields.ofSeveral(trace.name(), results).toJson());
      out.print('\n');
    } else {
      out.print(SimulationText.ofSeveral(trace.name(), results));
    }
  }
}
