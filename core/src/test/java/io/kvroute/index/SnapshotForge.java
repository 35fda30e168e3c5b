package io.kvroute.index;

import io.kvroute.hash.SequenceHash;
import io.kvroute.hash.Xxh3;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Changes the bytes of a snapshot and makes all of its checksums right again. */
final class SnapshotForge {
  private final byte[] bytes;
  private final ByteBuffer view;

  SnapshotForge(final byte[] original) {
    bytes = original.clone();
    view = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  int getInt(final int at) {
    return view.getInt(at);
  }

  long getLong(final int at) {
    return view.getLong(at);
  }

  void putInt(final int at, final int value) {
    view.putInt(at, value);
  }

  void putLong(final int at, final long value) {
    view.putLong(at, value);
  }

  /** Where the records begin, if there is one chunk. */
  static int body() {
    return SnapshotLayout.HEADER_LENGTH + SnapshotLayout.CHUNK_LENGTH;
  }

  /** Where the record of a rank is. */
  static int rank(final int rank) {
    return body() + rank * SnapshotLayout.RANK_LENGTH;
  }

  /** Where the records of the edges are. */
  List<Integer> edges() {
    final List<Integer> places = new ArrayList<>();
    int at = rank(view.getInt(SnapshotLayout.RANKS_AT));
    for (int i = 0; i < view.getInt(SnapshotLayout.EDGES_AT); i++) {
      places.add(at);
      at = firstBlock(at) + getInt(at + SnapshotLayout.EDGE_COUNT) * SnapshotLayout.BLOCK_LENGTH;
    }
    places.add(at);
    return places;
  }

  static int firstWord(final int edge) {
    return edge + SnapshotLayout.EDGE_LENGTH;
  }

  int firstPart(final int edge) {
    return firstWord(edge) + getInt(edge + SnapshotLayout.EDGE_WORDS) * SnapshotLayout.WORD_LENGTH;
  }

  int firstBlock(final int edge) {
    return firstPart(edge) + getInt(edge + SnapshotLayout.EDGE_PARTS) * SnapshotLayout.PART_LENGTH;
  }

  /** Where the own names are. */
  int names() {
    final List<Integer> places = edges();
    return places.get(places.size() - 1);
  }

  /** Where numbers are that are no hashes of blocks, four bytes each; those of the header, too. */
  int[] structure() {
    final List<Integer> places = edges();
    final IntStream.Builder structure = IntStream.builder();
    addAll(structure, SnapshotLayout.RANKS_AT, SnapshotLayout.BODY_CHECKSUM_AT);
    addAll(structure, body(), places.get(0));
    for (int i = 0; i + 1 < places.size(); i++) {
      addAll(structure, places.get(i), firstBlock(places.get(i)));
    }
    addAll(structure, names(), bytes.length);
    return structure.build().toArray();
  }

  private static void addAll(final IntStream.Builder places, final int from, final int to) {
    for (int at = from; at < to; at += Integer.BYTES) {
      places.add(at);
    }
  }

  /** The bytes with checksums that are right. */
  byte[] sealed() {
    long chain = 0;
    int at = SnapshotLayout.HEADER_LENGTH;
    for (int chunk = 0; at < bytes.length; chunk++) {
      final int size = view.getInt(at + SnapshotLayout.CHUNK_SIZE);
      final long checksum = Xxh3.hash(bytes, at + SnapshotLayout.CHUNK_LENGTH, size, chunk);
      view.putLong(at + SnapshotLayout.CHUNK_CHECKSUM, checksum);
      chain = SequenceHash.next(chain, checksum);
      at += SnapshotLayout.CHUNK_LENGTH + size;
    }
    view.putLong(SnapshotLayout.BODY_CHECKSUM_AT, chain);
    return headerSealed();
  }

  /** The bytes with a header whose own checksum is right. */
  byte[] headerSealed() {
    view.putLong(
        SnapshotLayout.CHECKSUM_AT,
        Xxh3.hash(bytes, 0, SnapshotLayout.CHECKSUM_AT, SnapshotLayout.HEADER_SEED));
    return bytes.clone();
  }
}
