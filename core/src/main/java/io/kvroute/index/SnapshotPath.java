package io.kvroute.index;

import java.util.Arrays;

/**
 * The edges from the root to the one that was read last. As edges come parents first and in
 * ascending order, the parent of the next one is among them, and the child that it had last comes
 * before the next one.
 */
final class SnapshotPath {
  private int[] numbers = new int[64];
  private long[] lastLocals = new long[64];
  private boolean[] hasChild = new boolean[64];
  private int depth = 1;
  private boolean heldToTheEnd;
  private boolean hasAge;

  /** The number of the deepest edge; 0 for the root. */
  int number() {
    return numbers[depth - 1];
  }

  /** Goes up to the parent of the next edge. */
  void goTo(final int parent, final int next) {
    if (number() != parent) {
      checkLeaf();
    } else if (hasAge) {
      throw SnapshotReader.bad("edge with children has the age of a leaf", "edge", number());
    }
    while (number() != parent) {
      depth--;
      if (depth == 0) {
        throw SnapshotReader.bad(
            "parent is not on the path to the edge before", "edge", next, "parent", parent);
      }
    }
  }

  /** Makes sure that the edge that was entered last may be without children. */
  void checkLeaf() {
    if (number() != 0 && !heldToTheEnd) {
      throw SnapshotReader.bad("edge without children is not held to its end", "edge", number());
    }
    if (number() != 0 && !hasAge) {
      throw SnapshotReader.bad("edge without children has no age", "edge", number());
    }
  }

  /** Makes sure that the next edge comes behind its siblings. */
  void addChild(final int next, final long firstLocal) {
    final int top = depth - 1;
    if (hasChild[top] && Long.compareUnsigned(firstLocal, lastLocals[top]) <= 0) {
      throw SnapshotReader.bad(
          "children are not in ascending order", "edge", next, "parent", numbers[top]);
    }
    hasChild[top] = true;
    lastLocals[top] = firstLocal;
  }

  /**
   * Goes down to an edge below the one where this stands.
   *
   * @param held whether someone holds it to its end
   * @param aged whether it has the age of a leaf
   */
  void enter(final int number, final boolean held, final boolean aged) {
    if (depth == numbers.length) {
      numbers = Arrays.copyOf(numbers, 2 * depth);
      lastLocals = Arrays.copyOf(lastLocals, 2 * depth);
      hasChild = Arrays.copyOf(hasChild, 2 * depth);
    }
    numbers[depth] = number;
    hasChild[depth] = false;
    depth++;
    heldToTheEnd = held;
    hasAge = aged;
  }
}
