package io.kvroute.twin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.kvroute.twin.Workload.Outputs;
import java.util.Map;
import java.util.TreeMap;

/** Outputs that the reference implementation gave on the reference workloads. */
final class WorkloadTables {
  /** W3: pool 65,536 tokens, page 16. */
  static final TreeMap<Integer, Outputs> CHURN = new TreeMap<>();

  /** W3c: eight leases at once. */
  static final TreeMap<Integer, Outputs> LEASES = new TreeMap<>();

  /** W4: the conversation trace, prompts only. */
  static final TreeMap<Integer, Outputs> TRACE = new TreeMap<>();

  /** W4d: the conversation trace with decode. */
  static final TreeMap<Integer, Outputs> TRACE_DECODE = new TreeMap<>();

  /** Input tokens of W3c after some steps. */
  static final Map<Integer, Long> LEASES_INPUT = Map.of(100, 2_087L, 1_000, 16_681L);

  static {
    CHURN.put(
        100,
        row(
            24_576,
            131,
            10_112,
            55_424,
            0,
            200,
            3_464,
            0,
            0,
            "80bb5d8a240bfc00",
            "d9c72d4f083d19cd"));
    CHURN.put(
        1_000,
        row(
            431_360,
            180,
            0,
            65_536,
            0,
            2_000,
            23_040,
            2_601,
            18_944,
            "e5c4de3dd767ea00",
            "f7efa2b22c1afbc4"));
    CHURN.put(
        2_000,
        row(
            878_848,
            184,
            0,
            65_536,
            0,
            4_000,
            45_072,
            5_601,
            40_976,
            "4b7424f87c53e200",
            "c3d85ebe20c392be"));
    CHURN.put(
        30_000,
        row(
            13_345_536,
            184,
            0,
            65_536,
            0,
            60_000,
            665_904,
            89_601,
            661_808,
            "4f34647d037a3b40",
            "ad68789a45561ac5"));
    LEASES.put(
        100, row(396, 12, 252, 148, 296, 33, 395, 15, 208, "ee60548e11c8350c", "05420310def2bd72"));
    LEASES.put(
        1_000,
        row(
            6_592,
            22,
            0,
            352,
            536,
            292,
            2_662,
            390,
            2_419,
            "c695c9379cf476f8",
            "32e3397ff820070a"));
    TRACE.put(
        100,
        row(
            50_688,
            102,
            2_721_024,
            1_473_280,
            0,
            100,
            92_080,
            0,
            0,
            "00b5526e65a22a00",
            "a8c7e84613205f29"));
    TRACE.put(
        1_000,
        row(
            2_217_728,
            377,
            16,
            4_194_288,
            0,
            988,
            719_242,
            665,
            457_099,
            "d67b9de875771b60",
            "0305d1ee96499a3d"));
    TRACE.put(
        5_000,
        row(
            11_664_976,
            465,
            16,
            4_194_288,
            0,
            4_976,
            3_351_824,
            4_653,
            3_089_681,
            "442cd9c7693fb2d0",
            "3d9f6e9ecc307469"));
    TRACE.put(
        12_031,
        row(
            27_366_672,
            515,
            16,
            4_194_288,
            0,
            11_957,
            7_333_596,
            11_637,
            7_071_453,
            "daeb534097c767b0",
            "c458cde5cf5edc0b"));
    TRACE_DECODE.put(
        100,
        row(
            50_688,
            102,
            2_684_224,
            1_510_080,
            0,
            2_400,
            94_380,
            0,
            0,
            "00b5526e65a22a00",
            "f39b12277d1118f7"));
    TRACE_DECODE.put(
        1_000,
        row(
            2_217_728,
            377,
            16,
            4_194_288,
            0,
            22_819,
            741_073,
            14_926,
            478_930,
            "d67b9de875771b60",
            "00d82ad576565576"));
    TRACE_DECODE.put(
        4_000,
        row(
            9_329_424,
            438,
            16,
            4_194_288,
            0,
            90_734,
            2_829_910,
            82_847,
            2_567_767,
            "fbf5011bdc2cbc50",
            "9aea36447785c220"));
    TRACE_DECODE.put(
        12_031,
        row(
            26_638_192,
            498,
            16,
            4_194_288,
            0,
            269_533,
            7_636_702,
            261_691,
            7_374_559,
            "2454d59547809690",
            "e938594b0ef76c90"));
  }

  private WorkloadTables() {}

  private static Outputs row(
      final long hitTokens,
      final long nodes,
      final long available,
      final long evictable,
      final long protectedTokens,
      final long storedEvents,
      final long storedBlocks,
      final long removedEvents,
      final long removedBlocks,
      final String hitFold,
      final String eventFold) {
    return new Outputs(
        hitTokens,
        nodes,
        available,
        evictable,
        protectedTokens,
        storedEvents,
        storedBlocks,
        removedEvents,
        removedBlocks,
        hitFold,
        eventFold);
  }

  /** Runs a workload and compares it with each row of its table up to {@code limit} steps. */
  static void compare(
      final Workload workload, final TreeMap<Integer, Outputs> table, final int limit) {
    int done = 0;
    for (final Map.Entry<Integer, Outputs> row : table.headMap(limit, true).entrySet()) {
      workload.run(row.getKey() - done);
      done = row.getKey();
      assertEquals(row.getValue(), workload.outputs(), "after " + done + " steps");
    }
  }
}
