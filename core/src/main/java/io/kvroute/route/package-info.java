/**
 * Decides where a request goes: the registry of workers, who of them may serve a request, what each
 * would cost, and which is picked. The rules are those of the router of NVIDIA Dynamo (Apache-2.0).
 *
 * <p>Costs are computed in strict floating point, with sums in the order of keys and rows in the
 * order of (worker id, data-parallel rank), unsigned; with a seed, decisions are the same on every
 * machine and JDK. Numbers that are unsigned on the wire stay unsigned here.
 */
package io.kvroute.route;
