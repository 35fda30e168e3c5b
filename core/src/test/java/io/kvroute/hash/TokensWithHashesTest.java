package io.kvroute.hash;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TokensWithHashesTest {
  private static final BlockHashOptions PLAIN = BlockHashOptions.DEFAULT;

  private static int[] upTo(final int end) {
    return IntStream.range(0, end).toArray();
  }

  private static void assertAllDiffer(final long[] a, final long[] b) {
    assertEquals(a.length, b.length);
    for (int i = 0; i < a.length; i++) {
      assertNotEquals(a[i], b[i], "index=" + i);
    }
  }

  @Test
  void shouldComputeHashesOnlyWhenAskedFor() {
    final TokensWithHashes prompt = new TokensWithHashes(upTo(9), 4);
    assertNull(prompt.blockHashes());
    assertNull(prompt.seqHashes());
    final long[] blocks = prompt.getOrComputeBlockHashes();
    assertSame(blocks, prompt.blockHashes());
    assertSame(blocks, prompt.getOrComputeBlockHashes());
    assertNull(prompt.seqHashes());
    final long[] chain = prompt.getOrComputeSeqHashes();
    assertSame(chain, prompt.seqHashes());
    assertSame(chain, prompt.getOrComputeSeqHashes());
    assertSame(blocks, prompt.blockHashes());
    assertArrayEquals(BlockHashes.computeSeqHashForBlock(blocks), chain);
  }

  @Test
  void shouldComputeBlockHashesAlongWithSequenceHashes() {
    final TokensWithHashes prompt = new TokensWithHashes(upTo(9), 4);
    prompt.getOrComputeSeqHashes();
    assertNotNull(prompt.blockHashes());
  }

  @Test
  void shouldTellTokensAndBlockSize() {
    final int[] tokens = upTo(9);
    final TokensWithHashes prompt = new TokensWithHashes(tokens, 4);
    assertSame(tokens, prompt.tokens());
    assertEquals(9, prompt.size());
    assertEquals(4, prompt.blockSize());
    assertFalse(prompt.isEmpty());
    assertNull(prompt.blockMmInfos());
    final TokensWithHashes empty = new TokensWithHashes(new int[0], 4);
    assertTrue(empty.isEmpty());
    assertEquals(0, empty.size());
    assertEquals(0, empty.getOrComputeSeqHashes().length);
  }

  @Test
  void shouldGiveAnAdapterItsOwnHashes() {
    final TokensWithHashes base = new TokensWithHashes(upTo(8), 4);
    final TokensWithHashes lora = new TokensWithHashes(upTo(8), 4).withLoraName("my-adapter");
    assertAllDiffer(base.getOrComputeBlockHashes(), lora.getOrComputeBlockHashes());
  }

  @Test
  void shouldRecomputeWhenTheAdapterChanges() {
    final TokensWithHashes prompt = new TokensWithHashes(upTo(8), 4);
    final long[] before = prompt.getOrComputeSeqHashes();
    prompt.withLoraName("my-adapter");
    assertNull(prompt.blockHashes());
    assertNull(prompt.seqHashes());
    final long[] expected =
        BlockHashes.computeBlockHashForSeq(upTo(8), 4, PLAIN.withLoraName("my-adapter"));
    assertArrayEquals(expected, prompt.getOrComputeBlockHashes());
    assertArrayEquals(BlockHashes.computeSeqHashForBlock(expected), prompt.getOrComputeSeqHashes());
    assertFalse(Arrays.equals(before, prompt.getOrComputeSeqHashes()));
  }

  @Test
  void shouldRecomputeWhenMultimodalObjectsChange() {
    final List<BlockExtraInfo> infos = Arrays.asList(HashVectors.info(42), null);
    final TokensWithHashes prompt = new TokensWithHashes(upTo(4), 2);
    final long[] before = prompt.getOrComputeSeqHashes();
    prompt.withMmInfos(infos);
    assertNull(prompt.blockHashes());
    assertNull(prompt.seqHashes());
    assertEquals(infos, prompt.blockMmInfos());
    final long[] expected =
        BlockHashes.computeBlockHashForSeq(upTo(4), 2, PLAIN.withBlockMmInfos(infos));
    assertArrayEquals(expected, prompt.getOrComputeBlockHashes());
    assertArrayEquals(BlockHashes.computeSeqHashForBlock(expected), prompt.getOrComputeSeqHashes());
    assertFalse(Arrays.equals(before, prompt.getOrComputeSeqHashes()));
  }

  @Test
  void shouldRecomputeWhenTheWindowFormChanges() {
    final TokensWithHashes prompt = new TokensWithHashes(upTo(6), 2);
    final long[] plain = prompt.getOrComputeBlockHashes();
    prompt.getOrComputeSeqHashes();
    prompt.setEagle(true);
    assertNull(prompt.blockHashes());
    assertNull(prompt.seqHashes());
    final long[] eagle = prompt.getOrComputeBlockHashes();
    final BlockHashOptions options = PLAIN.withEagle(true);
    assertEquals(3, plain.length);
    assertArrayEquals(
        new long[] {
          BlockHashes.computeBlockHashForSeq(new int[] {0, 1, 2}, 2, options)[0],
          BlockHashes.computeBlockHashForSeq(new int[] {2, 3, 4}, 2, options)[0]
        },
        eagle);
    assertNotEquals(plain[0], eagle[0]);
    prompt.setEagle(false);
    assertArrayEquals(plain, prompt.getOrComputeBlockHashes());
  }

  @Test
  void shouldKeepHashesWhenTheWindowFormIsSetToWhatItIs() {
    final TokensWithHashes prompt = new TokensWithHashes(upTo(6), 2).withEagle(true);
    final long[] blocks = prompt.getOrComputeBlockHashes();
    final long[] chain = prompt.getOrComputeSeqHashes();
    prompt.setEagle(true);
    assertSame(blocks, prompt.blockHashes());
    assertSame(chain, prompt.seqHashes());
    assertSame(blocks, prompt.withEagle(true).getOrComputeBlockHashes());
  }

  @Test
  void shouldDropHashesWhenTheWindowFormIsSetForTheFirstTime() {
    final TokensWithHashes prompt = new TokensWithHashes(upTo(6), 2);
    final long[] blocks = prompt.getOrComputeBlockHashes();
    prompt.setEagle(false);
    assertNull(prompt.blockHashes());
    assertArrayEquals(blocks, prompt.getOrComputeBlockHashes());
  }
}
