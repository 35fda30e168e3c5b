package io.kvroute.tools.workload;

import io.kvroute.tools.io.Fields;
import io.kvroute.tools.io.InputException;
import io.kvroute.tools.workload.WorkloadKind.Option;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What the command line knows of the workloads: takes options as the user wrote them. */
public final class WorkloadRunner {
  private static final int MAX_ROUNDS = 1_000_000;
  private static final int MAX_POINT = 100_000_000;
  private static final int MAX_WORKERS = 65_536;
  private static final int MAX_WARM_UP_SECONDS = 3_600;
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  private final WorkloadKind kind;
  private String trace;
  private Integer workers;
  private Long blocks;
  private final List<Integer> points = new ArrayList<>();
  private Integer rounds;
  private Policy policy;
  private Boolean fine;
  private SinkMode sink;
  private String snapshot;
  private WarmUp warmUp = new WarmUp(0);
  private Expectations expectations;

  /**
   * Prepares a workload.
   *
   * @throws InputException if there is none of that name
   */
  public WorkloadRunner(final String name) {
    kind = WorkloadKind.ofName(name);
    if (kind == null) {
      throw new InputException("no such workload: " + name + " (there are " + names() + ")");
    }
  }

  /** The names of all workloads, separated by commas. */
  public static String names() {
    final StringBuilder names = new StringBuilder();
    for (final WorkloadKind each : WorkloadKind.values()) {
      names.append(names.isEmpty() ? "" : ", ").append(each.label());
    }
    return names.toString();
  }

  /** The trace's file name; null leaves it out. */
  public WorkloadRunner trace(final String file) {
    require(Option.TRACE, file);
    trace = file;
    return this;
  }

  /** Number of workers; null leaves the workload's own. */
  public WorkloadRunner workers(final Integer count) {
    require(Option.WORKERS, count);
    workers = inRange("--workers", count, MAX_WORKERS);
    return this;
  }

  /** Blocks to store; null leaves the workload's own. */
  public WorkloadRunner blocks(final Long count) {
    require(Option.BLOCKS, count);
    if (count != null && (count < 1 || count > Integer.MAX_VALUE)) {
      throw new InputException(
          "--blocks must be from 1 to " + Integer.MAX_VALUE + ": blocks=" + count);
    }
    blocks = count;
    return this;
  }

  /** After how many requests or steps outputs are wanted, ascending; null leaves the end. */
  public WorkloadRunner points(final List<Integer> counts) {
    require(Option.POINTS, counts);
    int previous = 0;
    for (final Integer count : counts == null ? List.<Integer>of() : counts) {
      inRange("--requests", count, MAX_POINT);
      if (count <= previous) {
        throw new InputException("--requests must ascend: " + count + " follows " + previous);
      }
      previous = count;
      points.add(count);
    }
    return this;
  }

  /** How often to measure; null leaves the workload's own. */
  public WorkloadRunner rounds(final Integer count) {
    require(Option.ROUNDS, count);
    rounds = inRange("--rounds", count, MAX_ROUNDS);
    if (kind == WorkloadKind.W3) {
      inRange("--rounds", count, ChurnWorkload.roundsIn(MAX_POINT));
    }
    if (kind == WorkloadKind.W3 && count != null && !points.isEmpty()) {
      throw new InputException("W3 takes --requests or --rounds, not both");
    }
    return this;
  }

  /** Seconds to run before anything is measured; 0 for none. */
  public WorkloadRunner warmUp(final int seconds) {
    if (seconds < 0 || seconds > MAX_WARM_UP_SECONDS) {
      throw new InputException(
          "--warm-up must be from 0 to " + MAX_WARM_UP_SECONDS + ": " + seconds);
    }
    warmUp = new WarmUp(seconds * NANOS_PER_SECOND);
    return this;
  }

  /** Name of the policy; null leaves overlap. */
  public WorkloadRunner policy(final String name) {
    require(Option.POLICY, name);
    for (final Policy each : Policy.values()) {
      policy = each.label().equals(name) ? each : policy;
    }
    if (name != null && policy == null) {
      throw new InputException("--policy must be overlap or round-robin: " + name);
    }
    return this;
  }

  /** Blocks of 16 tokens instead of one per id of the trace. */
  public WorkloadRunner fine(final boolean isFine) {
    require(Option.FINE, isFine ? Boolean.TRUE : null);
    fine = isFine;
    return this;
  }

  /** Name of the sink; null leaves check. */
  public WorkloadRunner sink(final String name) {
    require(Option.SINK, name);
    for (final SinkMode each : SinkMode.values()) {
      sink = each.name().toLowerCase(Locale.ROOT).equals(name) ? each : sink;
    }
    if (name != null && sink == null) {
      throw new InputException("--sink must be none, count or check: " + name);
    }
    return this;
  }

  /** File name of a snapshot to write; null writes none. */
  public WorkloadRunner snapshot(final String file) {
    require(Option.SNAPSHOT, file);
    snapshot = file;
    return this;
  }

  /** A file of expected lines; null compares with nothing. */
  public WorkloadRunner expect(final String file) {
    expectations = file == null ? null : Expectations.read(file);
    return this;
  }

  private void require(final Option option, final Object value) {
    if (value != null && !kind.takes(option)) {
      throw new InputException(kind.label() + " takes no " + option.label());
    }
  }

  private static Integer inRange(final String option, final Integer value, final int max) {
    if (value != null && (value < 1 || value > max)) {
      throw new InputException(option + " must be from 1 to " + max + ": " + value);
    }
    return value;
  }

  /** Does the work; one object per line of output. */
  public List<Fields> run() {
    return kind.create(
            new WorkloadSettings(
                trace, workers, blocks, points, rounds, policy, fine, sink, snapshot, warmUp))
        .run();
  }

  /** Null if {@code outputs} are as expected, else a sentence. */
  public String difference(final List<Fields> outputs) {
    for (final Fields output : outputs) {
      final String difference = expectations == null ? null : expectations.difference(output);
      if (difference != null) {
        return difference;
      }
    }
    return null;
  }
}
