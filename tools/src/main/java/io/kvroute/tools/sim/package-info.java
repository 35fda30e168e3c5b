/** A cluster of workers behind a router, replayed in virtual time. */
package io.kvroute.tools.sim;
