package io.kvroute.tools;

import io.kvroute.memory.CapacityExceededException;
import io.kvroute.tools.io.InputException;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Turns what went wrong into one sentence and an exit code. */
final class Complaints {

  private Complaints() {}

  /** For options and parameters that do not parse. */
  static int ofParameters(final ParameterException e, final String[] args) {
    final CommandLine line = e.getCommandLine();
    final String name = line.getCommandSpec().qualifiedName();
    print(line, sentence(e) + " (see " + name + " --help)");
    return ExitCode.UNUSABLE_INPUT;
  }

  /** For exceptions of a command. */
  static int ofExecution(final Exception e, final CommandLine line, final ParseResult parsed) {
    if (e instanceof InputException) {
      print(line, oneLine(e.getMessage()));
      return ExitCode.UNUSABLE_INPUT;
    }
    if (e instanceof CapacityExceededException) {
      print(line, "not enough room: " + oneLine(e.getMessage()));
      return ExitCode.UNUSABLE_INPUT;
    }
    print(line, "internal error: " + e);
    e.printStackTrace(line.getErr());
    return ExitCode.DEFECT;
  }

  private static void print(final CommandLine line, final String sentence) {
    final PrintWriter err = line.getErr();
    line.getOut().flush();
    err.println(line.getCommandSpec().qualifiedName() + ": " + sentence);
  }

  private static String sentence(final ParameterException e) {
    final CommandLine line = e.getCommandLine();
    if (e instanceof UnmatchedArgumentException unmatched
        && !line.getSubcommands().isEmpty()
        && !unmatched.isUnknownOption()) {
      final List<String> commands =
          line.getSubcommands().keySet().stream().filter(name -> !name.equals("help")).toList();
      return "no such command: '"
          + unmatched.getUnmatched().get(0)
          + "'; there are "
          + String.join(", ", commands);
    }
    return withoutTypes(oneLine(e.getMessage()));
  }

  private static String withoutTypes(final String message) {
    return message
        .replaceFirst("is not an int$", "is not a whole number of 32 bits")
        .replaceFirst("is not a long$", "is not a whole number of 64 bits");
  }

  private static String oneLine(final String message) {
    return message == null ? "no message" : message.replaceAll("\\s*\\R\\s*", " ");
  }
}
