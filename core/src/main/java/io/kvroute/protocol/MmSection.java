package io.kvroute.protocol;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.kvroute.hash.BlockExtraInfo;
import io.kvroute.hash.BlockMmObjectInfo;
import io.kvroute.hash.MmRange;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** The multimodal section of a stored event: length, writer, validation and reader. */
final class MmSection {
  private MmSection() {}

  /**
   * Bytes of the section, 0 if no block has extra information.
   *
   * @throws IllegalArgumentException if it does not fit into an event
   */
  static int length(final List<KvCacheStoredBlockData> blocks) {
    long length = 0;
    for (int i = 0; i < blocks.size(); i++) {
      final BlockExtraInfo info = blocks.get(i).mmExtraInfo();
      if (info != null) {
        length += entryLength(info);
      }
    }
    if (length == 0) {
      return 0;
    }
    length += KvEventLayout.MM_SECTION_HEADER_LENGTH;
    if (length > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "multimodal section cannot be written: length=" + length + " blocks=" + blocks.size());
    }
    return (int) length;
  }

  private static long entryLength(final BlockExtraInfo info) {
    long length = KvEventLayout.MM_ENTRY_LENGTH;
    final List<BlockMmObjectInfo> objects = info.mmObjects();
    for (int i = 0; i < objects.size(); i++) {
      length +=
          KvEventLayout.MM_OBJECT_LENGTH
              + (long) objects.get(i).offsets().size() * KvEventLayout.MM_RANGE_LENGTH;
    }
    return length;
  }

  static void write(
      final MutableDirectBuffer buffer,
      final int offset,
      final List<KvCacheStoredBlockData> blocks) {
    int at = offset + KvEventLayout.MM_SECTION_HEADER_LENGTH;
    int entries = 0;
    for (int i = 0; i < blocks.size(); i++) {
      final BlockExtraInfo info = blocks.get(i).mmExtraInfo();
      if (info != null) {
        entries++;
        at = writeEntry(buffer, at, i, info);
      }
    }
    buffer.putLong(offset + KvEventLayout.MM_ENTRIES_OFFSET, entries, LITTLE_ENDIAN);
  }

  private static int writeEntry(
      final MutableDirectBuffer buffer,
      final int offset,
      final int block,
      final BlockExtraInfo info) {
    final List<BlockMmObjectInfo> objects = info.mmObjects();
    buffer.putInt(offset + KvEventLayout.MM_BLOCK_OFFSET, block, LITTLE_ENDIAN);
    buffer.putInt(offset + KvEventLayout.MM_OBJECTS_OFFSET, objects.size(), LITTLE_ENDIAN);
    int at = offset + KvEventLayout.MM_ENTRY_LENGTH;
    for (int i = 0; i < objects.size(); i++) {
      final BlockMmObjectInfo object = objects.get(i);
      final List<MmRange> ranges = object.offsets();
      buffer.putLong(at + KvEventLayout.MM_HASH_OFFSET, object.mmHash(), LITTLE_ENDIAN);
      buffer.putLong(at + KvEventLayout.MM_RANGES_OFFSET, ranges.size(), LITTLE_ENDIAN);
      at += KvEventLayout.MM_OBJECT_LENGTH;
      for (int j = 0; j < ranges.size(); j++) {
        buffer.putLong(at + KvEventLayout.MM_START_OFFSET, ranges.get(j).start(), LITTLE_ENDIAN);
        buffer.putLong(at + KvEventLayout.MM_END_OFFSET, ranges.get(j).end(), LITTLE_ENDIAN);
        at += KvEventLayout.MM_RANGE_LENGTH;
      }
    }
    return at;
  }

  /**
   * Walks over a section of untrusted bytes and fails unless its counts add up to its length.
   *
   * @throws MalformedEventException if they do not
   */
  static void validate(
      final DirectBuffer buffer, final int offset, final int length, final int blockCount) {
    if (length < KvEventLayout.MM_SECTION_HEADER_LENGTH) {
      throw malformed("too short", offset, length, 0);
    }
    final long entries = buffer.getLong(offset + KvEventLayout.MM_ENTRIES_OFFSET, LITTLE_ENDIAN);
    final int end = offset + length;
    int at = offset + KvEventLayout.MM_SECTION_HEADER_LENGTH;
    if (entries <= 0 || entries > blockCount) {
      throw malformed("bad number of entries", offset, length, entries);
    }
    int previous = -1;
    for (long entry = 0; entry < entries; entry++) {
      if (end - at < KvEventLayout.MM_ENTRY_LENGTH) {
        throw malformed("entry beyond its end", offset, length, entry);
      }
      final int block = buffer.getInt(at + KvEventLayout.MM_BLOCK_OFFSET, LITTLE_ENDIAN);
      if (block <= previous || block >= blockCount) {
        throw malformed("bad block index", offset, length, block);
      }
      previous = block;
      at = validateObjects(buffer, at, end);
    }
    if (at != end) {
      throw malformed("bytes left over", offset, length, end - at);
    }
  }

  private static int validateObjects(final DirectBuffer buffer, final int entry, final int end) {
    final int objects = buffer.getInt(entry + KvEventLayout.MM_OBJECTS_OFFSET, LITTLE_ENDIAN);
    int at = entry + KvEventLayout.MM_ENTRY_LENGTH;
    if (objects < 0 || objects > (end - at) / KvEventLayout.MM_OBJECT_LENGTH) {
      throw malformed("bad number of objects", at, end - at, objects);
    }
    for (int i = 0; i < objects; i++) {
      if (end - at < KvEventLayout.MM_OBJECT_LENGTH) {
        throw malformed("object beyond its end", at, end - at, i);
      }
      final long ranges = buffer.getLong(at + KvEventLayout.MM_RANGES_OFFSET, LITTLE_ENDIAN);
      at += KvEventLayout.MM_OBJECT_LENGTH;
      if (ranges < 0 || ranges > (end - at) / KvEventLayout.MM_RANGE_LENGTH) {
        throw malformed("bad number of ranges", at, end - at, ranges);
      }
      at += (int) ranges * KvEventLayout.MM_RANGE_LENGTH;
    }
    return at;
  }

  /** Reads a validated section: one element per block, null for a block without an entry. */
  static BlockExtraInfo[] read(final DirectBuffer buffer, final int offset, final int blockCount) {
    final BlockExtraInfo[] infos = new BlockExtraInfo[blockCount];
    final long entries = buffer.getLong(offset + KvEventLayout.MM_ENTRIES_OFFSET, LITTLE_ENDIAN);
    int at = offset + KvEventLayout.MM_SECTION_HEADER_LENGTH;
    for (long entry = 0; entry < entries; entry++) {
      final int block = buffer.getInt(at + KvEventLayout.MM_BLOCK_OFFSET, LITTLE_ENDIAN);
      final int objects = buffer.getInt(at + KvEventLayout.MM_OBJECTS_OFFSET, LITTLE_ENDIAN);
      at += KvEventLayout.MM_ENTRY_LENGTH;
      final List<BlockMmObjectInfo> list = new ArrayList<>(objects);
      for (int i = 0; i < objects; i++) {
        final long hash = buffer.getLong(at + KvEventLayout.MM_HASH_OFFSET, LITTLE_ENDIAN);
        final int ranges = buffer.getInt(at + KvEventLayout.MM_RANGES_OFFSET, LITTLE_ENDIAN);
        at += KvEventLayout.MM_OBJECT_LENGTH;
        list.add(new BlockMmObjectInfo(hash, readRanges(buffer, at, ranges)));
        at += ranges * KvEventLayout.MM_RANGE_LENGTH;
      }
      infos[block] = new BlockExtraInfo(list);
    }
    return infos;
  }

  private static List<MmRange> readRanges(
      final DirectBuffer buffer, final int offset, final int count) {
    final List<MmRange> ranges = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      final int at = offset + i * KvEventLayout.MM_RANGE_LENGTH;
      ranges.add(
          new MmRange(
              buffer.getLong(at + KvEventLayout.MM_START_OFFSET, LITTLE_ENDIAN),
              buffer.getLong(at + KvEventLayout.MM_END_OFFSET, LITTLE_ENDIAN)));
    }
    return ranges;
  }

  private static MalformedEventException malformed(
      final String what, final int offset, final int length, final long found) {
    return new MalformedEventException(
        "malformed multimodal section: "
            + what
            + ": found="
            + found
            + " offset="
            + offset
            + " length="
            + length);
  }
}
