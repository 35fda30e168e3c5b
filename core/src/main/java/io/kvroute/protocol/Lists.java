package io.kvroute.protocol;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Immutable copies of lists that may hold nulls, which {@link List#copyOf} refuses. */
final class Lists {
  private Lists() {}

  static <T> List<T> copyWithNulls(final List<T> list) {
    return list == null ? null : Collections.unmodifiableList(new ArrayList<>(list));
  }
}
