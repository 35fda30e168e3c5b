package io.kvroute.index;

import java.util.Arrays;

/**
 * The edges of a tree in an order that depends on the content alone: parents first, children by
 * ascending local hash of their first block. Allocates in proportion to the number of edges.
 */
final class EdgeOrder {
  private final Edges edges;
  private final Blocks blocks;
  private int[] stack = new int[64];
  private long[] keys = new long[64];
  private int depth;

  private EdgeOrder(final Tree tree) {
    edges = tree.edges;
    blocks = tree.blocks;
  }

  static int[] of(final Tree tree) {
    return new EdgeOrder(tree).sort(new int[tree.edges.used()]);
  }

  private int[] sort(final int[] order) {
    pushChildren(Edges.ROOT);
    int n = 0;
    while (depth > 0) {
      final int edge = stack[--depth];
      order[n++] = edge;
      pushChildren(edge);
    }
    return order;
  }

  /** Pushes the children of an edge, the lowest last. */
  private void pushChildren(final int parent) {
    int count = 0;
    int child = edges.firstChild(parent);
    while (child != Edges.NONE) {
      if (count == keys.length) {
        keys = Arrays.copyOf(keys, 2 * count);
      }
      keys[count++] = flip(blocks.local(edges.first(child)));
      child = edges.nextSibling(child);
    }
    Arrays.sort(keys, 0, count);
    while (depth + count > stack.length) {
      stack = Arrays.copyOf(stack, 2 * stack.length);
    }
    for (int i = count - 1; i >= 0; i--) {
      stack[depth++] = edges.child(parent, flip(keys[i]));
    }
  }

  /** Makes unsigned numbers sort as signed ones; its own inverse. */
  private static long flip(final long value) {
    return value ^ Long.MIN_VALUE;
  }
}
