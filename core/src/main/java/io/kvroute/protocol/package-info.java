/**
 * The vocabulary of the router: ids, tiers, cache events, requests, responses, constraints and
 * loads, and the one binary layout in which a cache event travels.
 *
 * <p>Numbers that are unsigned on the wire stay unsigned here: a 64-bit id or hash is a {@code
 * long} whose bits are the unsigned value, a 32-bit count or token is an {@code int} whose bits are
 * the unsigned value. Compare, print, parse and divide them with the unsigned methods of {@link
 * java.lang.Long} and {@link java.lang.Integer}.
 *
 * <p>A block has two hashes: the local hash of its tokens, a plain {@code long}, and the name that
 * its engine gives it, see {@link io.kvroute.protocol.ExternalSequenceBlockHash}. Worker ids, ranks
 * and tokens are plain numbers, too. Where a value is optional, a number is an {@code Optional...}
 * and an object is null.
 *
 * <p>The types restate those of the router of NVIDIA Dynamo (Apache-2.0).
 *
 * <p>Records are immutable and safe to share between threads. The flyweights over bytes ({@link
 * io.kvroute.protocol.KvEventEncoder}, {@link io.kvroute.protocol.KvEventDecoder}) are what hot
 * paths use; records are for edges, tests and tools.
 */
package io.kvroute.protocol;
