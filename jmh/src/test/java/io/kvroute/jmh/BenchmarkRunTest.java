package io.kvroute.jmh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs every benchmark once with each of its parameters, in this process, so that what their
 * set-ups and tear-downs check is checked by every build. Only the largest parameters are left out.
 */
final class BenchmarkRunTest {

  @Test
  void shouldRunEveryBenchmarkWithEachOfItsParameters(@TempDir final Path folder)
      throws IOException {
    final Path log = folder.resolve("jmh.log");
    // Another run of JMH on this machine does not matter: nothing is measured here.
    System.setProperty("jmh.ignoreLock", "true");
    final Options options =
        new OptionsBuilder()
            .include("io\\.kvroute\\.jmh\\.")
            .mode(Mode.SingleShotTime)
            .forks(0)
            .warmupIterations(0)
            .measurementIterations(1)
            .param("leaves", "1000")
            .param("contextPages", "512")
            .param("indexBlocks", "50000")
            .shouldFailOnError(true)
            .output(log.toString())
            .build();
    final Collection<RunResult> results;
    try {
      results = new Runner(options).run();
    } catch (final RunnerException e) {
      throw new AssertionError(Files.readString(log), e);
    }
    final Set<String> ran =
        results.stream()
            .map(result -> result.getParams().getBenchmark())
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(listed(), ran);
    assertTrue(results.size() > ran.size());
  }

  private static Set<String> listed() {
    return BenchmarkList.defaultList()
        .getAll(OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT), List.of())
        .stream()
        .map(BenchmarkListEntry::getUsername)
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
