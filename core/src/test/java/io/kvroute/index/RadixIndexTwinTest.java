package io.kvroute.index;

import io.kvroute.index.IndexOperations.Naming;
import io.kvroute.index.IndexOperations.Style;
import io.kvroute.index.IndexTwin.Setting;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
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
        new Setting(new Style(3, 2, 2, 60, 4, Naming.AGREED, 6), ClearScope.RANK, 0, 7),
        // What forgotten ranks leave stays for a while, beside everything else.
        new Setting(new Style(4, 2, 2, 60, 4, Naming.SALTED, 30), ClearScope.RANK, -1, 7, 100, 1),
        new Setting(new Style(3, 1, 2, 60, 2, Naming.TINY, 30), ClearScope.WORKER, -1, 7, 9, 3),
        new Setting(
            new Style(4, 2, 2, 60, 2, Naming.ALIASES, 30), ClearScope.RANK, 3L << 62, 7, 5, 2));
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

  @Test
  void shouldFindABlockAgainThatMovedWhenThoseBeforeItInTheEventWereTakenAway() {
    // Taking away the end of one chain joins what is left of the other into one edge, which moves
    // the blocks that the event names next.
    new IndexTwin(settings().findFirst().orElseThrow())
        .replay(
            List.of(
                "stored 9 1 0 - 100:0",
                "stored 9 1 0 100 101:7 102:14 103:21 104:28 105:35 106:42 107:49 108:56 109:63"
                    + " 110:70",
                "stored 1 0 0 - 100:0 101:7 102:14 103:21 104:28 105:35 106:42 107:49 108:56 109:63"
                    + " 110:70 111:77 112:84 113:91 114:98 115:105 116:112 117:1 118:126",
                "removed 1 0 0 113",
                "stored 9 1 0 103 104:28 105:35 106:42 107:49 108:56 109:63 110:70 111:77 112:84"
                    + " 113:91 119:2 120:105",
                "removed 1 0 0 118 117 116 115 114 111 110 109 108 107 106 105 104 103"));
  }

  @Test
  void shouldKeepBothNamesThatAStoreWithoutTokensGivesOneBlock() {
    new IndexTwin(settings().findFirst().orElseThrow())
        .replay(
            List.of(
                "stored 1 0 0 - 32:1",
                "stored 0 0 0 - 47:1 5:8",
                "known -1 0 0 32 47",
                "removed -1 0 0 47 32"));
  }
}
