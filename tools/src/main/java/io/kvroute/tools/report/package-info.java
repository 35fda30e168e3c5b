/** What simulations found, as text, as JSON and as a page with pictures. */
package io.kvroute.tools.report;
