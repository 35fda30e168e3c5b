/**
 * The JSON form of the vocabulary, read and written as a stream. Needs jackson-core on the class
 * path, which is an optional dependency.
 *
 * <p>The text is that of the router of NVIDIA Dynamo (Apache-2.0), byte for byte: order of fields,
 * defaults that are left out, tags, shortest digits of floating-point numbers, unsigned 64-bit
 * numbers in full. Reading is as forgiving as the original (unknown fields are skipped, defaults
 * fill in) with three differences: a struct sent as an array and a unit variant sent as an object
 * are refused, floating-point numbers are rounded to nearest, and nesting has a limit everywhere.
 */
package io.kvroute.protocol.json;
