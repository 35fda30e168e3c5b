/** Files, JSON and decimals as the commands read and write them. */
package io.kvroute.tools.io;
