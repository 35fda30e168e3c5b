package io.kvroute.hash;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

class BlockHashesTest {
  private static final BlockHashOptions PLAIN = BlockHashOptions.DEFAULT;

  private static final int[] ONE_TO_FOUR = {1, 2, 3, 4};

  private static long[] unsigned(final String... decimals) {
    return Arrays.stream(decimals).mapToLong(Long::parseUnsignedLong).toArray();
  }

  private static long unsigned(final String decimal) {
    return Long.parseUnsignedLong(decimal);
  }

  private static int[] upTo(final int end) {
    return IntStream.range(0, end).toArray();
  }

  private static int[] oneTo(final int last) {
    return IntStream.rangeClosed(1, last).toArray();
  }

  private static long[] mmHashes(final int[] tokens, final BlockExtraInfo... infos) {
    return BlockHashes.computeBlockHashForSeq(
        tokens, 4, PLAIN.withBlockMmInfos(Arrays.asList(infos)));
  }

  @Test
  void shouldPadMultimodalHashWithItsLowThirtyBits() {
    assertEquals(1_000_000, BlockHashes.MM_PAD_SHIFT_VALUE);
    assertEquals((1L << 30) - 1, BlockHashes.MM_PAD_HASH_MASK);
    assertEquals(1_000_000, BlockHashes.padValueForMmHash(0));
    assertEquals(1_000_042, BlockHashes.padValueForMmHash(42));
    assertEquals(1_000_000 + (1 << 30) - 1, BlockHashes.padValueForMmHash((1L << 30) - 1));
    assertEquals(1_000_000 + 0xCAFE, BlockHashes.padValueForMmHash((1L << 30) | 0xCAFE));
    assertEquals(1_000_000 + (1 << 30) - 1, BlockHashes.padValueForMmHash(-1));
  }

  @Test
  void shouldHashRawBytesWithTheBlockSeed() {
    assertEquals(1337, BlockHashes.XXH3_SEED);
    assertEquals(
        unsigned("13226331709069118873"),
        BlockHashes.computeBlockHash("test data".getBytes(StandardCharsets.US_ASCII)));
    assertEquals(unsigned("15128690059815094969"), BlockHashes.computeBlockHash(new byte[0]));
  }

  @ParameterizedTest
  @ValueSource(ints = {11, 32, 64})
  void shouldHashWholeBlocksOnly(final int blockSize) {
    assertEquals(1, BlockHashes.computeBlockHashForSeq(upTo(blockSize), blockSize, PLAIN).length);
    assertEquals(
        1, BlockHashes.computeBlockHashForSeq(upTo(blockSize + 1), blockSize, PLAIN).length);
    assertEquals(
        2, BlockHashes.computeBlockHashForSeq(upTo(2 * blockSize + 1), blockSize, PLAIN).length);
  }

  @Test
  void shouldChainFromTheFirstLocalHash() {
    final long[] chain = BlockHashes.computeSeqHashForBlock(new long[] {11, 22, 33});
    assertEquals(11, chain[0]);
    assertEquals(BlockHashes.computeNextSeqHash(chain[0], 22), chain[1]);
    assertEquals(BlockHashes.computeNextSeqHash(chain[1], 33), chain[2]);
    assertArrayEquals(unsigned("11", "750553365844651409", "3257565445809651757"), chain);
    assertEquals(0, BlockHashes.computeSeqHashForBlock(new long[0]).length);
  }

  @Test
  void shouldChainHashesWithTheTopBitSet() {
    assertEquals(
        unsigned("7967753274610146675"), BlockHashes.computeNextSeqHash(-1, Long.MIN_VALUE));
  }

  @Test
  void shouldGiveTheKnownHashesOfTwelveTokens() {
    final long[] locals = BlockHashes.computeBlockHashForSeq(oneTo(12), 4, PLAIN);
    assertArrayEquals(
        unsigned("14643705804678351452", "16777012769546811212", "483935686894639516"), locals);
    assertArrayEquals(
        unsigned("14643705804678351452", "4945711292740353085", "12583592247330656132"),
        BlockHashes.computeSeqHashForBlock(locals));
  }

  @Test
  void shouldTellEqualBlocksApartByTheirPlaceInTheChain() {
    final int[] tokens = new int[12];
    Arrays.fill(tokens, 7);
    final long[] locals = BlockHashes.computeBlockHashForSeq(tokens, 4, PLAIN);
    final String same = "16259602842512645169";
    assertArrayEquals(unsigned(same, same, same), locals);
    assertArrayEquals(
        unsigned(same, "9812067070305159075", "14627771026779570828"),
        BlockHashes.computeSeqHashForBlock(locals));
    final long[] single =
        BlockHashes.computeSeqHashForBlock(
            BlockHashes.computeBlockHashForSeq(new int[] {5, 5, 5}, 1, PLAIN));
    assertEquals(3, Arrays.stream(single).distinct().count());
  }

  @Test
  void shouldGiveEachAdapterItsOwnHashes() {
    final int[] tokens = upTo(4);
    final long base = BlockHashes.computeBlockHashForSeq(tokens, 4, PLAIN)[0];
    final long a = loraHash(tokens, "adapter-a");
    final long b = loraHash(tokens, "adapter-b");
    assertNotEquals(base, a);
    assertNotEquals(base, b);
    assertNotEquals(a, b);
  }

  private static long loraHash(final int[] tokens, final String name) {
    return BlockHashes.computeBlockHashForSeq(tokens, 4, PLAIN.withLoraName(name))[0];
  }

  @ParameterizedTest
  @NullAndEmptySource
  void shouldTreatAnEmptyAdapterNameAsNone(final String name) {
    assertEquals(unsigned("9143094415614847814"), loraHash(upTo(4), name));
    assertEquals(BlockHashes.computeBlockHashForSeq(upTo(4), 4, PLAIN)[0], loraHash(upTo(4), name));
    assertEquals(HashSeed.BLOCK, HashSeed.ofLora(name));
  }

  @ParameterizedTest
  @CsvSource({
    "adapter-a, 8842669519798868182, 6665157333201000639",
    "adapter-b, 6456551074960804278, 10757640529385508180",
    "adapter-\u00e9, 9518716478474072546, 12019285670217251897"
  })
  void shouldSeedWithTheUtf8BytesOfTheAdapterName(
      final String name, final String seed, final String hash) {
    assertEquals(seed, Long.toUnsignedString(HashSeed.ofLora(name).value()));
    assertEquals(hash, Long.toUnsignedString(loraHash(upTo(4), name)));
  }

  @Test
  void shouldGiveTheKnownAdapterHashOfOneToFour() {
    assertEquals(unsigned("11381080598872079209"), loraHash(ONE_TO_FOUR, "adapter-a"));
  }

  @Test
  void shouldHashEagleWindowsOfOneTokenMore() {
    final BlockHashOptions eagle = PLAIN.withEagle(true);
    final long[] plain = BlockHashes.computeBlockHashForSeq(upTo(6), 2, PLAIN);
    final long[] windows = BlockHashes.computeBlockHashForSeq(upTo(6), 2, eagle);
    assertEquals(3, plain.length);
    assertEquals(2, windows.length);
    assertArrayEquals(
        new long[] {
          BlockHashes.computeBlockHashForSeq(new int[] {0, 1, 2}, 2, eagle)[0],
          BlockHashes.computeBlockHashForSeq(new int[] {2, 3, 4}, 2, eagle)[0]
        },
        windows);
    assertNotEquals(plain[0], windows[0]);
    assertArrayEquals(unsigned("11646242937812223497", "9948816348502404300"), windows);
    assertArrayEquals(
        unsigned("1914873892905420881", "1929047464662796003"),
        BlockHashes.computeBlockHashForSeq(oneTo(9), 4, eagle));
  }

  @Test
  void shouldAppendMultimodalHashesSortedAsUnsigned() {
    final long sorted = unsigned("1166420050716897021");
    assertEquals(sorted, mmHashes(ONE_TO_FOUR, HashVectors.info(Long.MIN_VALUE, 1))[0]);
    assertEquals(sorted, mmHashes(ONE_TO_FOUR, HashVectors.info(1, Long.MIN_VALUE))[0]);
  }

  @Test
  void shouldKeepEqualMultimodalHashesApart() {
    assertEquals(unsigned("14000361058806882387"), mmHashes(ONE_TO_FOUR, HashVectors.info(42))[0]);
    assertEquals(
        unsigned("8640070372475032416"), mmHashes(ONE_TO_FOUR, HashVectors.info(42, 42))[0]);
  }

  @Test
  void shouldHashBlocksWithoutMultimodalObjectsAsText() {
    final long text = unsigned("14643705804678351452");
    assertEquals(text, mmHashes(ONE_TO_FOUR)[0]);
    assertEquals(text, mmHashes(ONE_TO_FOUR, HashVectors.info())[0]);
    assertEquals(text, mmHashes(ONE_TO_FOUR, (BlockExtraInfo) null)[0]);
  }

  @Test
  void shouldTakeAListOfMultimodalObjectsOfAnyLength() {
    final long mixed = unsigned("14000361058806882387");
    final long second = unsigned("16777012769546811212");
    assertArrayEquals(new long[] {mixed, second}, mmHashes(oneTo(8), HashVectors.info(42)));
    assertArrayEquals(
        new long[] {mixed, second},
        mmHashes(oneTo(9), HashVectors.info(42), null, HashVectors.info(43)));
  }

  @Test
  void shouldNotMixPlaceholderOffsetsIntoTheHash() {
    final BlockExtraInfo elsewhere =
        new BlockExtraInfo(List.of(new BlockMmObjectInfo(42, List.of(new MmRange(1, 3)))));
    assertEquals(
        mmHashes(ONE_TO_FOUR, HashVectors.info(42))[0], mmHashes(ONE_TO_FOUR, elsewhere)[0]);
  }

  @Test
  void shouldHashTheSameBytesWhicheverWayTheyWereWritten() {
    final long expected = unsigned("14643705804678351452");
    final ByteBuffer little = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
    final ByteBuffer bigOrder = ByteBuffer.allocate(16);
    final UnsafeBuffer agrona = new UnsafeBuffer(new byte[16]);
    for (int i = 0; i < 4; i++) {
      little.putInt(4 * i, ONE_TO_FOUR[i]);
      bigOrder.putInt(4 * i, Integer.reverseBytes(ONE_TO_FOUR[i]));
      agrona.putInt(4 * i, ONE_TO_FOUR[i], ByteOrder.LITTLE_ENDIAN);
    }
    assertEquals(expected, single(TokenView.of(ONE_TO_FOUR)));
    assertEquals(expected, single(new TokenView().wrap(little, 0, 4)));
    assertEquals(expected, single(new TokenView().wrap(bigOrder, 0, 4)));
    assertEquals(expected, single(new TokenView().wrap(agrona, 0, 4)));
    final ByteBuffer bigEndianTokens = ByteBuffer.allocate(16);
    Arrays.stream(ONE_TO_FOUR).forEach(bigEndianTokens::putInt);
    assertEquals(
        unsigned("6969880179676927648"),
        single(new TokenView().wrap(bigEndianTokens, 0, 4)),
        "what tokens written the wrong way round hash to");
  }

  private static long single(final TokenView view) {
    final long[] out = new long[1];
    BlockHasher.of(4).localHashes(view, 0, 1, out, 0);
    return out[0];
  }

  @Test
  void shouldHashTokensWithAllBitsSet() {
    assertEquals(
        unsigned("12410542959481710713"),
        BlockHashes.computeBlockHashForSeq(new int[] {-1, -1, -1, -1}, 4, PLAIN)[0]);
  }

  @ParameterizedTest
  @ValueSource(strings = {"t1", "t2"})
  void shouldNotLetALoraNameStandForASalt(final String name) {
    // Salts are not part of the hash: what a salted producer stores must be kept out by its event.
    final long[] plain = BlockHashes.computeBlockHashForSeq(oneTo(8), 4, PLAIN);
    final long[] named = BlockHashes.computeBlockHashForSeq(oneTo(8), 4, PLAIN.withLoraName(name));
    assertNotEquals(plain[0], named[0]);
    assertNotEquals(plain[1], named[1]);
  }

  @Test
  void shouldCopyTheListsOfItsOptions() {
    final BlockExtraInfo[] infos = {HashVectors.info(42)};
    final BlockHashOptions options = PLAIN.withBlockMmInfos(Arrays.asList(infos));
    infos[0] = null;
    assertEquals(HashVectors.info(42), options.blockMmInfos().get(0));
    assertThrows(
        UnsupportedOperationException.class,
        () -> options.withLoraName("x").blockMmInfos().add(null));
    assertNull(options.withBlockMmInfos(null).blockMmInfos());
  }
}
