/** What threads may see of an index while another changes it, as jcstress scenarios. */
package io.kvroute.stress;
