package io.kvroute.tools;

import io.kvroute.route.queue.QueuePolicy;
import io.kvroute.route.queue.QueuePolicyException;
import io.kvroute.tools.io.InputException;
import io.kvroute.tools.policy.QueuePolicyReader;
import io.kvroute.tools.sim.SimTrace;
import io.kvroute.tools.sim.SimulationSettings;
import io.kvroute.tools.trace.MemoryTrace;
import io.kvroute.tools.trace.TraceSource;
import java.math.BigDecimal;
import java.math.RoundingMode;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;

/** How fast the simulated workers are, and how the router is set. */
final class SimulationOptions {
  private static final BigDecimal NANOS_PER_MILLI = BigDecimal.valueOf(1_000_000);
  private static final BigDecimal NANOS_PER_SECOND = BigDecimal.valueOf(1_000_000_000);
  private static final BigDecimal MAX_MILLIS = BigDecimal.valueOf(3_600_000);
  private static final BigDecimal MAX_SECONDS = BigDecimal.valueOf(86_400);
  private static final BigDecimal MIN_SPEED = new BigDecimal("0.000001");
  private static final BigDecimal MAX_SPEED = new BigDecimal("1000000");
  private static final long MAX_RATE = 1_000_000_000L;
  private static final int MAX_BATCH = 65_536;
  private static final int MAX_CHUNK = 1 << 28;
  private static final String NO_QUEUE = "none";

  @Option(
      names = "--speed",
      paramLabel = "X",
      defaultValue = "1",
      description =
          "divides the times between arrivals: 2 doubles the offered load (default"
              + " ${DEFAULT-VALUE})")
  private BigDecimal speed;

  @Option(
      names = "--prefill-rate",
      paramLabel = "N",
      defaultValue = "10000",
      description = "prompt tokens that a worker computes per second (default ${DEFAULT-VALUE})")
  private long prefillRate;

  @Option(
      names = "--decode-step",
      paramLabel = "MS",
      defaultValue = "15",
      description =
          "milliseconds that a step takes in which requests decode a token each, besides its"
              + " prefill (default ${DEFAULT-VALUE})")
  private BigDecimal decodeStep;

  @Option(
      names = "--decode-request",
      paramLabel = "MS",
      defaultValue = "0.2",
      description = "what each decoding request adds to that (default ${DEFAULT-VALUE})")
  private BigDecimal decodeRequest;

  @Option(
      names = "--max-batch",
      paramLabel = "N",
      defaultValue = "256",
      description = "requests that a worker computes at once at most (default ${DEFAULT-VALUE})")
  private int maxBatch;

  @Option(
      names = "--chunk-tokens",
      paramLabel = "N",
      defaultValue = "8192",
      description =
          "prompt tokens that a worker computes in one step at most; longer prompts take several"
              + " (default ${DEFAULT-VALUE})")
  private int chunkTokens;

  @Option(
      names = "--event-delay",
      paramLabel = "MS",
      defaultValue = "5",
      description =
          "milliseconds from a change in a worker's cache to the router's index (default"
              + " ${DEFAULT-VALUE})")
  private BigDecimal eventDelay;

  @Option(
      names = "--queue-threshold",
      paramLabel = "X",
      defaultValue = "16",
      description =
          "requests wait in the router while every worker has more than X chunks of prompts to"
              + " compute; none: never (default ${DEFAULT-VALUE})")
  private String queueThreshold;

  @Option(
      names = "--router-policy-config",
      paramLabel = "FILE",
      description =
          "YAML with the classes of the router's queue, instead of --queue-threshold; requests of a"
              + " trace name no class, so they go by their tokens that are not cached")
  private String policyConfig;

  @Option(
      names = "--overlap-score-credit",
      paramLabel = "X",
      defaultValue = "1",
      description =
          "what a cached block is worth to kv and approximate, in blocks of prefill (default"
              + " ${DEFAULT-VALUE})")
  private double overlapScoreCredit;

  @Option(
      names = "--router-temperature",
      paramLabel = "X",
      defaultValue = "0",
      description =
          "how much kv and approximate leave to chance; 0: ties alone (default ${DEFAULT-VALUE})")
  private double routerTemperature;

  @Option(
      names = "--router-ttl",
      paramLabel = "S",
      defaultValue = "120",
      description =
          "seconds for which approximate remembers its decisions (default ${DEFAULT-VALUE})")
  private BigDecimal routerTtl;

  /** Fails if one of these options is given, which {@code --sequential} does not know. */
  static void requireNone(final ParseResult parsed) {
    for (final OptionSpec option : parsed.matchedOptionsSet()) {
      if (option.userObject() instanceof java.lang.reflect.Field field
          && field.getDeclaringClass() == SimulationOptions.class) {
        throw new InputException(
            option.longestName() + " is an option of the simulation, not of --sequential");
      }
    }
  }

  /** The settings that these and the other options make; fails if a value is out of range. */
  SimulationSettings settings(final CacheOptions cache, final TraceOptions trace) {
    cache.check();
    trace.check();
    check();
    return new SimulationSettings(
        cache.workers(),
        cache.poolTokens(),
        cache.pageSize(),
        speed,
        prefillRate,
        nanos(decodeStep, NANOS_PER_MILLI),
        nanos(decodeRequest, NANOS_PER_MILLI),
        maxBatch,
        chunkTokens,
        nanos(eventDelay, NANOS_PER_MILLI),
        threshold(),
        queueClasses(),
        overlapScoreCredit,
        routerTemperature,
        nanos(routerTtl, NANOS_PER_SECOND),
        trace.seed());
  }

  private void check() {
    Options.require(
        "--speed",
        "from " + MIN_SPEED.toPlainString() + " to " + MAX_SPEED.toPlainString(),
        isBetween(MIN_SPEED, speed, MAX_SPEED),
        speed);
    Options.require(
        "--prefill-rate",
        "from 1 to " + MAX_RATE,
        prefillRate >= 1 && prefillRate <= MAX_RATE,
        prefillRate);
    requireMillis("--decode-step", decodeStep);
    requireMillis("--decode-request", decodeRequest);
    requireMillis("--event-delay", eventDelay);
    Options.require(
        "--max-batch", "from 1 to " + MAX_BATCH, maxBatch >= 1 && maxBatch <= MAX_BATCH, maxBatch);
    Options.require(
        "--chunk-tokens",
        "from 1 to " + MAX_CHUNK,
        chunkTokens >= 1 && chunkTokens <= MAX_CHUNK,
        chunkTokens);
    requireFinite("--overlap-score-credit", overlapScoreCredit);
    requireFinite("--router-temperature", routerTemperature);
    Options.require(
        "--router-ttl",
        "from 0 to " + MAX_SECONDS,
        isBetween(BigDecimal.ZERO, routerTtl, MAX_SECONDS),
        routerTtl);
  }

  private double threshold() {
    if (NO_QUEUE.equalsIgnoreCase(queueThreshold)) {
      return Double.NaN;
    }
    try {
      final double value = Double.parseDouble(queueThreshold);
      requireFinite("--queue-threshold", value);
      return value;
    } catch (final NumberFormatException e) {
      throw new InputException("--queue-threshold must be a number or none: " + queueThreshold, e);
    }
  }

  private QueuePolicy queueClasses() {
    if (policyConfig == null) {
      return null;
    }
    try {
      final QueuePolicy classes = QueuePolicyReader.read(policyConfig).of(null, null);
      if (classes == null) {
        throw new InputException(
            policyConfig + ": has policies of single models only; a simulation has no model");
      }
      return classes;
    } catch (final QueuePolicyException e) {
      throw new InputException(e.getMessage(), e);
    }
  }

  private static void requireMillis(final String option, final BigDecimal value) {
    Options.require(
        option, "from 0 to " + MAX_MILLIS, isBetween(BigDecimal.ZERO, value, MAX_MILLIS), value);
  }

  private static void requireFinite(final String option, final double value) {
    Options.require(
        option, "a finite number of at least 0", value >= 0 && Double.isFinite(value), value);
  }

  private static boolean isBetween(
      final BigDecimal low, final BigDecimal value, final BigDecimal high) {
    return low.compareTo(value) <= 0 && value.compareTo(high) <= 0;
  }

  private static long nanos(final BigDecimal value, final BigDecimal scale) {
    return value.multiply(scale).setScale(0, RoundingMode.FLOOR).longValue();
  }

  /** Reads the whole trace; fails if it is bad or empty. */
  static SimTrace read(final TraceOptions trace, final long pageSize) {
    final MemoryTrace rows;
    try (TraceSource source = trace.open()) {
      rows = MemoryTrace.readAll(source);
    }
    if (rows.size() == 0) {
      throw new InputException(trace.name() + " holds no request");
    }
    return new SimTrace(rows, pageSize);
  }
}
