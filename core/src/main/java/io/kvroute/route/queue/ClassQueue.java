package io.kvroute.route.queue;

import io.kvroute.protocol.UnsignedMath;
import java.util.Arrays;

/** The parked requests of one class: a binary heap that grows, and what they add up to. */
final class ClassQueue {
  private static final int INITIAL = 16;

  private QueuedRequest[] heap = new QueuedRequest[INITIAL];
  private int size;
  private long islTokens;
  private long cachedTokens;
  private long deficit;

  int size() {
    return size;
  }

  long islTokens() {
    return islTokens;
  }

  long cachedTokens() {
    return cachedTokens;
  }

  /** Tokens that the class has earned and not yet spent. */
  long deficit() {
    return deficit;
  }

  void earn(final long tokens) {
    deficit = UnsignedMath.add(deficit, tokens);
  }

  QueuedRequest head() {
    return heap[0];
  }

  QueuedRequest at(final int index) {
    return heap[index];
  }

  /** What the head costs. */
  long headCost() {
    return QueuedRequest.work(heap[0].parkedIslTokens, heap[0].parkedCachedTokens);
  }

  boolean affordsHead() {
    return Long.compareUnsigned(deficit, headCost()) >= 0;
  }

  void add(final QueuedRequest request) {
    if (size == heap.length) {
      heap = Arrays.copyOf(heap, 2 * size);
    }
    islTokens += request.parkedIslTokens;
    cachedTokens += request.parkedCachedTokens;
    siftUp(size++, request);
  }

  /** Pays for the head and takes it out. */
  QueuedRequest takeHead() {
    final QueuedRequest head = heap[0];
    deficit -= headCost();
    remove(head);
    return head;
  }

  /** Takes a request out; a class that becomes empty loses what it has earned. */
  void remove(final QueuedRequest request) {
    final int hole = request.heapIndex;
    final QueuedRequest last = heap[--size];
    heap[size] = null;
    islTokens -= request.parkedIslTokens;
    cachedTokens -= request.parkedCachedTokens;
    if (hole != size) {
      if (hole > 0 && goesBefore(last, heap[(hole - 1) >> 1])) {
        siftUp(hole, last);
      } else {
        siftDown(hole, last);
      }
    }
    request.leave();
    if (size == 0) {
      deficit = 0;
    }
  }

  private void siftUp(final int from, final QueuedRequest request) {
    int hole = from;
    while (hole > 0) {
      final int parent = (hole - 1) >> 1;
      if (!goesBefore(request, heap[parent])) {
        break;
      }
      set(hole, heap[parent]);
      hole = parent;
    }
    set(hole, request);
  }

  private void siftDown(final int from, final QueuedRequest request) {
    int hole = from;
    int child;
    while ((child = 2 * hole + 1) < size) {
      if (child + 1 < size && goesBefore(heap[child + 1], heap[child])) {
        child++;
      }
      if (!goesBefore(heap[child], request)) {
        break;
      }
      set(hole, heap[child]);
      hole = child;
    }
    set(hole, request);
  }

  private void set(final int index, final QueuedRequest request) {
    heap[index] = request;
    request.heapIndex = index;
  }

  private static boolean goesBefore(final QueuedRequest left, final QueuedRequest right) {
    if (left.strictPriority != right.strictPriority) {
      return Integer.compareUnsigned(left.strictPriority, right.strictPriority) > 0;
    }
    final int byScore = Double.compare(left.score, right.score);
    return byScore == 0 ? left.sequence < right.sequence : byScore > 0;
  }
}
