package io.kvroute.house;

import io.kvroute.engine.ActiveKvLease;
import io.kvroute.engine.SglangKvManager;
import io.kvroute.hash.BlockHasher;
import io.kvroute.hash.TokenView;
import io.kvroute.protocol.KvEventDecoder;
import io.kvroute.protocol.ListenerSink;

/**
 * Every hot path once: hash, allocate, match, extend, finish, evict, and the events of all that.
 */
final class HotPathProbe {
  private static final int PAGE_SIZE = 4;

  private HotPathProbe() {}

  /** Runs the paths and tells in one line what came of them. */
  static String run() {
    final KvEventDecoder decoder = new KvEventDecoder();
    final StringBuilder events = new StringBuilder();
    final ListenerSink sink =
        new ListenerSink(
            (buffer, offset, length) -> {
              decoder.wrap(buffer, offset, length);
              events.append(decoder.type()).append(decoder.blockCount()).append(' ');
            });
    final int[] tokens = new int[40];
    for (int i = 0; i < tokens.length; i++) {
      tokens[i] = i;
    }
    final TokenView prompt = TokenView.of(tokens);
    final long[] locals = new long[10];
    final long[] chain = new long[10];
    BlockHasher.of(PAGE_SIZE).hashes(prompt, 0, 10, false, 0, locals, 0, chain, 0);
    final long[] prefixes = new long[2];
    try (SglangKvManager manager = SglangKvManager.builder(64, PAGE_SIZE).sink(sink).build()) {
      final ActiveKvLease lease = new ActiveKvLease();
      for (int i = 0; i < prefixes.length; i++) {
        prefixes[i] = manager.allocate(prompt, lease);
        manager.extendAllocation(prompt, lease);
        manager.finish(prompt, lease);
      }
      manager.evict(40);
    }
    return "chain="
        + Long.toUnsignedString(chain[9])
        + " prefixes="
        + prefixes[0]
        + ','
        + prefixes[1]
        + " events="
        + events;
  }

  /** Makes sure that the optional libraries are not there, then runs the paths. */
  public static void main(final String[] args) {
    for (final String optional : args) {
      try {
        Class.forName(optional);
        throw new IllegalStateException("on the class path: class=" + optional);
      } catch (final ClassNotFoundException e) {
        // As it should be.
      }
    }
    System.out.println(run());
  }
}
