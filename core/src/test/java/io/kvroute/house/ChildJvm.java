package io.kvroute.house;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A JVM of the same JDK with a class path and flags of our choosing. */
final class ChildJvm {
  private static final long TIMEOUT_SECONDS = 120;

  /** What a JVM left behind. */
  record Outcome(int exitCode, String out, String err) {}

  private ChildJvm() {}

  /** Runs a main class to its end. */
  static Outcome run(
      final Path folder,
      final List<String> flags,
      final List<Class<?>> classPath,
      final Class<?> mainClass,
      final String... arguments)
      throws IOException, InterruptedException, URISyntaxException {
    final List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(flags);
    command.add("-cp");
    command.add(locations(classPath));
    command.add(mainClass.getName());
    command.addAll(List.of(arguments));
    final Path out = folder.resolve("out");
    final Path err = folder.resolve("err");
    final ProcessBuilder builder =
        new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
    // Each of these would make the JVM print a line of its own, or add flags.
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    builder.environment().remove("JDK_JAVA_OPTIONS");
    builder.environment().remove("_JAVA_OPTIONS");
    final Process process = builder.start();
    if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IllegalStateException("the child did not end: command=" + command);
    }
    return new Outcome(process.exitValue(), read(out), read(err));
  }

  private static String locations(final List<Class<?>> classes) throws URISyntaxException {
    final List<String> paths = new ArrayList<>();
    for (final Class<?> type : classes) {
      paths.add(
          Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString());
    }
    return String.join(System.getProperty("path.separator"), paths);
  }

  private static String read(final Path file) throws IOException {
    return Files.readString(file, StandardCharsets.UTF_8);
  }
}
