package io.kvroute.route;

import io.kvroute.protocol.KvTransferEnforcement;
import io.kvroute.protocol.RoutingConstraints;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Topology domains, such as zone or rack, as taints. */
final class TopologyTaints {
  private static final String PREFIX = "dynamo.topology/";

  private TopologyTaints() {}

  /** The taint of a worker whose {@code domain} is {@code value}. */
  static String taint(final String domain, final String value) {
    return PREFIX + domain + '=' + value;
  }

  static RoutingConstraints merge(
      final RoutingConstraints constraints,
      final String taint,
      final KvTransferEnforcement enforcement,
      final float weight) {
    if (enforcement == KvTransferEnforcement.PREFERRED) {
      final Map<String, Float> preferred = new HashMap<>(constraints.preferredTaints());
      preferred.put(taint, weight);
      return new RoutingConstraints(constraints.requiredTaints(), preferred);
    }
    final Set<String> required = new HashSet<>(constraints.requiredTaints());
    required.add(taint);
    return new RoutingConstraints(required, constraints.preferredTaints());
  }
}
