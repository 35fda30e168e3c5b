/** Requests of a trace: what they are, how they are read, which tokens they stand for. */
package io.kvroute.tools.trace;
