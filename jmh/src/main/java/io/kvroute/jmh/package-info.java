/**
 * Benchmarks: one class per operation, and rulers that measure the machine alone.
 *
 * <p>Every class checks in its set-up that what it measures gives the right result, and a test runs
 * each of its methods, so that a benchmark cannot measure the wrong thing unseen.
 */
package io.kvroute.jmh;
