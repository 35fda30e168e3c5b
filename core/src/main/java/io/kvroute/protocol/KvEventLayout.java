package io.kvroute.protocol;

import io.kvroute.memory.LayoutPrinter;

/**
 * The binary form of a cache event, the same on every hop: manager to sink, ring buffer, journal,
 * index. All numbers are little-endian on every machine; the length is a multiple of 8, so that
 * events that follow each other keep the alignment of the first.
 *
 * <pre>
 *  0        4    5    6     7       8           16          24        28
 * +--------+----+----+-----+-------+-----------+-----------+---------+----------------+
 * | length |type|tier|flags|version| worker_id | event_id  | dp_rank | start_position |
 * +--------+----+----+-----+-------+-----------+-----------+---------+----------------+
 *  32            40            44          48
 * +-------------+-------------+-----------+----------------------------------------+
 * | parent_hash | block_count | mm_length | block hashes: u64[block_count]         |
 * +-------------+-------------+-----------+----------------------------------------+
 *                                         | tokens hashes: u64[block_count], only  |
 *                                         | in a stored event                      |
 *                                         +----------------------------------------+
 *                                         | multimodal section: mm_length bytes,   |
 *                                         | only with FLAG_MM                      |
 *                                         +----------------------------------------+
 * </pre>
 *
 * The multimodal section is a count and then one entry per block that has extra information, in
 * ascending order of blocks:
 *
 * <pre>
 * section: | entries u64 |  then each entry
 * entry:   | block index u32 | objects u32 |  then each object
 * object:  | mm_hash u64 | ranges u64 |  then each range
 * range:   | start u64 | end u64 |
 * </pre>
 *
 * Fields that an event does not have are zero, so that equal events have equal bytes.
 */
final class KvEventLayout {
  static final byte VERSION = 1;

  static final byte TYPE_STORED = 1;
  static final byte TYPE_REMOVED = 2;
  static final byte TYPE_CLEARED = 3;

  static final int FLAG_PARENT = 1;
  static final int FLAG_START_POSITION = 2;
  static final int FLAG_MM = 4;
  static final int FLAGS = FLAG_PARENT | FLAG_START_POSITION | FLAG_MM;

  static final int LENGTH_OFFSET = 0;
  static final int TYPE_OFFSET = 4;
  static final int TIER_OFFSET = 5;
  static final int FLAGS_OFFSET = 6;
  static final int VERSION_OFFSET = 7;
  static final int WORKER_ID_OFFSET = 8;
  static final int EVENT_ID_OFFSET = 16;
  static final int DP_RANK_OFFSET = 24;
  static final int START_POSITION_OFFSET = 28;
  static final int PARENT_HASH_OFFSET = 32;
  static final int BLOCK_COUNT_OFFSET = 40;
  static final int MM_LENGTH_OFFSET = 44;
  static final int HEADER_LENGTH = 48;

  static final int HASH_LENGTH = 8;
  static final int ALIGNMENT = 8;

  static final int MM_ENTRIES_OFFSET = 0;
  static final int MM_SECTION_HEADER_LENGTH = 8;
  static final int MM_BLOCK_OFFSET = 0;
  static final int MM_OBJECTS_OFFSET = 4;
  static final int MM_ENTRY_LENGTH = 8;
  static final int MM_HASH_OFFSET = 0;
  static final int MM_RANGES_OFFSET = 8;
  static final int MM_OBJECT_LENGTH = 16;
  static final int MM_START_OFFSET = 0;
  static final int MM_END_OFFSET = 8;
  static final int MM_RANGE_LENGTH = 16;

  private KvEventLayout() {}

  /** Bytes of an event of {@code hashes} hashes in all and a multimodal section. */
  static long length(final long hashes, final long mmLength) {
    return HEADER_LENGTH + hashes * HASH_LENGTH + mmLength;
  }

  /** How many hashes an event with a number of blocks carries. */
  static long hashes(final byte type, final long blocks) {
    return type == TYPE_STORED ? 2 * blocks : blocks;
  }

  static int blockHashesOffset(final int offset) {
    return offset + HEADER_LENGTH;
  }

  static int blockHashOffset(final int offset, final int block) {
    return offset + HEADER_LENGTH + block * HASH_LENGTH;
  }

  static int tokensHashOffset(final int offset, final int blockCount, final int block) {
    return blockHashOffset(offset, blockCount + block);
  }

  static int mmOffset(final int offset, final int blockCount) {
    return blockHashOffset(offset, 2 * blockCount);
  }

  static String table() {
    return new LayoutPrinter("KvEvent header", HEADER_LENGTH)
            .field("length", LENGTH_OFFSET, 4, "bytes of the whole event, a multiple of 8")
            .field("type", TYPE_OFFSET, 1, "1 stored, 2 removed, 3 cleared")
            .field("tier", TIER_OFFSET, 1, "0 device, 1 host_pinned, 2 disk, 3 external")
            .field("flags", FLAGS_OFFSET, 1, "1 parent, 2 start position, 4 multimodal section")
            .field("version", VERSION_OFFSET, 1, "1")
            .field("worker_id", WORKER_ID_OFFSET, 8, "u64")
            .field("event_id", EVENT_ID_OFFSET, 8, "u64")
            .field("dp_rank", DP_RANK_OFFSET, 4, "u32")
            .field("start_position", START_POSITION_OFFSET, 4, "u32, 0 without its flag")
            .field("parent_hash", PARENT_HASH_OFFSET, 8, "u64, 0 without its flag")
            .field("block_count", BLOCK_COUNT_OFFSET, 4, "u32, 0 if cleared")
            .field("mm_length", MM_LENGTH_OFFSET, 4, "bytes, 0 without its flag")
            .print()
        + "then block hashes u64[block_count]; if stored: tokens hashes u64[block_count], mm"
        + " section\n"
        + new LayoutPrinter("mm section header", MM_SECTION_HEADER_LENGTH)
            .field("entries", MM_ENTRIES_OFFSET, 8, "u64, each names another block, ascending")
            .print()
        + new LayoutPrinter("mm entry", MM_ENTRY_LENGTH)
            .field("block", MM_BLOCK_OFFSET, 4, "u32, index below block_count")
            .field("objects", MM_OBJECTS_OFFSET, 4, "u32")
            .print()
        + new LayoutPrinter("mm object", MM_OBJECT_LENGTH)
            .field("mm_hash", MM_HASH_OFFSET, 8, "u64")
            .field("ranges", MM_RANGES_OFFSET, 8, "u64")
            .print()
        + new LayoutPrinter("mm range", MM_RANGE_LENGTH)
            .field("start", MM_START_OFFSET, 8, "u64")
            .field("end", MM_END_OFFSET, 8, "u64")
            .print();
  }
}
