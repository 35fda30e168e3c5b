/** Hash cases in JSON: how they are read, and what is computed for them. */
package io.kvroute.tools.hash;
