package io.kvroute.index;

import static io.kvroute.index.EdgeLayout.PART;
import static io.kvroute.index.EdgeLayout.PARTS;
import static io.kvroute.index.EdgeLayout.WORD;
import static io.kvroute.index.EdgeLayout.WORDS;
import static io.kvroute.index.HolderLayout.PART_COLUMN;
import static io.kvroute.index.HolderLayout.PART_CUTOFF;
import static io.kvroute.index.HolderLayout.PART_LENGTH;

import io.kvroute.memory.Arena;
import io.kvroute.memory.Region;
import io.kvroute.memory.RunStore;
import io.kvroute.memory.SequenceLock;

/**
 * Which holder columns hold which edge. A column holds a prefix of an edge: all of it (a bit), a
 * part (an entry with its length), or nothing. Whoever would make this untrue splits the edge
 * first.
 */
final class Holders {
  private final Edges edges;
  private final Region records;
  private final RunStore runs;
  private final Region runBytes;
  private final SequenceLock lock;

  Holders(final Arena arena, final Edges edges, final long units, final SequenceLock lock) {
    this.edges = edges;
    this.lock = lock;
    this.records = edges.records();
    this.runs = new RunStore(arena, "index holder runs", units);
    this.runBytes = runs.region();
  }

  void free(final Arena arena) {
    runs.free(arena);
  }

  RunStore runs() {
    return runs;
  }

  // ------ words of full holders

  int words(final int edge) {
    return records.getInt(Edges.offset(edge) + WORDS);
  }

  /** Number of the word {@code i} of the full holders; ascending. */
  int wordIndex(final int edge, final int i) {
    final long record = Edges.offset(edge);
    final int word = records.getInt(record + WORD);
    return records.getInt(record + WORDS) == 1
        ? word
        : runBytes.getInt(wordOffset(word, i) + HolderLayout.WORD_INDEX);
  }

  /** Bits of the word {@code i} of the full holders; not 0. */
  long wordBits(final int edge, final int i) {
    final long record = Edges.offset(edge);
    return records.getInt(record + WORDS) == 1
        ? records.getLong(record + EdgeLayout.WORD_BITS)
        : runBytes.getLong(wordOffset(records.getInt(record + WORD), i) + HolderLayout.WORD_BITS);
  }

  private static long wordOffset(final int run, final int i) {
    return RunStore.offset(run) + (long) i * HolderLayout.WORD_LENGTH;
  }

  /** The bits of the columns from {@code wordIndex * 64} on that hold all of the edge. */
  long bits(final int edge, final int wordIndex) {
    final int count = words(edge);
    for (int i = 0; i < count; i++) {
      if (wordIndex(edge, i) == wordIndex) {
        return wordBits(edge, i);
      }
    }
    return 0;
  }

  boolean isFull(final int edge, final int column) {
    return (bits(edge, column >>> 6) >>> column & 1) != 0;
  }

  int fullCount(final int edge) {
    final int count = words(edge);
    int full = 0;
    for (int i = 0; i < count; i++) {
      full += Long.bitCount(wordBits(edge, i));
    }
    return full;
  }

  /** True if no column but {@code column} holds all of the edge. */
  boolean noOtherFull(final int edge, final int column) {
    final int count = words(edge);
    if (count != 1) {
      return count == 0;
    }
    return wordIndex(edge, 0) == column >>> 6 && (wordBits(edge, 0) & ~(1L << column)) == 0;
  }

  // ------ partial holders

  int parts(final int edge) {
    return records.getInt(Edges.offset(edge) + PARTS);
  }

  int partColumn(final int edge, final int i) {
    return runBytes.getInt(partOffset(edge, i) + PART_COLUMN);
  }

  int partCutoff(final int edge, final int i) {
    return runBytes.getInt(partOffset(edge, i) + PART_CUTOFF);
  }

  private long partOffset(final int edge, final int i) {
    return RunStore.offset(records.getInt(Edges.offset(edge) + PART)) + (long) i * PART_LENGTH;
  }

  private int partOf(final int edge, final int column) {
    final int count = parts(edge);
    for (int i = 0; i < count; i++) {
      if (partColumn(edge, i) == column) {
        return i;
      }
    }
    return Edges.NONE;
  }

  // ------ for look-ups, which may run beside a change; no offset is out of bounds

  /** Where the words of full holders of an edge are, {@code count} of them; negative if nowhere. */
  long wordsOffset(final int edge, final int count) {
    final long record = Edges.offset(edge);
    if (count <= 1) {
      return record + EdgeLayout.WORD_BITS;
    }
    final int run = records.getInt(record + WORD);
    return run >= 0 && run + (long) count <= runs.unitCount() ? RunStore.offset(run) : Edges.NONE;
  }

  /** The first word from {@code i} on that is not before {@code wordIndex}, or {@code count}. */
  int skipTo(final long offset, final int i, final int count, final int wordIndex) {
    int at = offset < 0 ? count : i;
    while (at < count && indexAt(offset, at, count) < wordIndex) {
      at++;
    }
    return at;
  }

  /** The bits of {@code wordIndex}, if that is the word {@code i}; else 0. */
  long bitsAt(final long offset, final int i, final int count, final int wordIndex) {
    if (i == count || indexAt(offset, i, count) != wordIndex) {
      return 0;
    }
    return count == 1
        ? records.getLong(offset)
        : runBytes.getLong(offset + (long) i * HolderLayout.WORD_LENGTH + HolderLayout.WORD_BITS);
  }

  private int indexAt(final long offset, final int i, final int count) {
    return count == 1
        ? records.getInt(offset - EdgeLayout.WORD_BITS + WORD)
        : runBytes.getInt(offset + (long) i * HolderLayout.WORD_LENGTH + HolderLayout.WORD_INDEX);
  }

  /** Where the partial holders of an edge are, {@code count} of them; negative if nowhere. */
  long partsOffset(final int edge, final int count) {
    final int run = records.getInt(Edges.offset(edge) + PART);
    return run >= 0 && run + (long) partUnits(count) <= runs.unitCount()
        ? RunStore.offset(run)
        : Edges.NONE;
  }

  int partColumnAt(final long offset, final int i) {
    return runBytes.getInt(offset + (long) i * PART_LENGTH + PART_COLUMN);
  }

  int partCutoffAt(final long offset, final int i) {
    return runBytes.getInt(offset + (long) i * PART_LENGTH + PART_CUTOFF);
  }

  // ------ questions

  /** How many leading blocks of the edge a column holds. */
  int coverage(final int edge, final int column) {
    if (isFull(edge, column)) {
      return edges.count(edge);
    }
    final int part = partOf(edge, column);
    return part == Edges.NONE ? 0 : partCutoff(edge, part);
  }

  boolean isHeld(final int edge) {
    return words(edge) != 0 || parts(edge) != 0;
  }

  /** How many leading blocks of the edge any column holds. */
  int maxCoverage(final int edge) {
    if (words(edge) != 0) {
      return edges.count(edge);
    }
    final int count = parts(edge);
    int max = 0;
    for (int i = 0; i < count; i++) {
      max = Math.max(max, partCutoff(edge, i));
    }
    return max;
  }

  /**
   * True if the columns that hold anything of {@code edge} are exactly the full ones of the parent.
   */
  boolean agreeWithParent(final int edge, final int parent) {
    final int parts = parts(edge);
    if (fullCount(edge) + parts != fullCount(parent)) {
      return false;
    }
    final int words = words(edge);
    for (int i = 0; i < words; i++) {
      if ((wordBits(edge, i) & ~bits(parent, wordIndex(edge, i))) != 0) {
        return false;
      }
    }
    for (int i = 0; i < parts; i++) {
      if (!isFull(parent, partColumn(edge, i))) {
        return false;
      }
    }
    return true;
  }

  /**
   * At least the units that a change of one column's coverage and one split of the edge can need.
   */
  int unitsToChange(final int edge) {
    final int words = words(edge);
    final int parts = parts(edge);
    final int all = words + parts;
    return 2 * RunStore.roundUp(all + 2) + 2 * RunStore.roundUp(partUnits(parts + 1));
  }

  // ------ changes; the caller has made sure of room for each

  /** Makes a column hold exactly the first {@code coverage} blocks. */
  void setCoverage(final int edge, final int column, final int coverage) {
    lock.beginChange();
    if (coverage == edges.count(edge)) {
      removePart(edge, column);
      addFull(edge, column);
      return;
    }
    removeFull(edge, column);
    final int part = partOf(edge, column);
    if (coverage == 0) {
      removePart(edge, column);
    } else if (part == Edges.NONE) {
      addPart(edge, column, coverage);
    } else {
      runBytes.putInt(partOffset(edge, part) + PART_CUTOFF, coverage);
    }
  }

  private int position(final int edge, final int wordIndex) {
    final int count = words(edge);
    int i = 0;
    while (i < count && wordIndex(edge, i) < wordIndex) {
      i++;
    }
    return i;
  }

  private void addFull(final int edge, final int column) {
    final int wordIndex = column >>> 6;
    final int at = position(edge, wordIndex);
    if (at == words(edge) || wordIndex(edge, at) != wordIndex) {
      insertWord(edge, at, wordIndex, 1L << column);
    } else {
      putBits(edge, at, wordBits(edge, at) | 1L << column);
    }
  }

  private void putBits(final int edge, final int at, final long bits) {
    final long record = Edges.offset(edge);
    if (words(edge) == 1) {
      records.putLong(record + EdgeLayout.WORD_BITS, bits);
    } else {
      runBytes.putLong(
          wordOffset(records.getInt(record + WORD), at) + HolderLayout.WORD_BITS, bits);
    }
  }

  private void insertWord(final int edge, final int at, final int wordIndex, final long bits) {
    final long record = Edges.offset(edge);
    final int count = words(edge);
    if (count == 0) {
      inlineWord(edge, wordIndex, bits);
      return;
    }
    final int old = records.getInt(record + WORD);
    int run = old;
    if (count == 1) {
      run = runs.allocate(2);
      putWord(run, 0, old, records.getLong(record + EdgeLayout.WORD_BITS));
    } else if (RunStore.roundUp(count + 1) > RunStore.roundUp(count)) {
      run = runs.allocate(count + 1);
      copyRun(old, run, count * HolderLayout.WORD_LENGTH);
      runs.free(old, count);
    }
    runBytes.move(
        wordOffset(run, at),
        wordOffset(run, at + 1),
        (long) (count - at) * HolderLayout.WORD_LENGTH);
    putWord(run, at, wordIndex, bits);
    records.putInt(record + WORD, run);
    records.putInt(record + WORDS, count + 1);
  }

  private void inlineWord(final int edge, final int wordIndex, final long bits) {
    final long record = Edges.offset(edge);
    records.putLong(record + EdgeLayout.WORD_BITS, bits);
    records.putInt(record + WORD, wordIndex);
    records.putInt(record + WORDS, 1);
  }

  private void putWord(final int run, final int i, final int wordIndex, final long bits) {
    runBytes.putLong(wordOffset(run, i) + HolderLayout.WORD_BITS, bits);
    runBytes.putInt(wordOffset(run, i) + HolderLayout.WORD_INDEX, wordIndex);
  }

  private void copyRun(final int from, final int to, final int bytes) {
    runBytes.move(RunStore.offset(from), RunStore.offset(to), bytes);
  }

  private void removeFull(final int edge, final int column) {
    removeBits(edge, column >>> 6, 1L << column);
  }

  /** Takes columns out of the full holders, as given by the bits of a word. */
  void removeBits(final int edge, final int wordIndex, final long bits) {
    lock.beginChange();
    final int at = position(edge, wordIndex);
    if (at == words(edge) || wordIndex(edge, at) != wordIndex) {
      return;
    }
    final long rest = wordBits(edge, at) & ~bits;
    if (rest != 0) {
      putBits(edge, at, rest);
    } else {
      removeWord(edge, at);
    }
  }

  private void removeWord(final int edge, final int at) {
    final long record = Edges.offset(edge);
    final int count = words(edge);
    if (count == 1) {
      records.putInt(record + WORDS, 0);
      return;
    }
    final int run = records.getInt(record + WORD);
    runBytes.move(
        wordOffset(run, at + 1),
        wordOffset(run, at),
        (long) (count - at - 1) * HolderLayout.WORD_LENGTH);
    if (count == 2) {
      final long last = wordOffset(run, 0);
      final int wordIndex = runBytes.getInt(last + HolderLayout.WORD_INDEX);
      final long bits = runBytes.getLong(last + HolderLayout.WORD_BITS);
      runs.free(run, 2);
      inlineWord(edge, wordIndex, bits);
      return;
    }
    runs.shrink(run, count, count - 1);
    records.putInt(record + WORDS, count - 1);
  }

  private static int partUnits(final int parts) {
    return RunStore.unitsFor(parts * PART_LENGTH);
  }

  private void addPart(final int edge, final int column, final int cutoff) {
    final long record = Edges.offset(edge);
    final int count = parts(edge);
    growParts(edge, count + 1);
    records.putInt(record + PARTS, count + 1);
    enterPart(edge, count, column, cutoff);
  }

  /** Makes room for more entries; the count stays as it is. */
  private void growParts(final int edge, final int newCount) {
    final long record = Edges.offset(edge);
    final int count = parts(edge);
    final int units = partUnits(newCount);
    if (count != 0 && RunStore.roundUp(units) == RunStore.roundUp(partUnits(count))) {
      return;
    }
    final int run = runs.allocate(units);
    if (count != 0) {
      final int old = records.getInt(record + PART);
      copyRun(old, run, count * PART_LENGTH);
      runs.free(old, partUnits(count));
    }
    records.putInt(record + PART, run);
  }

  private void removePart(final int edge, final int column) {
    final int part = partOf(edge, column);
    if (part != Edges.NONE) {
      removePartAt(edge, part);
    }
  }

  private void removePartAt(final int edge, final int part) {
    final int last = parts(edge) - 1;
    if (part != last) {
      runBytes.move(partOffset(edge, last), partOffset(edge, part), PART_LENGTH);
    }
    truncateParts(edge, last);
  }

  private void truncateParts(final int edge, final int newCount) {
    final long record = Edges.offset(edge);
    final int count = parts(edge);
    if (count == newCount) {
      return;
    }
    final int run = records.getInt(record + PART);
    if (newCount == 0) {
      runs.free(run, partUnits(count));
    } else {
      runs.shrink(run, partUnits(count), partUnits(newCount));
    }
    records.putInt(record + PARTS, newCount);
  }

  /** Makes whoever holds more than the first {@code count} blocks hold those; full holders stay. */
  void truncate(final int edge, final int count) {
    lock.beginChange();
    final int parts = parts(edge);
    for (int i = 0; i < parts; i++) {
      if (partCutoff(edge, i) > count) {
        runBytes.putInt(partOffset(edge, i) + PART_CUTOFF, count);
      }
    }
  }

  /** Turns partial holders that hold all of the edge, which was shortened, into full ones. */
  void promote(final int edge) {
    lock.beginChange();
    final int count = edges.count(edge);
    for (int i = parts(edge) - 1; i >= 0; i--) {
      if (partCutoff(edge, i) == count) {
        final int column = partColumn(edge, i);
        removePartAt(edge, i);
        addFull(edge, column);
      }
    }
  }

  /** Gives the holders of an edge that was split to its parts; {@code front} has none yet. */
  void split(final int edge, final int front) {
    lock.beginChange();
    final int length = edges.count(front);
    final int words = words(edge);
    for (int i = 0; i < words; i++) {
      insertWord(front, i, wordIndex(edge, i), wordBits(edge, i));
    }
    int kept = 0;
    final int parts = parts(edge);
    for (int i = 0; i < parts; i++) {
      final int column = partColumn(edge, i);
      final int cutoff = partCutoff(edge, i);
      if (cutoff < length) {
        addPart(front, column, cutoff);
      } else {
        addFull(front, column);
      }
      if (cutoff > length) {
        enterPart(edge, kept++, column, cutoff - length);
      }
    }
    truncateParts(edge, kept);
  }

  /** Units that {@link #absorb} can need. */
  int unitsToAbsorb(final int edge, final int parent) {
    return parts(parent) == 0 ? 0 : RunStore.roundUp(partUnits(parts(edge) + parts(parent)));
  }

  /**
   * Makes the holders of {@code edge} those of both, before it absorbs its parent, with which it
   * {@linkplain #agreeWithParent agrees}.
   */
  void absorb(final int edge, final int parent) {
    lock.beginChange();
    final int length = edges.count(parent);
    final int own = parts(edge);
    for (int i = 0; i < own; i++) {
      final long offset = partOffset(edge, i) + PART_CUTOFF;
      runBytes.putInt(offset, runBytes.getInt(offset) + length);
    }
    final int parts = parts(parent);
    for (int i = 0; i < parts; i++) {
      addPart(edge, partColumn(parent, i), partCutoff(parent, i));
    }
    drop(parent);
  }

  /**
   * Lays out the holders of an edge that has none; the caller puts all of them, in order. Where no
   * run was ever freed there is room as long as the sum of all runs is no more than the capacity.
   */
  void layOut(final int edge, final int words, final int parts) {
    final long record = Edges.offset(edge);
    if (words > 1) {
      records.putInt(record + WORD, runs.allocate(words));
    }
    records.putInt(record + WORDS, words);
    if (parts > 0) {
      records.putInt(record + PART, runs.allocate(partUnits(parts)));
    }
    records.putInt(record + PARTS, parts);
  }

  /** Puts a word that was {@linkplain #layOut laid out}. */
  void enterWord(final int edge, final int i, final int wordIndex, final long bits) {
    final long record = Edges.offset(edge);
    if (words(edge) == 1) {
      inlineWord(edge, wordIndex, bits);
    } else {
      putWord(records.getInt(record + WORD), i, wordIndex, bits);
    }
  }

  /** Puts a partial holder that was {@linkplain #layOut laid out}. */
  void enterPart(final int edge, final int i, final int column, final int cutoff) {
    final long offset = partOffset(edge, i);
    runBytes.putInt(offset + PART_COLUMN, column);
    runBytes.putInt(offset + PART_CUTOFF, cutoff);
  }

  /** Forgets all holders of an edge. */
  void drop(final int edge) {
    lock.beginChange();
    final long record = Edges.offset(edge);
    final int words = words(edge);
    if (words > 1) {
      runs.free(records.getInt(record + WORD), words);
    }
    records.putInt(record + WORDS, 0);
    truncateParts(edge, 0);
  }
}
