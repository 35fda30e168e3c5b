package io.kvroute.index;

import io.kvroute.memory.LayoutPrinter;

/**
 * The file of a snapshot: a header, then the body in chunks. All numbers are little-endian and
 * unsigned. A record of the body lies in one chunk; a chunk ends where the next record would make
 * it longer than 1 MiB.
 *
 * <pre>
 *   +--------+--------+---------+--------+---------+--------
 *   | header | chunk  | records | chunk  | records | ...
 *   +--------+--------+---------+--------+---------+--------
 *
 *   body:  ranks, ascending
 *          edges, parents first, children by ascending local hash of their first block;
 *            each with its words of full holders, its partial holders, its blocks
 *          own names, ascending by edge, index, rank and hash
 * </pre>
 *
 * <p>Ranks are named by their place in the body, counted from 0, edges by theirs, counted from 1;
 * edge 0 is the root. Holders are named by tier and rank, whatever columns the index used.
 */
final class SnapshotLayout {
  /** The bytes "KVRINDEX". */
  static final long MAGIC = 0x5845444E4952564BL;

  static final int VERSION = 1;
  static final int ORDER_MARK = 0x0A0B0C0D;
  static final int MAX_CHUNK = 1 << 20;
  static final long HEADER_SEED = -1;

  static final int MAGIC_AT = 0;
  static final int VERSION_AT = 8;
  static final int ORDER_AT = 12;
  static final int CHUNKS_AT = 16;
  static final int RANKS_AT = 20;
  static final int EDGES_AT = 24;
  static final int OWN_NAMES_AT = 28;
  static final int BLOCKS_AT = 32;
  static final int HELD_AT = 40;
  static final int WORDS_AT = 48;
  static final int PARTS_AT = 56;
  static final int UNITS_AT = 64;
  static final int BODY_LENGTH_AT = 72;
  static final int BODY_CHECKSUM_AT = 80;
  static final int BLOCK_CAPACITY_AT = 88;
  static final int EDGE_CAPACITY_AT = 92;
  static final int RANK_CAPACITY_AT = 96;
  static final int OWN_NAME_CAPACITY_AT = 100;
  static final int UNIT_CAPACITY_AT = 104;
  static final int CHECKSUM_AT = 112;
  static final int HEADER_LENGTH = 120;

  static final int CHUNK_SIZE = 0;
  static final int CHUNK_NUMBER = 4;
  static final int CHUNK_CHECKSUM = 8;
  static final int CHUNK_LENGTH = 16;

  static final int RANK_WORKER = 0;
  static final int RANK_DP = 8;
  static final int RANK_FLAGS = 12;
  static final int RANK_LENGTH = 16;

  static final int FLAG_APPROXIMATE = 1;

  static final int EDGE_PARENT = 0;
  static final int EDGE_COUNT = 4;
  static final int EDGE_AGE = 8;
  static final int EDGE_WORDS = 12;
  static final int EDGE_PARTS = 16;
  static final int EDGE_ZERO = 20;
  static final int EDGE_LENGTH = 24;

  static final int WORD_BITS = 0;
  static final int WORD_TIER = 8;
  static final int WORD_INDEX = 12;
  static final int WORD_LENGTH = 16;

  static final int PART_OWNER = 0;
  static final int PART_CUTOFF = 4;
  static final int PART_LENGTH = 8;

  static final int BLOCK_LOCAL = 0;
  static final int BLOCK_EXTERNAL = 8;
  static final int BLOCK_LENGTH = 16;

  static final int NAME_HASH = 0;
  static final int NAME_EDGE = 8;
  static final int NAME_INDEX = 12;
  static final int NAME_OWNER = 16;
  static final int NAME_ZERO = 20;
  static final int NAME_LENGTH = 24;

  static final int RANK_MASK = 0xFFFF;
  static final int TIER_SHIFT = 16;

  private SnapshotLayout() {}

  static String table() {
    return header()
        + new LayoutPrinter("chunk", CHUNK_LENGTH)
            .field("size", CHUNK_SIZE, 4, "bytes of records behind this")
            .field("number", CHUNK_NUMBER, 4, "from 0")
            .field("checksum", CHUNK_CHECKSUM, 8, "XXH3-64 of the records, seeded by the number")
            .print()
        + records();
  }

  private static String header() {
    return new LayoutPrinter("snapshot header", HEADER_LENGTH)
        .field("magic", MAGIC_AT, 8, "the bytes KVRINDEX")
        .field("version", VERSION_AT, 4, "1")
        .field("byte order", ORDER_AT, 4, "0x0A0B0C0D")
        .field("chunks", CHUNKS_AT, 4, "of the body")
        .field("ranks", RANKS_AT, 4, "records")
        .field("edges", EDGES_AT, 4, "records")
        .field("own names", OWN_NAMES_AT, 4, "records")
        .field("blocks", BLOCKS_AT, 8, "records, over all edges")
        .field("held", HELD_AT, 8, "blocks that are held, over all ranks and tiers")
        .field("words", WORDS_AT, 8, "records, over all edges")
        .field("parts", PARTS_AT, 8, "records, over all edges")
        .field("units", UNITS_AT, 8, "units of 16 bytes that the holders take when restored")
        .field("body length", BODY_LENGTH_AT, 8, "bytes of all records")
        .field("body checksum", BODY_CHECKSUM_AT, 8, "chain over the checksums of the chunks")
        .field("block capacity", BLOCK_CAPACITY_AT, 4, "of the index that was written")
        .field("edge capacity", EDGE_CAPACITY_AT, 4, "of the index that was written")
        .field("rank capacity", RANK_CAPACITY_AT, 4, "of the index that was written")
        .field("own-name capacity", OWN_NAME_CAPACITY_AT, 4, "of the index that was written")
        .field("unit capacity", UNIT_CAPACITY_AT, 8, "of the index that was written")
        .field("checksum", CHECKSUM_AT, 8, "XXH3-64 of all before, seeded by 2^64-1")
        .print();
  }

  private static String records() {
    return new LayoutPrinter("rank", RANK_LENGTH)
            .field("worker_id", RANK_WORKER, 8, "u64")
            .field("dp_rank", RANK_DP, 4, "u32")
            .field("flags", RANK_FLAGS, 4, "bit 0: approximate; the others are 0")
            .print()
        + new LayoutPrinter("edge", EDGE_LENGTH)
            .field("parent", EDGE_PARENT, 4, "number of the edge above")
            .field("count", EDGE_COUNT, 4, "blocks")
            .field(
                "age", EDGE_AGE, 4, "of a leaf: place in the order of last stores, from 1; else 0")
            .field("words", EDGE_WORDS, 4, "words of full holders")
            .field("parts", EDGE_PARTS, 4, "partial holders")
            .field("zero", EDGE_ZERO, 4, "0")
            .print()
        + new LayoutPrinter("word of full holders", WORD_LENGTH)
            .field("bits", WORD_BITS, 8, "a bit per rank; not 0")
            .field("tier", WORD_TIER, 4, "0 to 3")
            .field("word", WORD_INDEX, 4, "bit 0 is rank word * 64; ascending within a tier")
            .print()
        + new LayoutPrinter("partial holder", PART_LENGTH)
            .field("owner", PART_OWNER, 4, "rank, and from bit 16 on the tier; ascending")
            .field("cutoff", PART_CUTOFF, 4, "leading blocks of the edge that it holds")
            .print()
        + new LayoutPrinter("block", BLOCK_LENGTH)
            .field("local hash", BLOCK_LOCAL, 8, "u64")
            .field("external hash", BLOCK_EXTERNAL, 8, "u64")
            .print()
        + new LayoutPrinter("own name", NAME_LENGTH)
            .field("hash", NAME_HASH, 8, "external hash")
            .field("edge", NAME_EDGE, 4, "number of the block's edge")
            .field("index", NAME_INDEX, 4, "of the block on the edge")
            .field("owner", NAME_OWNER, 4, "rank, and from bit 16 on a bit per live tier")
            .field("zero", NAME_ZERO, 4, "0")
            .print();
  }
}
