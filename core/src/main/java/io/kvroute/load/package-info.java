/**
 * What workers are busy with, and what a request would add to it. The rules are those of the router
 * of NVIDIA Dynamo (Apache-2.0).
 */
package io.kvroute.load;
