/**
 * The reference workloads: exactly defined work whose outputs are equal in every correct
 * implementation, and how long it takes.
 */
package io.kvroute.tools.workload;
