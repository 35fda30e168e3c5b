package io.kvroute.route.queue;

import io.kvroute.route.queue.QueuePolicyException.Fault;
import java.util.Map;

/**
 * Policies by model: some models have one of their own, the others share one. Immutable.
 *
 * @param shared by all models without their own; null if there is none
 * @param byModel policies of single models
 */
public record QueuePolicies(QueuePolicy shared, Map<String, QueuePolicy> byModel) {
  /**
   * Copies the map.
   *
   * @throws QueuePolicyException if there is no policy at all, or the name of a model is empty
   */
  public QueuePolicies {
    byModel = Map.copyOf(byModel);
    if (shared == null && byModel.isEmpty()) {
      throw new QueuePolicyException(Fault.NO_PROFILE, "there is no policy for any model");
    }
    if (byModel.containsKey("")) {
      throw new QueuePolicyException(Fault.EMPTY_MODEL_NAME, "name of a model must not be empty");
    }
  }

  /**
   * The policy of a model.
   *
   * @param model its name; null if it is not known
   * @param otherwise is returned if the model has none and none is shared
   */
  public QueuePolicy of(final String model, final QueuePolicy otherwise) {
    final QueuePolicy own = model == null ? null : byModel.get(model);
    if (own != null) {
      return own;
    }
    return shared == null ? otherwise : shared;
  }
}
