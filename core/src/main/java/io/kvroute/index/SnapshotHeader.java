package io.kvroute.index;

import static io.kvroute.index.SnapshotLayout.BLOCK_CAPACITY_AT;
import static io.kvroute.index.SnapshotLayout.CHECKSUM_AT;
import static io.kvroute.index.SnapshotLayout.EDGE_CAPACITY_AT;
import static io.kvroute.index.SnapshotLayout.HEADER_LENGTH;
import static io.kvroute.index.SnapshotLayout.OWN_NAME_CAPACITY_AT;
import static io.kvroute.index.SnapshotLayout.RANK_CAPACITY_AT;

import io.kvroute.hash.Xxh3;
import io.kvroute.memory.RunStore;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The header of a snapshot: what the file is, how much the body holds, and how large the index was
 * made. A writer and a reader count in one of these while they go through the body.
 */
final class SnapshotHeader {
  int chunks;
  int ranks;
  int edges;
  int ownNames;
  long blocks;
  long held;
  long words;
  long parts;
  long units;
  long bodyLength;
  long bodyChecksum;
  int blockCapacity;
  int edgeCapacity;
  int rankCapacity;
  int ownNameCapacity;
  long unitCapacity;

  /** A header with the capacities of an index, and nothing counted yet. */
  static SnapshotHeader of(final Tree tree) {
    final SnapshotHeader header = new SnapshotHeader();
    header.blockCapacity = (int) tree.blocks.capacity();
    header.edgeCapacity = tree.edges.used() + tree.edges.freeCount();
    header.rankCapacity = tree.ranks.capacity();
    header.ownNameCapacity = tree.ownNames.used() + tree.ownNames.freeCount();
    header.unitCapacity = tree.holders.runs().unitCount();
    return header;
  }

  long fileLength() {
    return HEADER_LENGTH + (long) chunks * SnapshotLayout.CHUNK_LENGTH + bodyLength;
  }

  /** Units that the holders of an edge take. */
  static int units(final int words, final int parts) {
    return (words > 1 ? RunStore.roundUp(words) : 0)
        + (parts > 0 ? RunStore.roundUp(RunStore.unitsFor(parts * HolderLayout.PART_LENGTH)) : 0);
  }

  // ------ bytes

  byte[] toBytes() {
    final byte[] bytes = new byte[HEADER_LENGTH];
    final ByteBuffer out = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    out.putLong(SnapshotLayout.MAGIC_AT, SnapshotLayout.MAGIC);
    out.putInt(SnapshotLayout.VERSION_AT, SnapshotLayout.VERSION);
    out.putInt(SnapshotLayout.ORDER_AT, SnapshotLayout.ORDER_MARK);
    out.putInt(SnapshotLayout.CHUNKS_AT, chunks);
    out.putInt(SnapshotLayout.RANKS_AT, ranks);
    out.putInt(SnapshotLayout.EDGES_AT, edges);
    out.putInt(SnapshotLayout.OWN_NAMES_AT, ownNames);
    out.putLong(SnapshotLayout.BLOCKS_AT, blocks);
    out.putLong(SnapshotLayout.HELD_AT, held);
    out.putLong(SnapshotLayout.WORDS_AT, words);
    out.putLong(SnapshotLayout.PARTS_AT, parts);
    out.putLong(SnapshotLayout.UNITS_AT, units);
    out.putLong(SnapshotLayout.BODY_LENGTH_AT, bodyLength);
    out.putLong(SnapshotLayout.BODY_CHECKSUM_AT, bodyChecksum);
    out.putInt(BLOCK_CAPACITY_AT, blockCapacity);
    out.putInt(EDGE_CAPACITY_AT, edgeCapacity);
    out.putInt(RANK_CAPACITY_AT, rankCapacity);
    out.putInt(OWN_NAME_CAPACITY_AT, ownNameCapacity);
    out.putLong(SnapshotLayout.UNIT_CAPACITY_AT, unitCapacity);
    out.putLong(CHECKSUM_AT, Xxh3.hash(bytes, 0, CHECKSUM_AT, SnapshotLayout.HEADER_SEED));
    return bytes;
  }

  /**
   * Reads a header and checks it in itself and against the length of its file.
   *
   * @param bytes from the beginning of the file, as many as there are, at most a header's
   * @throws SnapshotException if they are no header of this version, or cannot be true
   */
  static SnapshotHeader of(final byte[] bytes, final long fileLength) {
    final ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    checkKind(in, bytes, fileLength);
    final SnapshotHeader header = new SnapshotHeader();
    header.chunks = in.getInt(SnapshotLayout.CHUNKS_AT);
    header.ranks = in.getInt(SnapshotLayout.RANKS_AT);
    header.edges = in.getInt(SnapshotLayout.EDGES_AT);
    header.ownNames = in.getInt(SnapshotLayout.OWN_NAMES_AT);
    header.blocks = in.getLong(SnapshotLayout.BLOCKS_AT);
    header.held = in.getLong(SnapshotLayout.HELD_AT);
    header.words = in.getLong(SnapshotLayout.WORDS_AT);
    header.parts = in.getLong(SnapshotLayout.PARTS_AT);
    header.units = in.getLong(SnapshotLayout.UNITS_AT);
    header.bodyLength = in.getLong(SnapshotLayout.BODY_LENGTH_AT);
    header.bodyChecksum = in.getLong(SnapshotLayout.BODY_CHECKSUM_AT);
    header.blockCapacity = in.getInt(BLOCK_CAPACITY_AT);
    header.edgeCapacity = in.getInt(EDGE_CAPACITY_AT);
    header.rankCapacity = in.getInt(RANK_CAPACITY_AT);
    header.ownNameCapacity = in.getInt(OWN_NAME_CAPACITY_AT);
    header.unitCapacity = in.getLong(SnapshotLayout.UNIT_CAPACITY_AT);
    header.check(fileLength);
    return header;
  }

  private static void checkKind(final ByteBuffer in, final byte[] bytes, final long fileLength) {
    if (bytes.length < Long.BYTES || in.getLong(SnapshotLayout.MAGIC_AT) != SnapshotLayout.MAGIC) {
      throw new SnapshotException(
          "not a snapshot of an index: it does not begin with KVRINDEX: fileLength=" + fileLength);
    }
    if (bytes.length < HEADER_LENGTH) {
      throw new SnapshotException(
          "snapshot is cut short: fileLength=" + fileLength + " headerLength=" + HEADER_LENGTH);
    }
    final int mark = in.getInt(SnapshotLayout.ORDER_AT);
    if (mark == Integer.reverseBytes(SnapshotLayout.ORDER_MARK)) {
      throw new SnapshotException(
          "snapshot has the other byte order: mark=0x" + Integer.toHexString(mark));
    }
    final int version = in.getInt(SnapshotLayout.VERSION_AT);
    if (version != SnapshotLayout.VERSION) {
      throw new SnapshotException(
          "snapshot has an unknown version: version="
              + Integer.toUnsignedString(version)
              + " known="
              + SnapshotLayout.VERSION);
    }
    final long wanted = in.getLong(CHECKSUM_AT);
    final long found = Xxh3.hash(bytes, 0, CHECKSUM_AT, SnapshotLayout.HEADER_SEED);
    if (wanted != found || mark != SnapshotLayout.ORDER_MARK) {
      throw new SnapshotException(
          "header of the snapshot was changed: checksum=0x"
              + Long.toHexString(wanted)
              + " computed=0x"
              + Long.toHexString(found));
    }
  }

  private void check(final long fileLength) {
    require("chunks", chunks, 0, bodyLength);
    require("bodyLength", bodyLength, 0, fileLength);
    if (fileLength() != fileLength) {
      throw new SnapshotException(
          (fileLength < fileLength() ? "snapshot is cut short" : "snapshot is too long")
              + ": fileLength="
              + fileLength
              + " expected="
              + fileLength());
    }
    // Nothing can be larger than the body says, and sums of what is small cannot overflow.
    require("rankCapacity", rankCapacity, 1, RadixIndexBuilder.MAX_RANKS);
    require("blockCapacity", blockCapacity, 1, RadixIndexBuilder.MAX_BLOCKS);
    require("edgeCapacity", edgeCapacity, 1, RadixIndexBuilder.MAX_BLOCKS);
    require("ownNameCapacity", ownNameCapacity, 1, RadixIndexBuilder.MAX_BLOCKS);
    require("unitCapacity", unitCapacity, 1, RadixIndexBuilder.MAX_UNITS);
    require("ranks", ranks, 0, rankCapacity);
    require("blocks", blocks, 0, blockCapacity);
    require("edges", edges, 0, Math.min(edgeCapacity, blocks));
    require("ownNames", ownNames, 0, ownNameCapacity);
    require("words", words, 0, bodyLength);
    require("parts", parts, 0, bodyLength);
    require("units", units, 0, unitCapacity);
    require("held", held, 0, Long.MAX_VALUE);
    final long length =
        (long) ranks * SnapshotLayout.RANK_LENGTH
            + (long) edges * SnapshotLayout.EDGE_LENGTH
            + words * SnapshotLayout.WORD_LENGTH
            + parts * SnapshotLayout.PART_LENGTH
            + blocks * SnapshotLayout.BLOCK_LENGTH
            + (long) ownNames * SnapshotLayout.NAME_LENGTH;
    require("bodyLength", bodyLength, length, length);
  }

  private static void require(final String name, final long value, final long min, final long max) {
    if (value < min || value > max) {
      throw new SnapshotException(
          "header of the snapshot cannot be true: "
              + name
              + '='
              + value
              + " min="
              + min
              + " max="
              + max);
    }
  }

  /**
   * Compares what was counted in the body with what the header says.
   *
   * @throws SnapshotException naming the first that differs
   */
  void checkCounted(final SnapshotHeader counted) {
    same("ranks", ranks, counted.ranks);
    same("edges", edges, counted.edges);
    same("blocks", blocks, counted.blocks);
    same("words", words, counted.words);
    same("parts", parts, counted.parts);
    same("units", units, counted.units);
    same("held", held, counted.held);
    same("ownNames", ownNames, counted.ownNames);
  }

  private static void same(final String name, final long said, final long counted) {
    if (said != counted) {
      throw new SnapshotException(
          "body of the snapshot is not what its header says: "
              + name
              + '='
              + said
              + " counted="
              + counted);
    }
  }
}
