package io.kvroute.jmh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.memory.RuntimeAccess;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.VerboseMode;

final class BenchmarkListTest {

  @Test
  void shouldListEveryBenchmarkMethodWhenTheProcessorRan() throws Exception {
    final Set<String> expected = new TreeSet<>();
    for (final Class<?> type : benchmarkClasses()) {
      for (final Method method : type.getMethods()) {
        if (method.isAnnotationPresent(Benchmark.class)) {
          expected.add(type.getName() + '.' + method.getName());
        }
      }
    }
    final Set<String> listed =
        listed().stream()
            .map(BenchmarkListEntry::getUsername)
            .collect(Collectors.toCollection(TreeSet::new));
    assertFalse(expected.isEmpty());
    assertEquals(expected, listed);
  }

  @Test
  void shouldGiveEveryForkTheFlagThatAgronaNeeds() {
    final String flag = RuntimeAccess.REQUIRED_FLAG.replaceFirst(" ", "=");
    for (final BenchmarkListEntry entry : listed()) {
      final List<String> arguments = List.copyOf(entry.getJvmArgsAppend().orElse(List.of()));
      assertTrue(arguments.contains(flag), entry.getUsername() + ' ' + arguments);
    }
    assertEquals(flag, BenchmarkBase.class.getAnnotation(Fork.class).jvmArgsAppend()[0]);
  }

  @Test
  void shouldHaveAControlBesideEveryMeasurementOfOurs() throws Exception {
    final Set<String> missing = new TreeSet<>();
    for (final Class<?> type : benchmarkClasses()) {
      if (!type.getSimpleName().endsWith("Ruler")) {
        final Set<String> names =
            Stream.of(type.getMethods())
                .filter(method -> method.isAnnotationPresent(Benchmark.class))
                .map(Method::getName)
                .collect(Collectors.toSet());
        names.stream()
            .filter(name -> !name.startsWith("control") && !names.contains(controlOf(name)))
            .forEach(name -> missing.add(type.getSimpleName() + '.' + name));
      }
    }
    // A floor, which is work that ours cannot do without, is compared with ours.
    assertEquals(Set.of("CachedPromptBenchmark.hashOnly", "MatchBenchmark.hashOnly"), missing);
  }

  private static String controlOf(final String name) {
    return "control" + name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
  }

  private static Set<BenchmarkListEntry> listed() {
    return BenchmarkList.defaultList()
        .find(
            OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT),
            List.of(),
            List.of());
  }

  private static List<Class<?>> benchmarkClasses() throws IOException, URISyntaxException {
    final Path classes =
        Path.of(BenchmarkBase.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    try (Stream<Path> files = Files.list(classes.resolve("io/kvroute/jmh"))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".class") && !name.contains("package-info"))
          .map(name -> load("io.kvroute.jmh." + name.substring(0, name.length() - 6)))
          .collect(Collectors.toList());
    }
  }

  private static Class<?> load(final String name) {
    try {
      return Class.forName(name);
    } catch (final ClassNotFoundException e) {
      throw new IllegalStateException(name, e);
    }
  }
}
