/**
 * Where requests wait until a worker has room: classes with thresholds, caps and shares, an order
 * within each, and the scheduler that admits, parks and drains.
 *
 * <p>Knows nothing of how a worker is chosen: the router that owns a queue is its {@link
 * io.kvroute.route.queue.QueueHost}. The rules are those of NVIDIA Dynamo (Apache-2.0).
 */
package io.kvroute.route.queue;
