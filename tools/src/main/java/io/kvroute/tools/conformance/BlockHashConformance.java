package io.kvroute.tools.conformance;

import io.kvroute.hash.BlockHashes;
import io.kvroute.hash.Xxh3;
import io.kvroute.tools.hash.HashCase;
import io.kvroute.tools.hash.HashCaseHandler;
import io.kvroute.tools.hash.HashCaseReader;
import io.kvroute.tools.hash.Xxh3Case;
import io.kvroute.tools.io.InputFiles;
import io.kvroute.tools.io.JsonInput;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Checks hashes against block-hash vectors: an object with {@code xxh3} (plain hashes of bytes) and
 * {@code sequences} (block and sequence hashes of prompts). A case agrees if this build and
 * Zero-Allocation-Hashing, the reference implementation, both compute what the file says.
 */
public final class BlockHashConformance implements GoldenChecker {
  private static final String KIND = "block-hash-vectors";

  /** Makes a checker. */
  public BlockHashConformance() {}

  @Override
  public boolean recognises(final Path file) throws IOException {
    return JsonTree.fieldNames(file).containsAll(List.of("xxh3", "sequences"));
  }

  @Override
  public GoldenResult check(final Path file) throws IOException {
    final Tally tally = new Tally();
    final String name = file.toString();
    try (JsonInput json = JsonInput.of(name, InputFiles.open(name))) {
      HashCaseReader.readAll(json, new Checks(tally, ReferenceHashes.isAvailable()));
    }
    return tally.result(
        ReferenceHashes.isAvailable()
            ? KIND
            : KIND + " (by this build alone: this JVM denies memory access to the reference)");
  }

  private static final class Checks implements HashCaseHandler {
    private final Tally tally;
    private final boolean withReference;
    private int xxh3Cases;

    private Checks(final Tally tally, final boolean withReference) {
      this.tally = tally;
      this.withReference = withReference;
    }

    @Override
    public void onXxh3(final Xxh3Case each) {
      final String what = "xxh3[" + xxh3Cases++ + ']';
      final byte[] input = each.input();
      final long expected = each.expected();
      final long found = Xxh3.hash(input, 0, input.length, each.seed());
      final long reference = withReference ? ReferenceHashes.xxh3(input, each.seed()) : expected;
      if (found != expected) {
        disagree(what, "this build", Long.toUnsignedString(expected), Long.toUnsignedString(found));
      } else if (reference != expected) {
        disagree(
            what,
            "the reference",
            Long.toUnsignedString(expected),
            Long.toUnsignedString(reference));
      } else {
        tally.agree();
      }
    }

    @Override
    public void onCase(final HashCase each) {
      final long[] blocks = each.computeBlockHashes();
      final long[] chain = BlockHashes.computeSeqHashForBlock(blocks);
      final long[] referenceBlocks = withReference ? ReferenceHashes.blockHashes(each) : blocks;
      final long[] referenceChain =
          withReference ? ReferenceHashes.sequenceHashes(referenceBlocks) : chain;
      final boolean agrees =
          same(each, "block_hashes", "this build", each.blockHashes(), blocks)
              && same(each, "sequence_hashes", "this build", each.sequenceHashes(), chain)
              && same(each, "block_hashes", "the reference", each.blockHashes(), referenceBlocks)
              && same(
                  each, "sequence_hashes", "the reference", each.sequenceHashes(), referenceChain);
      if (agrees) {
        tally.agree();
      }
    }

    private boolean same(
        final HashCase each,
        final String field,
        final String who,
        final long[] expected,
        final long[] found) {
      if (expected != null && Arrays.equals(expected, found)) {
        return true;
      }
      disagree(each.name() + ' ' + field, who, printed(expected), printed(found));
      return false;
    }

    private void disagree(
        final String what, final String who, final String expected, final String found) {
      tally.disagree(what + " by " + who + ": expected=" + expected + " found=" + found);
    }

    private static String printed(final long[] hashes) {
      if (hashes == null) {
        return "nothing";
      }
      return Arrays.toString(
          Arrays.stream(hashes).mapToObj(Long::toUnsignedString).toArray(String[]::new));
    }
  }
}
