package io.kvroute.house;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example of the README, compiled and run as it stands there. */
final class ReadmeExampleTest {
  private static final Pattern EXAMPLE =
      Pattern.compile(
          "<!-- example -->\\s*```java\\n(?<code>.*?)```.*?```text\\n(?<output>.*?)```",
          Pattern.DOTALL);

  @TempDir private Path folder;

  @Test
  void shouldPrintWhatTheReadmeSays() throws Exception {
    final Matcher example = EXAMPLE.matcher(Repository.read("README.md"));
    assertTrue(example.find(), "README.md has no example");
    final Path source = folder.resolve("Example.java");
    Files.writeString(source, example.group("code"));
    compile(source);
    assertEquals(example.group("output"), run("Example"));
  }

  private void compile(final Path source) {
    final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    final StringWriter complaints = new StringWriter();
    final List<String> options =
        List.of("-d", folder.toString(), "-Xlint:all", "-Werror", "-proc:none");
    final boolean compiled =
        compiler
            .getTask(
                complaints,
                null,
                null,
                options,
                null,
                compiler
                    .getStandardFileManager(null, null, StandardCharsets.UTF_8)
                    .getJavaFileObjects(source))
            .call();
    assertTrue(compiled, complaints::toString);
  }

  private String run(final String mainClass) throws Exception {
    final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    final PrintStream before = System.out;
    final URL[] urls = {folder.toUri().toURL()};
    try (PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
        URLClassLoader loader = new URLClassLoader(urls, getClass().getClassLoader())) {
      System.setOut(out);
      loader
          .loadClass(mainClass)
          .getMethod("main", String[].class)
          .invoke(null, (Object) new String[0]);
    } finally {
      System.setOut(before);
    }
    return bytes.toString(StandardCharsets.UTF_8).replace(System.lineSeparator(), "\n");
  }
}
