/** The command line: what it offers and how it answers. */
package io.kvroute.tools;
