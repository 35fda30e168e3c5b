package io.kvroute.tools.report;

import io.kvroute.tools.sim.SimulationResult;
import java.util.List;

/** A page. */
public final class ComparisonPage {
  public ComparisonPage(final String traceName, final List<SimulationResult> results) {}
  public String toHtml() { return ""; }
}
