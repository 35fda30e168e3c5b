/**
 * Checks of this build against golden data. Each kind of file has a checker that recognises it and
 * says how many of its cases agree, differ by a decision of this project, or disagree.
 */
package io.kvroute.tools.conformance;
