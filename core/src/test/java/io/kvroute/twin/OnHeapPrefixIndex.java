package io.kvroute.twin;

import io.kvroute.protocol.KvEventDecoder;
import io.kvroute.protocol.KvEventType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.agrona.DirectBuffer;

/**
 * An index of prefixes as one writes it first: a node and a map of children for each block, a set
 * of workers in each node, a map of names for each worker. Workers are numbered from 0 and have one
 * rank; there is one tier. The control of the index's benchmarks.
 */
public final class OnHeapPrefixIndex {
  private static final class Node {
    private final Node parent;
    private final long local;
    private final Map<Long, Node> children = new HashMap<>(2);
    private final BitSet workers = new BitSet();

    private Node(final Node parent, final long local) {
      this.parent = parent;
      this.local = local;
    }
  }

  private final Node root = new Node(null, 0);
  private final List<Map<Long, Node>> names = new ArrayList<>();
  private final KvEventDecoder decoder = new KvEventDecoder();
  private final BitSet active = new BitSet();
  private final BitSet dropped = new BitSet();
  private long heldBlocks;

  /** Makes an empty index for workers 0 to {@code workers - 1}. */
  public OnHeapPrefixIndex(final int workers) {
    for (int w = 0; w < workers; w++) {
      names.add(new HashMap<>());
    }
  }

  /** Applies a stored or removed event; false if its parent or a block is not known. */
  public boolean apply(final DirectBuffer buffer, final int offset, final int length) {
    decoder.wrap(buffer, offset, length);
    return decoder.type() == KvEventType.STORED ? store() : remove();
  }

  private boolean store() {
    final int worker = (int) decoder.workerId();
    final Map<Long, Node> own = names.get(worker);
    Node node = decoder.hasParent() ? own.get(decoder.parentHash()) : root;
    if (node == null) {
      return false;
    }
    for (int i = 0; i < decoder.blockCount(); i++) {
      final Node above = node;
      node = above.children.computeIfAbsent(decoder.tokensHash(i), local -> new Node(above, local));
      if (!node.workers.get(worker)) {
        node.workers.set(worker);
        heldBlocks++;
      }
      own.put(decoder.blockHash(i), node);
    }
    return true;
  }

  private boolean remove() {
    final int worker = (int) decoder.workerId();
    boolean known = true;
    for (int i = 0; i < decoder.blockCount(); i++) {
      Node node = names.get(worker).remove(decoder.blockHash(i));
      known &= node != null;
      if (node != null) {
        node.workers.clear(worker);
        heldBlocks--;
        while (node.parent != null && node.workers.isEmpty() && node.children.isEmpty()) {
          node.parent.children.remove(node.local);
          node = node.parent;
        }
      }
    }
    return known;
  }

  /** Blocks held, summed over the workers. */
  public long heldBlocks() {
    return heldBlocks;
  }

  /**
   * Writes how many leading blocks of a query each worker holds.
   *
   * @return how many workers hold any
   */
  public int find(final long[] query, final int[] scores) {
    Arrays.fill(scores, 0);
    active.clear();
    Node node = root;
    int found = 0;
    int depth = 0;
    for (; depth < query.length; depth++) {
      node = node.children.get(query[depth]);
      if (node == null) {
        break;
      }
      if (depth == 0) {
        active.or(node.workers);
        found = active.cardinality();
      } else {
        dropped.clear();
        dropped.or(active);
        dropped.andNot(node.workers);
        score(dropped, depth, scores);
        active.and(node.workers);
      }
      if (active.isEmpty()) {
        break;
      }
    }
    score(active, depth, scores);
    return found;
  }

  private static void score(final BitSet workers, final int depth, final int[] scores) {
    for (int w = workers.nextSetBit(0); w >= 0; w = workers.nextSetBit(w + 1)) {
      scores[w] = depth;
    }
  }
}
