package io.kvroute.protocol;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.util.List;
import org.agrona.MutableDirectBuffer;

/**
 * Writes cache events in their binary form. A hot path writes the header with {@link #stored},
 * {@link #removed} or {@link #cleared} and puts the hashes itself; {@link #encode} writes a whole
 * {@link RouterEvent}.
 *
 * <p>Nothing is allocated. The class has no state; two threads may write to two buffers. Room is
 * checked here, whether or not Agrona checks bounds; an expandable buffer grows.
 */
public final class KvEventEncoder {
  /** The most blocks that one removed event can name. */
  public static final int MAX_REMOVED_BLOCKS = maxBlocks(KvEventLayout.TYPE_REMOVED);

  /** The most blocks that one stored event without multimodal section can name. */
  public static final int MAX_STORED_BLOCKS = maxBlocks(KvEventLayout.TYPE_STORED);

  private KvEventEncoder() {}

  private static int maxBlocks(final byte type) {
    final long hashes =
        (Integer.MAX_VALUE - KvEventLayout.length(0, 0)) / KvEventLayout.HASH_LENGTH;
    return (int) (hashes / KvEventLayout.hashes(type, 1));
  }

  /**
   * Bytes of a stored event without multimodal section.
   *
   * @param count of blocks
   * @throws IllegalArgumentException if the count is negative or above {@link #MAX_STORED_BLOCKS}
   */
  public static int storedLength(final int count) {
    return length(KvEventLayout.TYPE_STORED, count, 0);
  }

  /**
   * Bytes of a removed event.
   *
   * @param count of blocks
   * @throws IllegalArgumentException if the count is negative or above {@link #MAX_REMOVED_BLOCKS}
   */
  public static int removedLength(final int count) {
    return length(KvEventLayout.TYPE_REMOVED, count, 0);
  }

  /** Bytes of a cleared event. */
  public static int clearedLength() {
    return KvEventLayout.HEADER_LENGTH;
  }

  /** Where the block hashes of the event at {@code offset} begin. */
  public static int blockHashesOffset(final int offset) {
    return KvEventLayout.blockHashesOffset(offset);
  }

  /**
   * Where the tokens hashes of the stored event of {@code count} blocks at {@code offset} begin.
   */
  public static int tokensHashesOffset(final int offset, final int count) {
    return KvEventLayout.tokensHashOffset(offset, count, 0);
  }

  /**
   * Writes the header of a stored event; the caller then puts {@code count} block hashes and {@code
   * count} tokens hashes.
   *
   * @param buffer to write to
   * @param offset of the event
   * @param workerId unsigned 64-bit
   * @param dpRank unsigned 32-bit
   * @param tier where the blocks are
   * @param eventId unsigned 64-bit
   * @param hasParent whether the first block has a parent
   * @param parentHash of the first block, unsigned 64-bit; not looked at without a parent
   * @param count of blocks
   * @return the length of the event in bytes
   * @throws IllegalArgumentException if the count is out of range
   * @throws IndexOutOfBoundsException if the buffer is too small; nothing was written
   */
  public static int stored(
      final MutableDirectBuffer buffer,
      final int offset,
      final long workerId,
      final int dpRank,
      final StorageTier tier,
      final long eventId,
      final boolean hasParent,
      final long parentHash,
      final int count) {
    final int length = storedLength(count);
    header(
        buffer, offset, length, KvEventLayout.TYPE_STORED, workerId, dpRank, tier, eventId, count);
    if (hasParent) {
      parent(buffer, offset, parentHash);
    }
    return length;
  }

  /**
   * Writes the header of a removed event; the caller then puts {@code count} block hashes.
   *
   * @param buffer to write to
   * @param offset of the event
   * @param workerId unsigned 64-bit
   * @param dpRank unsigned 32-bit
   * @param tier where the blocks were
   * @param eventId unsigned 64-bit
   * @param count of blocks
   * @return the length of the event in bytes
   * @throws IllegalArgumentException if the count is out of range
   * @throws IndexOutOfBoundsException if the buffer is too small; nothing was written
   */
  public static int removed(
      final MutableDirectBuffer buffer,
      final int offset,
      final long workerId,
      final int dpRank,
      final StorageTier tier,
      final long eventId,
      final int count) {
    final int length = removedLength(count);
    header(
        buffer, offset, length, KvEventLayout.TYPE_REMOVED, workerId, dpRank, tier, eventId, count);
    return length;
  }

  /**
   * Writes a cleared event.
   *
   * @param buffer to write to
   * @param offset of the event
   * @param workerId unsigned 64-bit
   * @param dpRank unsigned 32-bit
   * @param tier that was cleared
   * @param eventId unsigned 64-bit
   * @return the length of the event in bytes
   * @throws IndexOutOfBoundsException if the buffer is too small; nothing was written
   */
  public static int cleared(
      final MutableDirectBuffer buffer,
      final int offset,
      final long workerId,
      final int dpRank,
      final StorageTier tier,
      final long eventId) {
    final int length = clearedLength();
    header(buffer, offset, length, KvEventLayout.TYPE_CLEARED, workerId, dpRank, tier, eventId, 0);
    return length;
  }

  /**
   * Adds a start position to a stored event whose header has been written.
   *
   * @param buffer that holds the event
   * @param offset of the event
   * @param startPosition index of the first block in its sequence, unsigned 32-bit
   */
  public static void startPosition(
      final MutableDirectBuffer buffer, final int offset, final int startPosition) {
    addFlag(buffer, offset, KvEventLayout.FLAG_START_POSITION);
    buffer.putInt(offset + KvEventLayout.START_POSITION_OFFSET, startPosition, LITTLE_ENDIAN);
  }

  /**
   * Puts one block hash of an event whose header has been written.
   *
   * @param buffer that holds the event
   * @param offset of the event
   * @param block index of the block, below the count
   * @param hash unsigned 64-bit
   */
  public static void putBlockHash(
      final MutableDirectBuffer buffer, final int offset, final int block, final long hash) {
    buffer.putLong(KvEventLayout.blockHashOffset(offset, block), hash, LITTLE_ENDIAN);
  }

  /**
   * Puts one tokens hash of a stored event whose header has been written.
   *
   * @param buffer that holds the event
   * @param offset of the event
   * @param count of blocks in the event
   * @param block index of the block, below the count
   * @param hash unsigned 64-bit
   */
  public static void putTokensHash(
      final MutableDirectBuffer buffer,
      final int offset,
      final int count,
      final int block,
      final long hash) {
    buffer.putLong(KvEventLayout.tokensHashOffset(offset, count, block), hash, LITTLE_ENDIAN);
  }

  /**
   * Bytes that {@link #encode} writes for an event.
   *
   * @throws IllegalArgumentException if the event does not fit into 2^31-8 bytes
   */
  public static int encodedLength(final RouterEvent event) {
    final KvCacheEventData data = event.event().data();
    if (data instanceof KvCacheStoreData store) {
      return length(
          KvEventLayout.TYPE_STORED, store.blocks().size(), MmSection.length(store.blocks()));
    }
    if (data instanceof KvCacheRemoveData remove) {
      return removedLength(remove.blockHashes().size());
    }
    return clearedLength();
  }

  /**
   * Writes a whole event.
   *
   * @param buffer to write to
   * @param offset of the event
   * @param event to write
   * @return the length of the event in bytes
   * @throws IllegalArgumentException if the event does not fit into 2^31-8 bytes
   * @throws IndexOutOfBoundsException if the buffer is too small; nothing was written
   */
  public static int encode(
      final MutableDirectBuffer buffer, final int offset, final RouterEvent event) {
    final KvCacheEventData data = event.event().data();
    if (data instanceof KvCacheStoreData store) {
      return encodeStored(buffer, offset, event, store);
    }
    final long workerId = event.workerId();
    final long eventId = event.event().eventId();
    final int dpRank = event.event().dpRank();
    final StorageTier tier = event.storageTier();
    if (data instanceof KvCacheRemoveData remove) {
      final UnsignedLongs hashes = remove.blockHashes();
      final int length = removed(buffer, offset, workerId, dpRank, tier, eventId, hashes.size());
      for (int i = 0; i < hashes.size(); i++) {
        putBlockHash(buffer, offset, i, hashes.get(i));
      }
      return length;
    }
    return cleared(buffer, offset, workerId, dpRank, tier, eventId);
  }

  private static int encodeStored(
      final MutableDirectBuffer buffer,
      final int offset,
      final RouterEvent event,
      final KvCacheStoreData store) {
    final List<KvCacheStoredBlockData> blocks = store.blocks();
    final int count = blocks.size();
    final int mmLength = MmSection.length(blocks);
    final int length = length(KvEventLayout.TYPE_STORED, count, mmLength);
    final KvCacheEvent inner = event.event();
    header(
        buffer,
        offset,
        length,
        KvEventLayout.TYPE_STORED,
        event.workerId(),
        inner.dpRank(),
        event.storageTier(),
        inner.eventId(),
        count);
    if (store.parentHash().isPresent()) {
      parent(buffer, offset, store.parentHash().getAsLong());
    }
    if (store.startPosition().isPresent()) {
      startPosition(buffer, offset, store.startPosition().getAsInt());
    }
    for (int i = 0; i < count; i++) {
      putBlockHash(buffer, offset, i, blocks.get(i).blockHash());
      putTokensHash(buffer, offset, count, i, blocks.get(i).tokensHash());
    }
    if (mmLength > 0) {
      addFlag(buffer, offset, KvEventLayout.FLAG_MM);
      buffer.putInt(offset + KvEventLayout.MM_LENGTH_OFFSET, mmLength, LITTLE_ENDIAN);
      MmSection.write(buffer, KvEventLayout.mmOffset(offset, count), blocks);
    }
    return length;
  }

  private static void header(
      final MutableDirectBuffer buffer,
      final int offset,
      final int length,
      final byte type,
      final long workerId,
      final int dpRank,
      final StorageTier tier,
      final long eventId,
      final int count) {
    final long end = (long) offset + length;
    if (offset < 0 || end > (buffer.isExpandable() ? Integer.MAX_VALUE : buffer.capacity())) {
      throw noRoom(buffer, offset, length);
    }
    buffer.checkLimit((int) end);
    buffer.putInt(offset + KvEventLayout.LENGTH_OFFSET, length, LITTLE_ENDIAN);
    buffer.putByte(offset + KvEventLayout.TYPE_OFFSET, type);
    buffer.putByte(offset + KvEventLayout.TIER_OFFSET, (byte) tier.ordinal());
    buffer.putByte(offset + KvEventLayout.FLAGS_OFFSET, (byte) 0);
    buffer.putByte(offset + KvEventLayout.VERSION_OFFSET, KvEventLayout.VERSION);
    buffer.putLong(offset + KvEventLayout.WORKER_ID_OFFSET, workerId, LITTLE_ENDIAN);
    buffer.putLong(offset + KvEventLayout.EVENT_ID_OFFSET, eventId, LITTLE_ENDIAN);
    buffer.putInt(offset + KvEventLayout.DP_RANK_OFFSET, dpRank, LITTLE_ENDIAN);
    buffer.putInt(offset + KvEventLayout.START_POSITION_OFFSET, 0);
    buffer.putLong(offset + KvEventLayout.PARENT_HASH_OFFSET, 0L);
    buffer.putInt(offset + KvEventLayout.BLOCK_COUNT_OFFSET, count, LITTLE_ENDIAN);
    buffer.putInt(offset + KvEventLayout.MM_LENGTH_OFFSET, 0);
  }

  private static void parent(
      final MutableDirectBuffer buffer, final int offset, final long parentHash) {
    addFlag(buffer, offset, KvEventLayout.FLAG_PARENT);
    buffer.putLong(offset + KvEventLayout.PARENT_HASH_OFFSET, parentHash, LITTLE_ENDIAN);
  }

  private static void addFlag(final MutableDirectBuffer buffer, final int offset, final int flag) {
    final int at = offset + KvEventLayout.FLAGS_OFFSET;
    buffer.putByte(at, (byte) (buffer.getByte(at) | flag));
  }

  private static int length(final byte type, final int count, final int mmLength) {
    final long length = KvEventLayout.length(KvEventLayout.hashes(type, count), mmLength);
    if (count < 0 || length > Integer.MAX_VALUE) {
      throw countOutOfRange(count, mmLength, length);
    }
    return (int) length;
  }

  private static IllegalArgumentException countOutOfRange(
      final int count, final int mmLength, final long length) {
    return new IllegalArgumentException(
        "event cannot be written: blocks="
            + count
            + " mmLength="
            + mmLength
            + " length="
            + length
            + " limit="
            + Integer.MAX_VALUE);
  }

  private static IndexOutOfBoundsException noRoom(
      final MutableDirectBuffer buffer, final int offset, final int length) {
    return new IndexOutOfBoundsException(
        "no room for event: offset="
            + offset
            + " length="
            + length
            + " capacity="
            + buffer.capacity());
  }
}
