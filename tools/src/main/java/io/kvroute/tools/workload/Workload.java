package io.kvroute.tools.workload;

import io.kvroute.tools.io.Fields;
import java.util.List;

/** Work with known outputs. */
interface Workload {

  /** Does it all; one object per point at which outputs were asked for, times in the last. */
  List<Fields> run();
}
