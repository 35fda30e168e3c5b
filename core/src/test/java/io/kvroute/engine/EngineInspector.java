package io.kvroute.engine;

import io.kvroute.cache.PageChain;
import java.lang.reflect.Field;

/** Looks inside leases and reservations, for tests of other packages. */
public final class EngineInspector {
  private EngineInspector() {}

  /** Pages that a lease owns. */
  public static PageChain owned(final ActiveKvLease lease) {
    return lease.suffix;
  }

  /** The radix node that an active lease protects. */
  public static int node(final ActiveKvLease lease) {
    return lease.node;
  }

  /** Pages that a reservation owns. */
  public static PageChain owned(final DecodeReservation reservation) {
    return reservation.pages;
  }

  /** Pages that a destination owns. */
  public static PageChain owned(final DestinationReservation destination) {
    return destination.pages;
  }

  /** The radix node that an active destination protects. */
  public static int node(final DestinationReservation destination) {
    return destination.node;
  }

  /** Number of announced copies in flight that are counted. */
  public static long countedCopies(final SglangKvManager manager) {
    return copies(manager).size();
  }

  /** The count of a block: twice its announced copies in flight, plus one for the tree's. */
  public static int count(final SglangKvManager manager, final long hash) {
    return copies(manager).count(hash);
  }

  /** The suffix of the lease whose announced pages are the only ones in flight and not counted. */
  public static PageChain alone(final SglangKvManager manager) {
    return ((EventPublisher) field(manager, "publisher")).alone();
  }

  private static CopyCounts copies(final SglangKvManager manager) {
    return ((EventPublisher) field(manager, "publisher")).copies();
  }

  private static Object field(final Object owner, final String name) {
    try {
      final Field field = owner.getClass().getDeclaredField(name);
      field.setAccessible(true);
      return field.get(owner);
    } catch (final ReflectiveOperationException e) {
      throw new LinkageError("no such field: owner=" + owner + " name=" + name, e);
    }
  }
}
