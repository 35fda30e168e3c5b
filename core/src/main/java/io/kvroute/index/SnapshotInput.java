package io.kvroute.index;

import io.kvroute.hash.SequenceHash;
import io.kvroute.hash.Xxh3;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;

/**
 * Reads the records of a snapshot's body. A chunk is handed out only after its number, its size and
 * its checksum were found right, however often the file is read.
 */
final class SnapshotInput {
  private final FileChannel channel;
  private final SnapshotHeader header;
  private final ByteBuffer chunk =
      ByteBuffer.allocate(SnapshotLayout.MAX_CHUNK).order(ByteOrder.LITTLE_ENDIAN);
  private final ByteBuffer chunkHeader =
      ByteBuffer.allocate(SnapshotLayout.CHUNK_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
  private int at;
  private int end;
  private int chunks;
  private long length;
  private long checksum;

  private SnapshotInput(final FileChannel channel, final long fileLength) {
    this.channel = channel;
    final ByteBuffer bytes =
        ByteBuffer.allocate((int) Math.min(fileLength, SnapshotLayout.HEADER_LENGTH));
    readAll(bytes);
    header = SnapshotHeader.of(bytes.array(), fileLength);
  }

  /**
   * Reads the header of a file and goes through all of its chunks once; stands before the first
   * record then.
   *
   * @throws SnapshotException if the file is no snapshot, or not whole
   */
  static SnapshotInput verified(final FileChannel channel) {
    try {
      final SnapshotInput input = new SnapshotInput(channel.position(0), channel.size());
      while (input.chunks < input.header.chunks) {
        input.readChunk();
      }
      input.checkBody();
      input.rewind();
      return input;
    } catch (final IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  SnapshotHeader header() {
    return header;
  }

  private void rewind() throws IOException {
    channel.position(SnapshotLayout.HEADER_LENGTH);
    at = 0;
    end = 0;
    chunks = 0;
    length = 0;
    checksum = 0;
  }

  private void checkBody() {
    if (length != header.bodyLength || checksum != header.bodyChecksum) {
      throw new SnapshotException(
          "chunks of the snapshot are not those of its header: length="
              + length
              + " expectedLength="
              + header.bodyLength
              + " checksum=0x"
              + Long.toHexString(checksum)
              + " expectedChecksum=0x"
              + Long.toHexString(header.bodyChecksum));
    }
  }

  /** The bytes of the present chunk. */
  ByteBuffer bytes() {
    return chunk;
  }

  /**
   * Where in {@link #bytes()} the next record begins, whose length is given.
   *
   * @throws SnapshotException if there is no such record in one piece
   */
  int next(final int recordLength) {
    if (at == end && chunks < header.chunks) {
      readChunk();
    }
    if (recordLength > end - at) {
      throw new SnapshotException(
          "a record of the snapshot is cut off: recordLength="
              + recordLength
              + " left="
              + (end - at)
              + " chunk="
              + (chunks - 1)
              + " chunks="
              + header.chunks);
    }
    final int record = at;
    at += recordLength;
    return record;
  }

  /** Fails unless all records were read. */
  void requireEnd() {
    if (at != end || chunks != header.chunks) {
      throw new SnapshotException(
          "records of the snapshot are left over: left="
              + (end - at)
              + " chunk="
              + (chunks - 1)
              + " chunks="
              + header.chunks);
    }
    checkBody();
  }

  private void readChunk() {
    readAll(chunkHeader.clear());
    final int size = chunkHeader.getInt(SnapshotLayout.CHUNK_SIZE);
    final int number = chunkHeader.getInt(SnapshotLayout.CHUNK_NUMBER);
    if (number != chunks || size <= 0 || size > SnapshotLayout.MAX_CHUNK) {
      throw new SnapshotException(
          "a chunk of the snapshot is out of place or has no possible size: chunk="
              + chunks
              + " number="
              + Integer.toUnsignedString(number)
              + " size="
              + Integer.toUnsignedString(size)
              + " maxSize="
              + SnapshotLayout.MAX_CHUNK);
    }
    readAll(chunk.clear().limit(size));
    final long wanted = chunkHeader.getLong(SnapshotLayout.CHUNK_CHECKSUM);
    final long found = Xxh3.hash(chunk.array(), 0, size, Integer.toUnsignedLong(number));
    if (wanted != found) {
      throw new SnapshotException(
          "a chunk of the snapshot was changed: chunk="
              + chunks
              + " size="
              + size
              + " checksum=0x"
              + Long.toHexString(wanted)
              + " computed=0x"
              + Long.toHexString(found));
    }
    at = 0;
    end = size;
    chunks++;
    length += size;
    checksum = SequenceHash.next(checksum, wanted);
  }

  private void readAll(final ByteBuffer target) {
    try {
      while (target.hasRemaining()) {
        if (channel.read(target) < 0) {
          throw new SnapshotException(
              "snapshot is cut short: missing="
                  + target.remaining()
                  + " fileLength="
                  + channel.size());
        }
      }
    } catch (final IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
