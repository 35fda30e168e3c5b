package io.kvroute.house;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.core.JsonFactory;
import io.kvroute.memory.Arena;
import io.kvroute.memory.RuntimeAccess;
import java.nio.file.Path;
import java.util.List;
import net.openhft.hashing.LongHashFunction;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class OptionalLibrariesTest {
  @TempDir private Path folder;

  @Test
  void shouldRunTheHotPathsWithAgronaAlone() throws Exception {
    final ChildJvm.Outcome outcome =
        ChildJvm.run(
            folder,
            List.of(RuntimeAccess.REQUIRED_FLAG.split(" ", -1)),
            List.of(Arena.class, DirectBuffer.class, HotPathProbe.class),
            HotPathProbe.class,
            JsonFactory.class.getName(),
            LongHashFunction.class.getName());
    assertEquals("", outcome.err());
    assertEquals(HotPathProbe.run() + System.lineSeparator(), outcome.out());
    assertEquals(0, outcome.exitCode());
  }
}
