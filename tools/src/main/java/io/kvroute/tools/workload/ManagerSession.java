package io.kvroute.tools.workload;

import io.kvroute.engine.ActiveKvLease;
import io.kvroute.engine.DecodeReservation;
import io.kvroute.engine.SglangKvManager;
import io.kvroute.hash.TokenView;
import io.kvroute.protocol.ListenerSink;
import io.kvroute.tools.io.Fields;

/** A manager under work, with the outputs that the tables of the workloads have. */
final class ManagerSession implements AutoCloseable {
  private final SglangKvManager manager;
  private final DecodeReservation reservation = new DecodeReservation();
  private final SinkMode mode;
  private final EventFold events;
  private final int pageSize;
  private long inputTokens;
  private long hitTokens;
  private long hitFold;
  private long refused;

  ManagerSession(final long poolTokens, final int pageSize, final SinkMode mode) {
    this.pageSize = pageSize;
    this.mode = mode;
    this.events = new EventFold(mode == SinkMode.CHECK);
    this.manager =
        SglangKvManager.builder(poolTokens, pageSize)
            .sink(mode == SinkMode.NONE ? null : new ListenerSink(events))
            .build();
  }

  SglangKvManager manager() {
    return manager;
  }

  /** Allocates and books the result; false if refused. */
  boolean allocate(final TokenView prompt, final ActiveKvLease lease) {
    final long prefix = manager.allocate(prompt, lease);
    inputTokens += prompt.count();
    hitFold = Numbers.fold(hitFold, prefix);
    if (prefix == SglangKvManager.REFUSED) {
      refused++;
      return false;
    }
    hitTokens += prefix;
    return true;
  }

  /**
   * Makes room for one decoded token: a page is reserved at a page boundary, after an eviction if
   * need be, used, and the reservation released.
   *
   * @return false if there was no room even then; the lease is as before
   */
  boolean decodeToken(final ActiveKvLease lease) {
    final int pages = lease.tokenCount() % pageSize == 0 ? 1 : 0;
    if (!manager.reserveDecodePages(pages, reservation)) {
      manager.evict(pageSize);
      if (!manager.reserveDecodePages(pages, reservation)) {
        return false;
      }
    }
    manager.extendDecode(lease, reservation);
    manager.releaseDecodeReservation(reservation);
    return true;
  }

  /** The outputs so far, after {@code count} of what {@code countName} names. */
  Fields row(final String workload, final String countName, final int count) {
    final Fields row = new Fields().put("workload", workload).put(countName, count);
    row.put("sink", mode.name().toLowerCase(java.util.Locale.ROOT));
    row.put("input_tokens", inputTokens).put("hit_tokens", hitTokens).put("refused", refused);
    row.put("nodes", manager.cache().nodes());
    row.put("available", manager.cache().availableTokens());
    row.put("evictable", manager.cache().evictableTokens());
    row.put("protected", manager.cache().protectedTokens());
    if (mode != SinkMode.NONE) {
      requireEveryEventDelivered();
      row.put("stored_events", manager.storedEvents()).put("stored_blocks", manager.storedBlocks());
      row.put("removed_events", manager.removedEvents());
      row.put("removed_blocks", manager.removedBlocks());
    }
    row.putHex("hit_fold", hitFold);
    if (mode == SinkMode.CHECK) {
      row.putHex("event_fold", events.fold());
    }
    return row;
  }

  private void requireEveryEventDelivered() {
    final long counted = manager.storedEvents() + manager.removedEvents();
    if (events.events() != counted) {
      throw new IllegalStateException(
          "events went astray: delivered=" + events.events() + " counted=" + counted);
    }
  }

  @Override
  public void close() {
    manager.close();
  }
}
