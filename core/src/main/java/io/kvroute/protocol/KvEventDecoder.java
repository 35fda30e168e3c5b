package io.kvroute.protocol;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.kvroute.hash.BlockExtraInfo;
import io.kvroute.memory.RuntimeAccess;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A flyweight that reads one cache event in its binary form. {@link #wrap} trusts nothing: every
 * length and count is checked against the bytes that there are before anything is read by it, with
 * or without Agrona's bounds checks. The accessors then read from the buffer, which must stay alive
 * and unchanged while they are used.
 *
 * <p>Only {@link #toRouterEvent()} allocates. Not thread-safe.
 */
public final class KvEventDecoder {
  private DirectBuffer buffer;
  private int offset;
  private int length;
  private KvEventType type;
  private int flags;
  private int blockCount;

  /** Makes a decoder that shows nothing yet. */
  public KvEventDecoder() {
    RuntimeAccess.check();
    buffer = new UnsafeBuffer(0, 0);
  }

  /**
   * Checks the event at an offset and shows it from now on.
   *
   * @param source of the bytes
   * @param at offset of the event
   * @param maxLength bytes that may belong to it, counted from {@code at}
   * @return this
   * @throws MalformedEventException if the bytes are no event, or if the event or the range named
   *     exceeds what there is; the decoder then shows what it showed before
   */
  public KvEventDecoder wrap(final DirectBuffer source, final int at, final int maxLength) {
    if ((at | maxLength) < 0
        || maxLength < KvEventLayout.HEADER_LENGTH
        || (long) at + maxLength > source.capacity()) {
      throw badRange(source, at, maxLength);
    }
    final int newLength = source.getInt(at + KvEventLayout.LENGTH_OFFSET, LITTLE_ENDIAN);
    final int newFlags = source.getByte(at + KvEventLayout.FLAGS_OFFSET) & 0xFF;
    final int newCount = source.getInt(at + KvEventLayout.BLOCK_COUNT_OFFSET, LITTLE_ENDIAN);
    final int mmLength = source.getInt(at + KvEventLayout.MM_LENGTH_OFFSET, LITTLE_ENDIAN);
    final KvEventType newType = KvEventType.ofCode(source.getByte(at + KvEventLayout.TYPE_OFFSET));
    if (newLength < KvEventLayout.HEADER_LENGTH || newLength > maxLength) {
      throw malformed("length out of range", source, at, maxLength);
    }
    checkCodes(source, at, maxLength, newType, newFlags);
    final long hashes = KvEventLayout.hashes(newType.code(), newCount);
    if ((newCount | mmLength) < 0
        || (newType == KvEventType.CLEARED && newCount != 0)
        || newLength % KvEventLayout.ALIGNMENT != 0
        || KvEventLayout.length(hashes, mmLength) != newLength) {
      throw malformed("length and counts disagree", source, at, maxLength);
    }
    checkOptions(source, at, maxLength, newFlags, mmLength);
    if (mmLength != 0) {
      MmSection.validate(source, KvEventLayout.mmOffset(at, newCount), mmLength, newCount);
    }
    buffer = source;
    offset = at;
    length = newLength;
    type = newType;
    flags = newFlags;
    blockCount = newCount;
    return this;
  }

  private static void checkCodes(
      final DirectBuffer source,
      final int at,
      final int maxLength,
      final KvEventType type,
      final int flags) {
    if (source.getByte(at + KvEventLayout.VERSION_OFFSET) != KvEventLayout.VERSION) {
      throw malformed("unknown version", source, at, maxLength);
    }
    if (type == null) {
      throw malformed("unknown type", source, at, maxLength);
    }
    final int tier = source.getByte(at + KvEventLayout.TIER_OFFSET);
    if (tier < 0 || tier >= StorageTier.count()) {
      throw malformed("unknown tier", source, at, maxLength);
    }
    if ((flags & ~KvEventLayout.FLAGS) != 0 || (type != KvEventType.STORED && flags != 0)) {
      throw malformed("bad flags", source, at, maxLength);
    }
  }

  private static void checkOptions(
      final DirectBuffer source,
      final int at,
      final int maxLength,
      final int flags,
      final int mmLength) {
    if (((flags & KvEventLayout.FLAG_PARENT) == 0
            && source.getLong(at + KvEventLayout.PARENT_HASH_OFFSET) != 0)
        || ((flags & KvEventLayout.FLAG_START_POSITION) == 0
            && source.getInt(at + KvEventLayout.START_POSITION_OFFSET) != 0)
        || ((flags & KvEventLayout.FLAG_MM) == 0) != (mmLength == 0)) {
      throw malformed("field without its flag, or flag without its field", source, at, maxLength);
    }
  }

  /** Bytes of the event; the next one, if any, begins this far behind its offset. */
  public int length() {
    return length;
  }

  /** What the event announces; null before the first {@link #wrap}. */
  public KvEventType type() {
    return type;
  }

  /** The tier it is about. */
  public StorageTier tier() {
    return StorageTier.ofOrdinal(buffer.getByte(offset + KvEventLayout.TIER_OFFSET));
  }

  /** The worker, unsigned 64-bit. */
  public long workerId() {
    return buffer.getLong(offset + KvEventLayout.WORKER_ID_OFFSET, LITTLE_ENDIAN);
  }

  /** The data-parallel rank, unsigned 32-bit. */
  public int dpRank() {
    return buffer.getInt(offset + KvEventLayout.DP_RANK_OFFSET, LITTLE_ENDIAN);
  }

  /** The event's number at its source, unsigned 64-bit. */
  public long eventId() {
    return buffer.getLong(offset + KvEventLayout.EVENT_ID_OFFSET, LITTLE_ENDIAN);
  }

  /** Whether the first stored block has a parent. */
  public boolean hasParent() {
    return (flags & KvEventLayout.FLAG_PARENT) != 0;
  }

  /** Hash of the first stored block's parent, unsigned 64-bit; 0 without one. */
  public long parentHash() {
    return buffer.getLong(offset + KvEventLayout.PARENT_HASH_OFFSET, LITTLE_ENDIAN);
  }

  /** Whether the position of the first stored block is known. */
  public boolean hasStartPosition() {
    return (flags & KvEventLayout.FLAG_START_POSITION) != 0;
  }

  /** Position of the first stored block, unsigned 32-bit; 0 if unknown. */
  public int startPosition() {
    return buffer.getInt(offset + KvEventLayout.START_POSITION_OFFSET, LITTLE_ENDIAN);
  }

  /** Whether any stored block has multimodal information. */
  public boolean hasMultimodal() {
    return (flags & KvEventLayout.FLAG_MM) != 0;
  }

  /** How many blocks it names; 0 if it clears. */
  public int blockCount() {
    return blockCount;
  }

  /**
   * The engine's name of a block, unsigned 64-bit.
   *
   * @throws IndexOutOfBoundsException if there is no such block
   */
  public long blockHash(final int block) {
    Objects.checkIndex(block, blockCount);
    return buffer.getLong(KvEventLayout.blockHashOffset(offset, block), LITTLE_ENDIAN);
  }

  /**
   * The hash of a stored block's tokens, unsigned 64-bit.
   *
   * @throws IndexOutOfBoundsException if there is no such block, or the event is not a stored one
   */
  public long tokensHash(final int block) {
    Objects.checkIndex(block, type == KvEventType.STORED ? blockCount : 0);
    return buffer.getLong(KvEventLayout.tokensHashOffset(offset, blockCount, block), LITTLE_ENDIAN);
  }

  /**
   * The event as an object. Allocates in proportion to its length.
   *
   * @throws IllegalStateException before the first {@link #wrap}
   */
  public RouterEvent toRouterEvent() {
    if (type == null) {
      throw new IllegalStateException("decoder shows no event");
    }
    final KvCacheEventData data =
        switch (type) {
          case STORED -> toStoreData();
          case REMOVED -> toRemoveData();
          case CLEARED -> new KvCacheEventData.Cleared();
        };
    return new RouterEvent(workerId(), tier(), new KvCacheEvent(eventId(), data, dpRank()));
  }

  private KvCacheStoreData toStoreData() {
    final BlockExtraInfo[] infos =
        hasMultimodal()
            ? MmSection.read(buffer, KvEventLayout.mmOffset(offset, blockCount), blockCount)
            : null;
    final List<KvCacheStoredBlockData> blocks = new ArrayList<>(blockCount);
    for (int i = 0; i < blockCount; i++) {
      blocks.add(
          new KvCacheStoredBlockData(blockHash(i), tokensHash(i), infos == null ? null : infos[i]));
    }
    return new KvCacheStoreData(
        hasParent() ? OptionalLong.of(parentHash()) : OptionalLong.empty(),
        hasStartPosition() ? OptionalInt.of(startPosition()) : OptionalInt.empty(),
        blocks);
  }

  private KvCacheRemoveData toRemoveData() {
    final long[] hashes = new long[blockCount];
    for (int i = 0; i < blockCount; i++) {
      hashes[i] = blockHash(i);
    }
    return new KvCacheRemoveData(UnsignedLongs.of(hashes));
  }

  private static MalformedEventException badRange(
      final DirectBuffer source, final int at, final int maxLength) {
    return new MalformedEventException(
        "too few bytes for an event: offset="
            + at
            + " maxLength="
            + maxLength
            + " capacity="
            + source.capacity()
            + " header="
            + KvEventLayout.HEADER_LENGTH);
  }

  private static MalformedEventException malformed(
      final String what, final DirectBuffer source, final int at, final int maxLength) {
    return new MalformedEventException(
        "malformed event: "
            + what
            + ": length="
            + source.getInt(at + KvEventLayout.LENGTH_OFFSET, LITTLE_ENDIAN)
            + " maxLength="
            + maxLength
            + " version="
            + source.getByte(at + KvEventLayout.VERSION_OFFSET)
            + " type="
            + source.getByte(at + KvEventLayout.TYPE_OFFSET)
            + " tier="
            + source.getByte(at + KvEventLayout.TIER_OFFSET)
            + " flags="
            + (source.getByte(at + KvEventLayout.FLAGS_OFFSET) & 0xFF)
            + " blocks="
            + Integer.toUnsignedString(
                source.getInt(at + KvEventLayout.BLOCK_COUNT_OFFSET, LITTLE_ENDIAN))
            + " mmLength="
            + Integer.toUnsignedString(
                source.getInt(at + KvEventLayout.MM_LENGTH_OFFSET, LITTLE_ENDIAN)));
  }
}
