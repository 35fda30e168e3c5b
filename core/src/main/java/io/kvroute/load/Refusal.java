package io.kvroute.load;

/** Why a request was refused last. Noted without garbage, told in words when somebody asks. */
final class Refusal {
  private final Bookings bookings;
  private final long blockCapacity;
  private SequenceResult why = SequenceResult.OK;
  private long missing;
  private long used;
  private long capacity;

  Refusal(final Bookings bookings, final long blockCapacity) {
    this.bookings = bookings;
    this.blockCapacity = blockCapacity;
  }

  /** Notes what there is too little of for a booking that has been planned; returns it. */
  SequenceResult of(final SequenceResult result, final Booking booking) {
    why = result;
    final PathTree tree = bookings.tree;
    switch (result) {
      case REQUESTS_FULL -> note(1, bookings.requests.used(), bookings.requests.capacity());
      case RANKS_FULL -> note(1, bookings.ranks.used(), bookings.ranks.capacity());
      case BLOCKS_FULL -> note(tree.missingBlocks(booking.count()), tree.blocks(), blockCapacity);
      case EDGES_FULL -> note(tree.missingEdges(), tree.edges().used(), tree.edges().capacity());
      default -> note(tree.missingHolds(), tree.holds().used(), tree.holds().capacity());
    }
    return result;
  }

  private void note(final long missingNow, final long usedNow, final long capacityNow) {
    missing = missingNow;
    used = usedNow;
    capacity = capacityNow;
  }

  String text() {
    final String what =
        switch (why) {
          case REQUESTS_FULL -> "requests";
          case RANKS_FULL -> "ranks";
          case BLOCKS_FULL -> "blocks";
          case EDGES_FULL -> "edges";
          case HOLDS_FULL -> "holds";
          default -> null;
        };
    return what == null
        ? ""
        : "no room for a request: "
            + ("missing=" + missing + ' ' + what + "=" + used)
            + (" capacity=" + capacity);
  }
}
