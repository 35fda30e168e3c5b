package io.kvroute.index;

import static io.kvroute.index.EdgeLayout.NEWER;
import static io.kvroute.index.EdgeLayout.OLDER;

import io.kvroute.memory.Region;

/**
 * The edges without children in the order of the last stores that ended on them, as a list through
 * the edges' records. An edge whose last child goes takes that one's place: it was needed for as
 * long as the child was. Look-ups do not read it.
 */
final class LeafOrder {
  /** Stands in the field <i>older</i> of an edge that is not in the list. */
  static final int ABSENT = -2;

  private static final int NONE = Edges.NONE;

  private final Region records;
  private int oldest = NONE;
  private int newest = NONE;

  LeafOrder(final Region records) {
    this.records = records;
    older(Edges.ROOT, ABSENT);
  }

  /** The leaf whose last store is longest ago, or {@link Edges#NONE}. */
  int oldest() {
    return oldest;
  }

  /** The leaf on which the last store ended, or {@link Edges#NONE}. */
  int newest() {
    return newest;
  }

  /** The leaf whose last store came next, or {@link Edges#NONE}. */
  int newer(final int edge) {
    return records.getInt(Edges.offset(edge) + NEWER);
  }

  private int older(final int edge) {
    return records.getInt(Edges.offset(edge) + OLDER);
  }

  private void older(final int edge, final int value) {
    records.putInt(Edges.offset(edge) + OLDER, value);
  }

  private void newer(final int edge, final int value) {
    records.putInt(Edges.offset(edge) + NEWER, value);
  }

  boolean contains(final int edge) {
    return older(edge) != ABSENT;
  }

  /** Enters an edge as the newest. */
  void add(final int edge) {
    link(newest, edge);
    link(edge, NONE);
  }

  /** Makes an edge that is in the list the newest. */
  void touch(final int edge) {
    if (edge != newest) {
      remove(edge);
      add(edge);
    }
  }

  /** Takes an edge out, if it is in. */
  void remove(final int edge) {
    final int older = older(edge);
    if (older != ABSENT) {
      link(older, newer(edge));
      older(edge, ABSENT);
    }
  }

  /** Puts {@code edge} into the place of {@code old}. */
  void replace(final int old, final int edge) {
    final int older = older(old);
    final int newer = newer(old);
    older(old, ABSENT);
    link(older, edge);
    link(edge, newer);
  }

  private void link(final int older, final int newer) {
    if (older == NONE) {
      oldest = newer;
    } else {
      newer(older, newer);
    }
    if (newer == NONE) {
      newest = older;
    } else {
      older(newer, older);
    }
  }
}
