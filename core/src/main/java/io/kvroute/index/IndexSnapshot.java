package io.kvroute.index;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * Snapshots of an index: a compact binary file, 16 bytes a distinct block, whoever holds it, and
 * some per edge. It is the same on every machine; the same content in edges that are cut alike
 * gives the same bytes.
 *
 * <p>A file is either whole or refused: it says how long it is, each of its pieces has a checksum,
 * and all numbers in it are checked before they are used. Which ranks are approximate and which
 * leaves are the oldest is in it; counters are not, nor how {@link RadixIndexBuilder#clearScope}
 * was set.
 *
 * <p>Belongs to the thread that applies the events of the index. Allocates on the Java heap in
 * proportion to edges and own names.
 */
public final class IndexSnapshot {
  private IndexSnapshot() {}

  // ------ writing

  /**
   * Writes a snapshot. It is made beside its place, forced to the disk, and then moved there in one
   * step: if anything fails, what was there before still is.
   *
   * @param index not closed; what forgotten ranks have left in it is taken away first
   * @param file to be made or replaced; readable by its owner only where the file system knows
   *     owners
   * @return length of the file in bytes
   * @throws UncheckedIOException if it cannot be written
   */
  public static long write(final RadixIndex index, final Path file) {
    index.sweepAll();
    final Tree tree = index.tree();
    final SnapshotHeader header = SnapshotHeader.of(tree);
    final Path target = file.toAbsolutePath();
    Path beside = null;
    try {
      beside = Files.createTempFile(target.getParent(), "." + target.getFileName(), ".part");
      try (FileChannel channel = FileChannel.open(beside, StandardOpenOption.WRITE)) {
        new SnapshotWriter(tree, new SnapshotOutput(channel, header), header).write();
        channel.force(true);
      }
      Files.move(
          beside, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      beside = null;
    } catch (final IOException e) {
      throw unwritable(file, e);
    } catch (final UncheckedIOException e) {
      throw unwritable(file, e.getCause());
    } finally {
      deleteIfThere(beside);
    }
    return header.fileLength();
  }

  private static UncheckedIOException unwritable(final Path file, final IOException cause) {
    return new UncheckedIOException("snapshot cannot be written: file=" + file, cause);
  }

  private static void deleteIfThere(final Path beside) {
    if (beside != null) {
      try {
        Files.deleteIfExists(beside);
      } catch (final IOException e) {
        throw unwritable(beside, e);
      }
    }
  }

  // ------ reading

  /**
   * Makes an index with the content of a snapshot.
   *
   * @param builder of the new index; capacities that it leaves open are those of the index that was
   *     written
   * @return a new index, to be closed by the caller
   * @throws SnapshotException if the file is no whole snapshot; nothing is left allocated then
   * @throws io.kvroute.memory.CapacityExceededException if the content does not fit into the
   *     capacities, or they not into the memory; nothing is left allocated then
   * @throws UncheckedIOException if the file cannot be read
   */
  public static RadixIndex restore(final Path file, final RadixIndexBuilder builder) {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      return restore(SnapshotInput.verified(channel), builder);
    } catch (final IOException e) {
      throw unreadable(file, e);
    } catch (final UncheckedIOException e) {
      throw unreadable(file, e.getCause());
    }
  }

  private static RadixIndex restore(final SnapshotInput input, final RadixIndexBuilder builder) {
    final RadixIndex index = builder.buildFor(input.header());
    boolean whole = false;
    try {
      index.load(input);
      whole = true;
      return index;
    } finally {
      if (!whole) {
        index.close();
      }
    }
  }

  /**
   * Checks that a file is whole, as far as its checksums say so, and tells what is in it.
   *
   * @throws SnapshotException if it is no whole snapshot
   * @throws UncheckedIOException if it cannot be read
   */
  public static SnapshotInfo info(final Path file) {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      return SnapshotInfo.of(SnapshotInput.verified(channel).header());
    } catch (final IOException e) {
      throw unreadable(file, e);
    } catch (final UncheckedIOException e) {
      throw unreadable(file, e.getCause());
    }
  }

  private static UncheckedIOException unreadable(final Path file, final IOException cause) {
    return new UncheckedIOException("snapshot cannot be read: file=" + file, cause);
  }

  /**
   * Replaces what one worker holds in an index by what it holds in a snapshot, and leaves all other
   * workers as they are. Restores the snapshot beside the index for that, in memory that is given
   * back.
   *
   * @throws SnapshotException if the file is no whole snapshot; the index stays as it was
   * @throws UncheckedIOException if the file cannot be read; the index stays as it was
   * @throws io.kvroute.memory.CapacityExceededException if there is no memory to restore it, and
   *     then the index stays as it was; or as {@link RadixIndex#replaceWorker} throws it
   */
  public static void replaceWorker(final RadixIndex index, final long workerId, final Path file) {
    try (RadixIndex restored = restore(file, info(file).fitting())) {
      index.replaceWorker(workerId, listener -> restored.dumpWorker(workerId, listener));
      markApproximate(index.tree().ranks, workerId, restored.tree().ranks);
    }
  }

  /** What was not known when the snapshot was written is not known now. */
  private static void markApproximate(final Ranks ranks, final long workerId, final Ranks written) {
    for (int i = 0; i < ranks.used(); i++) {
      final int rank = ranks.sorted(i);
      final int other =
          ranks.workerId(rank) == workerId
              ? written.find(workerId, ranks.dpRank(rank))
              : Ranks.NONE;
      if (other != Ranks.NONE && written.isApproximate(other)) {
        ranks.setApproximate(rank, true);
      }
    }
  }
}
