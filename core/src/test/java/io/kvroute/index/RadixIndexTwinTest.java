package io.kvroute.index;

import io.kvroute.index.IndexOperations.Naming;
import io.kvroute.index.IndexOperations.Style;
import io.kvroute.index.IndexTwin.Setting;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class RadixIndexTwinTest {
  private static final int OPERATIONS = Integer.getInteger("kvroute.twin.operations", 10_000);
  private static final int LONG_OPERATIONS = 100_000;

  static Stream<Setting> settings() {
    return Stream.of(
        new Setting(new Style(3, 2, 2, 60, 1, Naming.AGREED, 3), ClearScope.RANK, -1, 7),
        new Setting(new Style(3, 2, 2, 40, 4, Naming.AGREED, 10), ClearScope.RANK, -1, 7),
        new Setting(new Style(40, 2, 1, 50, 2, Naming.AGREED, 4), ClearScope.RANK, -1, 11),
        new Setting(new Style(4, 2, 3, 60, 2, Naming.SALTED, 6), ClearScope.WORKER, -1, 7),
        new Setting(new Style(3, 1, 2, 40, 4, Naming.ALIASES, 6), ClearScope.RANK, -1, 7),
        new Setting(new Style(3, 2, 2, 20, 4, Naming.TINY, 10), ClearScope.RANK, -1, 7),
        new Setting(new Style(4, 2, 2, 60, 2, Naming.SALTED, 6), ClearScope.RANK, 3L << 62, 7),
        new Setting(new Style(3, 2, 2, 60, 4, Naming.AGREED, 6), ClearScope.RANK, 0, 7));
  }

  @ParameterizedTest
  @MethodSource("settings")
  void shouldAgreeWithTheNaiveIndexOnRandomEvents(final Setting setting) {
    new IndexTwin(setting).run(42, Math.max(1, OPERATIONS / 8));
  }

  @Tag("long")
  @ParameterizedTest
  @MethodSource("settings")
  void shouldAgreeWithTheNaiveIndexOnManyRandomEvents(final Setting setting) {
    for (long seed = 1; seed <= 4; seed++) {
      new IndexTwin(setting).run(seed, LONG_OPERATIONS / 8);
    }
  }
}
