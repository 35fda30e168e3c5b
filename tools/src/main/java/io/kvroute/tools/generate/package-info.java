/** The built-in trace: seeded, the same bytes for the same seed on every JDK. */
package io.kvroute.tools.generate;
