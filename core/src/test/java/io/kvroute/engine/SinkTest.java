package io.kvroute.engine;

import static io.kvroute.engine.Worker.range;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.hash.TokenView;
import io.kvroute.protocol.KvEventDecoder;
import io.kvroute.protocol.KvEventSink;
import io.kvroute.protocol.KvEventType;
import io.kvroute.protocol.ListenerSink;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** What happens to events that a sink does not take, and to a manager that is closed. */
class SinkTest {
  /** Fails or has no room for as long as it is told so. */
  private static final class MoodySink implements KvEventSink {
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[1 << 16]);
    private final KvEventDecoder decoder = new KvEventDecoder();
    private final List<Long> received = new ArrayList<>();
    private RuntimeException failure;
    private boolean full;

    @Override
    public int claim(final int length) {
      return full ? -1 : 64;
    }

    @Override
    public MutableDirectBuffer buffer() {
      return buffer;
    }

    @Override
    public void commit(final int offset, final int length) {
      if (failure != null) {
        throw failure;
      }
      received.add(decoder.wrap(buffer, offset, length).eventId());
    }
  }

  private static void serve(final SglangKvManager manager, final int... tokens) {
    final ActiveKvLease lease = new ActiveKvLease();
    assertTrue(manager.allocate(TokenView.of(tokens), lease) >= 0);
    manager.finish(TokenView.of(tokens), lease);
  }

  @Test
  void shouldGoOnAsIfAnEventHadBeenSentWhenTheSinkThrows() {
    final MoodySink sink = new MoodySink();
    try (SglangKvManager manager = SglangKvManager.builder(16, 4).sink(sink).build()) {
      serve(manager, range(1, 4));
      sink.failure = new IllegalStateException("down");
      final List<LogRecord> logged = logged(() -> serveAndEvict(manager));
      assertEquals(1, logged.size(), "one cause, one line");
      assertEquals(4, manager.sinkFailures());
      sink.failure = null;
      serve(manager, range(5, 8));
      assertEquals(List.of(0L, 5L), sink.received, "the lost events used their ids up");
      assertEquals(6, manager.nextEventId());
      assertEquals(12, manager.cache().availableTokens());
      assertEquals(4, manager.cache().evictableTokens());
      assertEquals(4, manager.storedEvents());
      assertEquals(2, manager.removedEvents());
    }
  }

  private static void serveAndEvict(final SglangKvManager manager) {
    manager.evict(4);
    serve(manager, range(11, 14));
    serve(manager, range(21, 24));
    manager.evict(8);
  }

  /** The warnings that the event writer logs meanwhile. */
  private static List<LogRecord> logged(final Runnable body) {
    final List<LogRecord> records = new ArrayList<>();
    final Logger logger = Logger.getLogger("io.kvroute.engine.EventWriter");
    final Handler handler =
        new Handler() {
          @Override
          public void publish(final LogRecord record) {
            records.add(record);
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    final Level level = logger.getLevel();
    logger.setLevel(Level.ALL);
    logger.setUseParentHandlers(false);
    logger.addHandler(handler);
    try {
      body.run();
    } finally {
      logger.removeHandler(handler);
      logger.setUseParentHandlers(true);
      logger.setLevel(level);
    }
    return records;
  }

  @Test
  void shouldCountEventsForWhichTheSinkHasNoRoom() {
    final MoodySink sink = new MoodySink();
    try (SglangKvManager manager = SglangKvManager.builder(16, 4).sink(sink).build()) {
      sink.full = true;
      serve(manager, range(1, 8));
      manager.evict(8);
      assertEquals(2, manager.sinkRefusals());
      assertEquals(0, manager.sinkFailures());
      assertEquals(16, manager.cache().availableTokens());
      sink.full = false;
      serve(manager, range(1, 8));
      assertEquals(List.of(2L), sink.received);
    }
  }

  @Test
  void shouldHearOnlyWhatHappensWhileASinkIsAttached() {
    final List<KvEventType> heard = new ArrayList<>();
    final KvEventDecoder decoder = new KvEventDecoder();
    final ListenerSink sink =
        new ListenerSink(
            (buffer, offset, length) -> heard.add(decoder.wrap(buffer, offset, length).type()));
    try (SglangKvManager manager = SglangKvManager.builder(16, 4).build()) {
      serve(manager, range(1, 4));
      manager.sink(sink);
      manager.evict(4);
      assertTrue(heard.isEmpty(), "what was never announced is not removed");
      serve(manager, range(1, 4));
      manager.sink(null);
      manager.evict(4);
      serve(manager, range(1, 4));
      assertEquals(List.of(KvEventType.STORED), heard);
      assertEquals(1, manager.nextEventId());
      manager.sink(sink);
      manager.evict(4);
      assertEquals(List.of(KvEventType.STORED), heard);
    }
  }

  @Test
  void shouldCloseOnceAndRejectLaterUse() {
    final Worker worker = Worker.of(16, 4);
    final ActiveKvLease lease = worker.allocate(1, 2, 3, 4);
    final SglangKvManager manager = worker.manager;
    manager.close();
    assertEquals(2, worker.drain().size(), "one stored, one removed");
    manager.close();
    assertTrue(worker.drain().isEmpty());
    assertTrue(manager.isClosed());
    final TokenView tokens = TokenView.of(1, 2, 3, 4);
    assertThrows(IllegalStateException.class, () -> manager.allocate(tokens, new ActiveKvLease()));
    assertThrows(IllegalStateException.class, () -> manager.finish(tokens, lease));
    assertThrows(IllegalStateException.class, () -> manager.abort(lease));
    assertThrows(IllegalStateException.class, () -> manager.evict(4));
    assertThrows(
        IllegalStateException.class, () -> manager.reserveDecodePages(1, new DecodeReservation()));
    assertThrows(
        IllegalStateException.class,
        () -> manager.reserveDestination(tokens, new DestinationReservation()));
    assertEquals(0, manager.usedBytes());
    worker.close();
  }
}
