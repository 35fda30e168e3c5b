package io.kvroute.tools.sim;

import io.kvroute.route.queue.QueueDiscipline;
import io.kvroute.route.queue.QueuePolicy;
import java.math.BigDecimal;

/**
 * The cluster that is simulated. Nothing in it depends on the trace or on the policy.
 *
 * @param workers how many workers, at least 1
 * @param poolTokens tokens that fit into the cache of each
 * @param pageSize tokens per page and per block
 * @param speed how many times faster than the trace says requests arrive; above 0
 * @param prefillRate tokens that a worker computes per second of a prompt, at least 1
 * @param decodeStepNs what a step takes in which any request decodes, besides its prefill
 * @param decodeRequestNs what each decoding request adds to that
 * @param maxBatch most requests that a worker computes at once, at least 1
 * @param chunkTokens most prompt tokens that a worker computes in one step, at least 1
 * @param eventDelayNs how long cache events are on their way to the router
 * @param queueThreshold a worker is busy with more than so many chunks of prefill; requests wait in
 *     the router while all are. NaN: never
 * @param queueClasses the classes of the router's queue; null: one, first come, first served, with
 *     that threshold
 * @param overlapScoreCredit what the kv and approximate policies credit a cached block with
 * @param routerTemperature how much chance they leave; 0: none but for ties
 * @param ttlNs how long the approximate policy remembers
 * @param seed of all that is left to chance
 */
public record SimulationSettings(
    int workers,
    long poolTokens,
    long pageSize,
    BigDecimal speed,
    long prefillRate,
    long decodeStepNs,
    long decodeRequestNs,
    int maxBatch,
    int chunkTokens,
    long eventDelayNs,
    double queueThreshold,
    QueuePolicy queueClasses,
    double overlapScoreCredit,
    double routerTemperature,
    long ttlNs,
    long seed) {

  /** The policy of the router's queue. */
  QueuePolicy queuePolicy() {
    return queueClasses == null
        ? QueuePolicy.single(QueueDiscipline.FCFS, queueThreshold)
        : queueClasses;
  }

  /** Pages of a worker's pool. */
  long pages() {
    return poolTokens / pageSize;
  }
}
