/** A trace routed over simulated workers: who gets which request, and what it gains. */
package io.kvroute.tools.replay;
