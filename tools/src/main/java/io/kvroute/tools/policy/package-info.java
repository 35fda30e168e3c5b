/** Queue policies as users write them. */
package io.kvroute.tools.policy;
