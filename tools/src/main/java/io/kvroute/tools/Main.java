package io.kvroute.tools;

import io.kvroute.memory.RuntimeAccess;
import io.kvroute.tools.sim.PolicyKind;
import java.io.BufferedWriter;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Help;

/**
 * The entry: {@code kvroute COMMAND ...}. Results go to standard output, complaints to standard
 * error, one sentence each. Exit code 0 if all went well, 1 if a check found a difference, 2 if
 * what the user gave cannot be used, 3 if kvroute itself failed.
 */
public final class Main {
  private static final int USAGE_WIDTH = 100;

  private Main() {}

  /** Runs one command and ends the process with its exit code. */
  public static void main(final String[] args) {
    final PrintWriter out = writer(new FileOutputStream(FileDescriptor.out), false);
    final PrintWriter err = writer(new FileOutputStream(FileDescriptor.err), true);
    final int code = run(new Streams(System.in, out, err), args);
    System.exit(code);
  }

  private static PrintWriter writer(final FileOutputStream stream, final boolean eachLine) {
    return new PrintWriter(
        new BufferedWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8)), eachLine);
  }

  /** Where a run reads and writes. */
  record Streams(InputStream in, PrintWriter out, PrintWriter err) {}

  /** Runs one command in this process and returns its exit code. */
  static int run(final Streams streams, final String... args) {
    try {
      RuntimeAccess.check();
    } catch (final IllegalStateException e) {
      streams.err().println(e.getMessage());
      streams.err().flush();
      return ExitCode.UNUSABLE_INPUT;
    }
    final int code = execute(streams, args);
    streams.err().flush();
    streams.out().flush();
    if (streams.out().checkError()) {
      streams.err().println("kvroute: standard output cannot be written");
      streams.err().flush();
      return ExitCode.UNUSABLE_INPUT;
    }
    return code;
  }

  private static int execute(final Streams streams, final String... args) {
    try {
      return commandLine(streams).execute(args);
    } catch (final OutOfMemoryError e) {
      streams.err().println("kvroute: not enough memory: " + e.getMessage() + " (raise -Xmx)");
      return ExitCode.UNUSABLE_INPUT;
    }
  }

  private static CommandLine commandLine(final Streams streams) {
    final CommandLine line = new CommandLine(new Kvroute());
    line.addSubcommand(new ReplayCommand());
    line.addSubcommand(new CompareCommand());
    line.addSubcommand(new GenerateCommand());
    line.addSubcommand(new HashCommand(streams.in()));
    line.addSubcommand(new ConformanceCommand());
    line.addSubcommand(new WorkloadCommand());
    line.addSubcommand(new InspectCommand());
    line.addSubcommand(new CommandLine.HelpCommand());
    line.setOut(streams.out());
    line.setErr(streams.err());
    line.setColorScheme(Help.defaultColorScheme(Help.Ansi.OFF));
    line.setUsageHelpWidth(USAGE_WIDTH);
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.registerConverter(PolicyKind.class, Options::policy);
    line.registerConverter(BigDecimal.class, Options::decimal);
    line.setExpandAtFiles(false);
    line.setParameterExceptionHandler(Complaints::ofParameters);
    line.setExecutionExceptionHandler(Complaints::ofExecution);
    return line;
  }
}
