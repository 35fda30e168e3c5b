package io.kvroute.protocol;

import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which taints a request requires of a worker, and which it would rather see or not see.
 *
 * <p>Topology uses the same fields with taints such as {@code dynamo.topology/zone=us-east-1a}.
 * Immutable. Both collections iterate in the order of their keys' UTF-8 bytes, and sums are taken
 * in that order, so that a result does not depend on how the collections were built.
 */
public final class RoutingConstraints {
  /** No constraint at all. */
  public static final RoutingConstraints NONE = new RoutingConstraints(Set.of(), Map.of());

  private final SortedSet<String> requiredTaints;
  private final SortedMap<String, Float> preferredTaints;
  private final String[] required;
  private final String[] preferred;
  private final float[] weights;

  /**
   * Makes constraints; both collections are copied.
   *
   * @param requiredTaints that a worker must have, all of them
   * @param preferredTaints weights of taints that a worker may have: positive attracts, negative
   *     repels
   */
  public RoutingConstraints(
      final Set<String> requiredTaints, final Map<String, Float> preferredTaints) {
    final SortedSet<String> taints = new TreeSet<>(CodePointOrder.INSTANCE);
    taints.addAll(requiredTaints);
    final SortedMap<String, Float> preferences = new TreeMap<>(CodePointOrder.INSTANCE);
    preferences.putAll(preferredTaints);
    this.requiredTaints = Collections.unmodifiableSortedSet(taints);
    this.preferredTaints = Collections.unmodifiableSortedMap(preferences);
    required = taints.toArray(new String[0]);
    preferred = preferences.keySet().toArray(new String[0]);
    weights = new float[preferred.length];
    for (int i = 0; i < preferred.length; i++) {
      weights[i] = Objects.requireNonNull(preferences.get(preferred[i]), "weight");
    }
  }

  /** The taints that a worker must have. */
  public Set<String> requiredTaints() {
    return requiredTaints;
  }

  /** The weights of taints that a worker may have. */
  public Map<String, Float> preferredTaints() {
    return preferredTaints;
  }

  /** True if nothing is required and nothing preferred. */
  public boolean isEmpty() {
    return required.length == 0 && preferred.length == 0;
  }

  /** True if something is required. */
  public boolean hasHardConstraints() {
    return required.length > 0;
  }

  /** True if a worker has every required taint. Allocates nothing of its own. */
  public boolean isCompatibleWithWorkerTaints(final Set<String> workerTaints) {
    for (final String taint : required) {
      if (!workerTaints.contains(taint)) {
        return false;
      }
    }
    return true;
  }

  /** How many of the preferred taints a worker has. Allocates nothing of its own. */
  public int preferredTaintMatches(final Set<String> workerTaints) {
    int matches = 0;
    for (final String taint : preferred) {
      if (workerTaints.contains(taint)) {
        matches++;
      }
    }
    return matches;
  }

  /**
   * The factor by which a worker's cost is multiplied: {@code exp(-tanh(sum of the weights of the
   * taints it has))}, between exp(-1) and exp(1), 1 if it has none. Opposite weights give
   * reciprocal factors. NaN if a weight is.
   *
   * @return the factor; absent if nothing is preferred
   */
  public OptionalDouble preferredTaintMultiplier(final Set<String> workerTaints) {
    return preferred.length == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(preferredTaintMultiplierOr(workerTaints, 1.0));
  }

  /**
   * {@link #preferredTaintMultiplier}, without an object around it.
   *
   * @param workerTaints what the worker has
   * @param otherwise is returned if nothing is preferred
   */
  public double preferredTaintMultiplierOr(final Set<String> workerTaints, final double otherwise) {
    if (preferred.length == 0) {
      return otherwise;
    }
    double sum = 0.0;
    for (int i = 0; i < preferred.length; i++) {
      if (workerTaints.contains(preferred[i])) {
        sum += weights[i];
      }
    }
    return StrictMath.exp(-StrictMath.tanh(sum));
  }

  @Override
  public boolean equals(final Object other) {
    return other instanceof RoutingConstraints that
        && requiredTaints.equals(that.requiredTaints)
        && preferredTaints.equals(that.preferredTaints);
  }

  @Override
  public int hashCode() {
    return 31 * requiredTaints.hashCode() + preferredTaints.hashCode();
  }

  @Override
  public String toString() {
    return "RoutingConstraints[requiredTaints="
        + requiredTaints
        + ", preferredTaints="
        + preferredTaints
        + ']';
  }
}
