package io.kvroute.cache;

/**
 * An ordered list of pages: a chain of extents (runs of consecutive places) that is stored in the
 * {@link PagePool}. This object is only the handle: the first page of the first extent, the first
 * page of the last extent, and the number of pages. Each page belongs to one chain at a time;
 * handing pages over is a change of handles.
 */
public final class PageChain {
  int head;
  int tail;
  int count;

  /** Makes an empty chain. */
  public PageChain() {}

  /** Number of pages. */
  public int count() {
    return count;
  }

  /** True if there are no pages. */
  public boolean isEmpty() {
    return count == 0;
  }

  /** Forgets the pages without freeing them; whoever holds another handle owns them. */
  public void reset() {
    count = 0;
  }

  void set(final int newHead, final int newTail, final int newCount) {
    head = newHead;
    tail = newTail;
    count = newCount;
  }

  void set(final PageChain other) {
    set(other.head, other.tail, other.count);
  }

  @Override
  public String toString() {
    return "PageChain{head=" + head + ", tail=" + tail + ", count=" + count + '}';
  }
}
