package io.kvroute.tools;

import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command above all others: names what there is. */
@Command(
    name = "kvroute",
    mixinStandardHelpOptions = true,
    versionProvider = Kvroute.Version.class,
    synopsisSubcommandLabel = "COMMAND",
    description = {
      "An off-heap KV-cache routing engine for the JVM: which inference worker already holds the"
          + " longest part of this prompt's KV cache?",
      ""
    },
    footer = {
      "",
      "Start with 'kvroute replay': it routes a trace of requests over simulated SGLang workers and"
          + " shows what prefix routing gains. 'kvroute COMMAND --help' explains a command.",
      "",
      "Exit code: 0 all went well, 1 a check found a difference, 2 a file or an option cannot be"
          + " used, 3 kvroute itself failed."
    })
final class Kvroute implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Missing command");
  }

  /** The version that the jar carries. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      final String version = Kvroute.class.getPackage().getImplementationVersion();
      return new String[] {"kvroute " + (version == null ? "development build" : version)};
    }
  }
}
