package io.kvroute.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class KvEventCodecTest {
  private static final long SEED = 20260805L;
  private static final byte CANARY = 0x5A;

  @Test
  void shouldReadBackWhatWasWrittenWhenEventsAreRandom() {
    final RandomEvents events = new RandomEvents(SEED);
    final KvEventDecoder decoder = new KvEventDecoder();
    for (int i = 0; i < 20_000; i++) {
      final RouterEvent event = events.next();
      final int length = KvEventEncoder.encodedLength(event);
      final int offset = i % 64;
      final UnsafeBuffer buffer = bufferFor(i, offset + length + 8);
      buffer.setMemory(0, buffer.capacity(), CANARY);

      assertEquals(length, KvEventEncoder.encode(buffer, offset, event), () -> "seed=" + SEED);
      decoder.wrap(buffer, offset, length);

      final int trial = i;
      assertEquals(length, decoder.length());
      assertEquals(
          event, decoder.toRouterEvent(), () -> "seed=" + SEED + " trial=" + trial + ' ' + event);
      assertTrue(onlyCanaries(buffer, 0, offset), "bytes before the event were touched");
      assertTrue(onlyCanaries(buffer, offset + length, 8), "bytes after the event were touched");
    }
  }

  private static UnsafeBuffer bufferFor(final int trial, final int capacity) {
    return switch (trial % 3) {
      case 0 -> new UnsafeBuffer(new byte[capacity]);
      case 1 -> new UnsafeBuffer(ByteBuffer.allocate(capacity));
      default -> new UnsafeBuffer(ByteBuffer.allocateDirect(capacity));
    };
  }

  private static boolean onlyCanaries(
      final MutableDirectBuffer buffer, final int offset, final int length) {
    for (int i = offset; i < offset + length; i++) {
      if (buffer.getByte(i) != CANARY) {
        return false;
      }
    }
    return true;
  }

  @Test
  void shouldShowEveryFieldWhenAStoredEventWasWrittenByHand() {
    final UnsafeBuffer buffer = new UnsafeBuffer(new byte[256]);
    final int length =
        KvEventEncoder.stored(buffer, 8, -1L, -1, StorageTier.DEVICE, 5, true, Long.MIN_VALUE, 2);
    buffer.putLong(KvEventEncoder.blockHashesOffset(8), 11, ByteOrder.LITTLE_ENDIAN);
    KvEventEncoder.putBlockHash(buffer, 8, 1, 12);
    buffer.putLong(KvEventEncoder.tokensHashesOffset(8, 2) + 8, 22, ByteOrder.LITTLE_ENDIAN);
    KvEventEncoder.putTokensHash(buffer, 8, 2, 0, 21);

    final KvEventDecoder decoder = new KvEventDecoder().wrap(buffer, 8, 200);

    assertEquals(KvEventEncoder.storedLength(2), length);
    assertEquals(length, decoder.length());
    assertEquals(KvEventType.STORED, decoder.type());
    assertEquals(StorageTier.DEVICE, decoder.tier());
    assertEquals("18446744073709551615", Long.toUnsignedString(decoder.workerId()));
    assertEquals("4294967295", Integer.toUnsignedString(decoder.dpRank()));
    assertEquals(5, decoder.eventId());
    assertTrue(decoder.hasParent());
    assertEquals(Long.MIN_VALUE, decoder.parentHash());
    assertFalse(decoder.hasStartPosition());
    assertEquals(0, decoder.startPosition());
    assertFalse(decoder.hasMultimodal());
    assertEquals(2, decoder.blockCount());
    assertEquals(11, decoder.blockHash(0));
    assertEquals(12, decoder.blockHash(1));
    assertEquals(21, decoder.tokensHash(0));
    assertEquals(22, decoder.tokensHash(1));
    assertThrows(IndexOutOfBoundsException.class, () -> decoder.blockHash(2));
    assertThrows(IndexOutOfBoundsException.class, () -> decoder.tokensHash(2));
    assertThrows(IndexOutOfBoundsException.class, () -> decoder.blockHash(-1));
  }

  @Test
  void shouldHaveNoTokensHashesWhenTheEventIsARemoval() {
    final UnsafeBuffer buffer = new UnsafeBuffer(new byte[56]);
    KvEventEncoder.removed(buffer, 0, 1, 0, StorageTier.EXTERNAL, 2, 1);
    KvEventEncoder.putBlockHash(buffer, 0, 0, 99);

    final KvEventDecoder decoder = new KvEventDecoder().wrap(buffer, 0, 56);

    assertEquals(KvEventType.REMOVED, decoder.type());
    assertEquals(StorageTier.EXTERNAL, decoder.tier());
    assertEquals(99, decoder.blockHash(0));
    assertThrows(IndexOutOfBoundsException.class, () -> decoder.tokensHash(0));
  }

  @Test
  void shouldRefuseWithNumbersWhenAFieldIsWrong() {
    refused("too few bytes for an event: offset=0 maxLength=47", 47, 0, 0, 1);
    refused("unknown version", 80, KvEventLayout.VERSION_OFFSET, 2, 1);
    refused("unknown type", 80, KvEventLayout.TYPE_OFFSET, 0, 1);
    refused("unknown type", 80, KvEventLayout.TYPE_OFFSET, 4, 1);
    refused("unknown type", 80, KvEventLayout.TYPE_OFFSET, -1, 1);
    refused("unknown tier", 80, KvEventLayout.TIER_OFFSET, 4, 1);
    refused("unknown tier", 80, KvEventLayout.TIER_OFFSET, -1, 1);
    refused("bad flags", 80, KvEventLayout.FLAGS_OFFSET, 9, 1);
    refused("field without its flag", 80, KvEventLayout.FLAGS_OFFSET, 0, 1);
    refused("field without its flag", 80, KvEventLayout.FLAGS_OFFSET, 5, 1);
    refused("length out of range", 80, KvEventLayout.LENGTH_OFFSET, 88, 4);
    refused("length out of range", 80, KvEventLayout.LENGTH_OFFSET, 40, 4);
    refused("length out of range", 80, KvEventLayout.LENGTH_OFFSET, -80, 4);
    refused("length and counts disagree", 80, KvEventLayout.LENGTH_OFFSET, 72, 4);
    refused("length and counts disagree", 80, KvEventLayout.LENGTH_OFFSET, 77, 4);
    refused("length and counts disagree", 80, KvEventLayout.BLOCK_COUNT_OFFSET, 1, 4);
    refused("blocks=2147483648", 80, KvEventLayout.BLOCK_COUNT_OFFSET, Integer.MIN_VALUE, 4);
    refused("blocks=268435458", 80, KvEventLayout.BLOCK_COUNT_OFFSET, (1 << 28) + 2, 4);
    refused("length and counts disagree", 80, KvEventLayout.MM_LENGTH_OFFSET, -32, 4);
    refused("bad flags", 80, KvEventLayout.TYPE_OFFSET, 3, 1);
    refused("field without its flag", 80, KvEventLayout.START_POSITION_OFFSET, 1, 4);
  }

  private static void refused(
      final String message,
      final int maxLength,
      final int field,
      final int value,
      final int width) {
    final UnsafeBuffer buffer = new UnsafeBuffer(new byte[128]);
    KvEventEncoder.stored(buffer, 0, 1, 2, StorageTier.DEVICE, 3, true, 4, 2);
    final KvEventDecoder decoder = new KvEventDecoder().wrap(buffer, 0, 80);
    if (width == 1) {
      buffer.putByte(field, (byte) value);
    } else {
      buffer.putInt(field, value, ByteOrder.LITTLE_ENDIAN);
    }
    final KvEventDecoder fresh = new KvEventDecoder();
    final MalformedEventException thrown =
        assertThrows(MalformedEventException.class, () -> fresh.wrap(buffer, 0, maxLength));
    assertTrue(thrown.getMessage().contains(message), thrown.getMessage());
    assertNull(fresh.type());
    assertThrows(MalformedEventException.class, () -> decoder.wrap(buffer, 0, maxLength));
    assertEquals(KvEventType.STORED, decoder.type());
    assertEquals(80, decoder.length());
    assertEquals(2, decoder.blockCount());
  }

  @Test
  void shouldRefuseWhenTheRangeIsNotInsideTheBuffer() {
    final UnsafeBuffer buffer = new UnsafeBuffer(new byte[64]);
    KvEventEncoder.cleared(buffer, 16, 1, 0, StorageTier.DEVICE, 1);
    final KvEventDecoder decoder = new KvEventDecoder().wrap(buffer, 16, 48);
    assertThrows(MalformedEventException.class, () -> decoder.wrap(buffer, 16, 49));
    assertThrows(MalformedEventException.class, () -> decoder.wrap(buffer, -8, 48));
    assertThrows(MalformedEventException.class, () -> decoder.wrap(buffer, 16, -1));
    assertThrows(MalformedEventException.class, () -> decoder.wrap(buffer, Integer.MAX_VALUE, 48));
    assertEquals(KvEventType.CLEARED, decoder.type());
  }

  @Test
  void shouldOnlyRefuseOrReadConsistentlyWhenEventsAreMutated() {
    final SplittableRandom random = new SplittableRandom(SEED);
    final List<byte[]> corpus = corpus();
    final KvEventDecoder decoder = new KvEventDecoder();
    final UnsafeBuffer buffer = new UnsafeBuffer(0, 0);
    final long[] counts = new long[2];
    for (int i = 0; i < 100_000; i++) {
      final byte[] bytes = corpus.get(random.nextInt(corpus.size())).clone();
      final String trace = mutate(bytes, random);
      buffer.wrap(bytes);
      final int trial = i;
      // The first time links the messages' string concatenation; the second one is measured.
      readOrRefuse(decoder, buffer, counts, trial, trace);
      final long allocated =
          Allocations.of(() -> readOrRefuse(decoder, buffer, counts, trial, trace));
      assertTrue(
          allocated <= 8_192L + 64L * bytes.length,
          () -> "seed=" + SEED + " trial=" + trial + " bytes=" + allocated + ' ' + trace);
    }
    assertTrue(counts[0] > 10_000 && counts[1] > 10_000, "read=" + counts[0] + " not=" + counts[1]);
  }

  private static void readOrRefuse(
      final KvEventDecoder decoder,
      final UnsafeBuffer buffer,
      final long[] counts,
      final int trial,
      final String trace) {
    try {
      decoder.wrap(buffer, 0, buffer.capacity());
    } catch (final MalformedEventException refusal) {
      counts[1]++;
      return;
    }
    counts[0]++;
    final RouterEvent event = decoder.toRouterEvent();
    if (decoder.length() != KvEventEncoder.encodedLength(event)) {
      throw new AssertionError("seed=" + SEED + " trial=" + trial + ' ' + trace + ' ' + event);
    }
  }

  private static List<byte[]> corpus() {
    final RandomEvents events = new RandomEvents(SEED + 1);
    final List<byte[]> corpus = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      final RouterEvent event = events.next();
      final byte[] bytes = new byte[KvEventEncoder.encodedLength(event)];
      KvEventEncoder.encode(new UnsafeBuffer(bytes), 0, event);
      corpus.add(bytes);
    }
    return corpus;
  }

  /** Changes one to three bytes, header fields more often than hashes. */
  private static String mutate(final byte[] bytes, final SplittableRandom random) {
    final StringBuilder trace = new StringBuilder("mutations:");
    for (int i = random.nextInt(3); i >= 0; i--) {
      final int at = random.nextInt(random.nextBoolean() ? 48 : bytes.length);
      final byte value =
          switch (random.nextInt(4)) {
            case 0 -> (byte) (bytes[at] ^ (1 << random.nextInt(8)));
            case 1 -> (byte) (bytes[at] + 1);
            case 2 -> (byte) 0xFF;
            default -> (byte) random.nextInt();
          };
      bytes[at] = value;
      trace.append(' ').append(at).append('=').append(value);
    }
    return trace.toString();
  }

  @Test
  void shouldWriteNothingWhenTheBufferIsTooSmall() {
    final UnsafeBuffer buffer = new UnsafeBuffer(new byte[79]);
    assertThrows(
        IndexOutOfBoundsException.class,
        () -> KvEventEncoder.stored(buffer, 0, -1, -1, StorageTier.DISK, -1, true, -1, 2));
    assertThrows(
        IndexOutOfBoundsException.class,
        () -> KvEventEncoder.cleared(buffer, -8, -1, -1, StorageTier.DISK, -1));
    for (int i = 0; i < 79; i++) {
      assertEquals(0, buffer.getByte(i));
    }
  }

  @Test
  void shouldGrowWhenTheBufferIsExpandable() {
    final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer(16);
    final RouterEvent event =
        new RouterEvent(
            3, new KvCacheEvent(1, new KvCacheRemoveData(UnsignedLongs.of(1, 2, 3)), 0));
    final int length = KvEventEncoder.encode(buffer, 40, event);
    assertEquals(event, new KvEventDecoder().wrap(buffer, 40, length).toRouterEvent());
    assertThrows(
        IndexOutOfBoundsException.class,
        () -> KvEventEncoder.encode(buffer, Integer.MAX_VALUE - 40, event));
  }

  @Test
  void shouldComputeLengthsUpToTheLargestCount() {
    assertEquals(48, KvEventEncoder.clearedLength());
    assertEquals(48, KvEventEncoder.storedLength(0));
    assertEquals(64, KvEventEncoder.storedLength(1));
    assertEquals(56, KvEventEncoder.removedLength(1));
    assertEquals(
        48L + 16L * KvEventEncoder.MAX_STORED_BLOCKS,
        KvEventEncoder.storedLength(KvEventEncoder.MAX_STORED_BLOCKS));
    assertEquals(
        48L + 8L * KvEventEncoder.MAX_REMOVED_BLOCKS,
        KvEventEncoder.removedLength(KvEventEncoder.MAX_REMOVED_BLOCKS));
    assertThrows(
        IllegalArgumentException.class,
        () -> KvEventEncoder.storedLength(KvEventEncoder.MAX_STORED_BLOCKS + 1));
    assertThrows(
        IllegalArgumentException.class,
        () -> KvEventEncoder.removedLength(KvEventEncoder.MAX_REMOVED_BLOCKS + 1));
    assertThrows(IllegalArgumentException.class, () -> KvEventEncoder.storedLength(-1));
    assertThrows(
        IllegalArgumentException.class, () -> KvEventEncoder.removedLength(Integer.MIN_VALUE));
  }

  @Test
  void shouldAllocateNothingWhenEncodingAndDecoding() {
    final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(8192));
    final RandomEvents events = new RandomEvents(SEED);
    final RouterEvent[] objects = new RouterEvent[64];
    for (int i = 0; i < objects.length; i++) {
      objects[i] = events.next();
    }
    final KvEventDecoder decoder = new KvEventDecoder();
    final long[] sum = new long[1];
    final Runnable body =
        () -> {
          for (int i = 0; i < 1_000; i++) {
            sum[0] += writeAndSum(buffer, decoder, i & 15);
            KvEventEncoder.encode(buffer, 0, objects[i & 63]);
            sum[0] += decoder.wrap(buffer, 0, 8192).length();
          }
        };
    for (int i = 0; i < 20; i++) {
      body.run();
    }
    assertEquals(0, Allocations.of(body), () -> "sum=" + sum[0]);
  }

  private static long writeAndSum(
      final MutableDirectBuffer buffer, final KvEventDecoder decoder, final int count) {
    final int length =
        KvEventEncoder.stored(buffer, 0, 1, 2, StorageTier.DEVICE, 3, true, 4, count);
    for (int i = 0; i < count; i++) {
      KvEventEncoder.putBlockHash(buffer, 0, i, i);
      KvEventEncoder.putTokensHash(buffer, 0, count, i, -i);
    }
    decoder.wrap(buffer, 0, length);
    long sum = decoder.workerId() + decoder.eventId() + decoder.parentHash() + decoder.dpRank();
    sum += decoder.tier().ordinal() + decoder.type().ordinal();
    for (int i = 0; i < decoder.blockCount(); i++) {
      sum += decoder.blockHash(i) ^ decoder.tokensHash(i);
    }
    return sum;
  }

  @Test
  void shouldHandEachEventToTheListenerWhenTheSinkHasToGrow() {
    final List<RouterEvent> seen = new ArrayList<>();
    final KvEventDecoder decoder = new KvEventDecoder();
    final ListenerSink sink =
        new ListenerSink(
            (buffer, offset, length) ->
                seen.add(decoder.wrap(buffer, offset, length).toRouterEvent()));
    final List<RouterEvent> sent = new ArrayList<>();
    for (final int count : new int[] {1, 700, 0, 5_000}) {
      final RouterEvent event =
          new RouterEvent(
              7,
              new KvCacheEvent(count, new KvCacheRemoveData(UnsignedLongs.of(new long[count])), 0));
      final int length = KvEventEncoder.encodedLength(event);
      final int offset = sink.claim(length);
      KvEventEncoder.encode(sink.buffer(), offset, event);
      sink.commit(offset, length);
      sent.add(event);
    }
    assertEquals(sent, seen);
    assertThrows(IllegalArgumentException.class, () -> sink.claim(-8));
  }
}
