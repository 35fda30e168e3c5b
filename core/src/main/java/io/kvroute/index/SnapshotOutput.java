package io.kvroute.index;

import io.kvroute.hash.SequenceHash;
import io.kvroute.hash.Xxh3;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;

/** Writes the records of a snapshot's body, in chunks, behind the room for its header. */
final class SnapshotOutput {
  private final FileChannel channel;
  private final SnapshotHeader header;
  private final ByteBuffer chunk =
      ByteBuffer.allocate(SnapshotLayout.CHUNK_LENGTH + SnapshotLayout.MAX_CHUNK)
          .order(ByteOrder.LITTLE_ENDIAN);
  private int end = SnapshotLayout.CHUNK_LENGTH;

  /**
   * Begins behind the header.
   *
   * @param header in which chunks and bytes are counted
   */
  SnapshotOutput(final FileChannel channel, final SnapshotHeader header) {
    this.channel = channel;
    this.header = header;
    try {
      channel.position(SnapshotLayout.HEADER_LENGTH);
    } catch (final IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The bytes of the present chunk. */
  ByteBuffer bytes() {
    return chunk;
  }

  /** Where in {@link #bytes()} the next record begins, whose length is given. */
  int claim(final int length) {
    if (end + length > chunk.capacity()) {
      flush();
    }
    final int at = end;
    end += length;
    return at;
  }

  private void flush() {
    final int size = end - SnapshotLayout.CHUNK_LENGTH;
    final int number = header.chunks++;
    final long checksum =
        Xxh3.hash(chunk.array(), SnapshotLayout.CHUNK_LENGTH, size, Integer.toUnsignedLong(number));
    chunk.putInt(SnapshotLayout.CHUNK_SIZE, size);
    chunk.putInt(SnapshotLayout.CHUNK_NUMBER, number);
    chunk.putLong(SnapshotLayout.CHUNK_CHECKSUM, checksum);
    header.bodyLength += size;
    header.bodyChecksum = SequenceHash.next(header.bodyChecksum, checksum);
    chunk.position(0).limit(end);
    writeAll(chunk);
    chunk.clear();
    end = SnapshotLayout.CHUNK_LENGTH;
  }

  /** Ends the body and writes the header. */
  void finish() {
    if (end > SnapshotLayout.CHUNK_LENGTH) {
      flush();
    }
    try {
      channel.position(0);
    } catch (final IOException e) {
      throw new UncheckedIOException(e);
    }
    writeAll(ByteBuffer.wrap(header.toBytes()));
  }

  private void writeAll(final ByteBuffer source) {
    try {
      while (source.hasRemaining()) {
        channel.write(source);
      }
    } catch (final IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
