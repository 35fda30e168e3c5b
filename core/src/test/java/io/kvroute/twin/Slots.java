package io.kvroute.twin;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** A row of things that are made when they are first asked for. */
final class Slots<T> {
  private final List<T> made = new ArrayList<>();
  private final Supplier<T> maker;

  Slots(final Supplier<T> maker) {
    this.maker = maker;
  }

  T get(final int slot) {
    while (made.size() <= slot) {
      made.add(maker.get());
    }
    return made.get(slot);
  }

  void set(final int slot, final T value) {
    get(slot);
    made.set(slot, value);
  }

  List<T> all() {
    return made;
  }
}
