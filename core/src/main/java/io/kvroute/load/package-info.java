/**
 * What the workers are busy with: active requests per (worker, data-parallel rank), the blocks that
 * they hold and the tokens that they still wait to prefill, and what one more request would add.
 *
 * <p>The semantics restate those of the router of NVIDIA Dynamo (Apache-2.0).
 */
package io.kvroute.load;
