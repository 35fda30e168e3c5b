package io.kvroute.house;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.kvroute.memory.Arena;
import io.kvroute.memory.RuntimeAccess;
import java.nio.file.Path;
import java.util.List;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program that is started without the flag that Agrona needs. */
final class MissingFlagTest {
  private static final List<Class<?>> CLASS_PATH =
      List.of(Arena.class, DirectBuffer.class, EntranceProbe.class);
  private static final String OUR_ERROR =
      "java.lang.IllegalStateException: kvroute needs access to jdk.internal.misc: start the JVM"
          + " with --add-opens java.base/jdk.internal.misc=ALL-UNNAMED";

  @TempDir private Path folder;

  @Test
  void shouldFailWithOneErrorThatNamesTheFlagWhicheverWayIsTakenFirst() throws Exception {
    final ChildJvm.Outcome outcome =
        ChildJvm.run(folder, List.of(), CLASS_PATH, EntranceProbe.class);
    final StringBuilder expected = new StringBuilder();
    for (final String entrance : EntranceProbe.entrances().keySet()) {
      expected.append(entrance).append(": ").append(OUR_ERROR).append(System.lineSeparator());
    }
    assertEquals("", outcome.err());
    assertEquals(expected.toString(), outcome.out());
    assertEquals(0, outcome.exitCode());
  }

  @Test
  void shouldShowNothingButThatErrorWhenNobodyCatchesIt() throws Exception {
    final ChildJvm.Outcome outcome =
        ChildJvm.run(folder, List.of(), CLASS_PATH, EntranceProbe.class, "manager");
    final List<String> shown =
        outcome.err().lines().filter(line -> !line.startsWith("\tat ")).toList();
    assertEquals(List.of("Exception in thread \"main\" " + OUR_ERROR), shown);
    assertEquals(1, outcome.exitCode());
  }

  @Test
  void shouldFailNowhereWhenTheFlagIsGiven() throws Exception {
    final List<String> flags = List.of(RuntimeAccess.REQUIRED_FLAG.split(" ", -1));
    final ChildJvm.Outcome outcome = ChildJvm.run(folder, flags, CLASS_PATH, EntranceProbe.class);
    final StringBuilder expected = new StringBuilder();
    for (final String entrance : EntranceProbe.entrances().keySet()) {
      expected.append(entrance).append(": nothing thrown").append(System.lineSeparator());
    }
    assertEquals("", outcome.err());
    assertEquals(expected.toString(), outcome.out());
  }
}
