package io.kvroute.hash;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.memory.Arena;
import io.kvroute.memory.Region;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import net.openhft.hashing.LongHashFunction;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class Xxh3Test {
  private static final int MAX_LENGTH = 3200;

  private static long unsigned(final String decimal) {
    return Long.parseUnsignedLong(decimal);
  }

  private static void assertAllEqual(
      final long expected, final Map<String, Long> hashes, final String what) {
    hashes.forEach(
        (form, hash) ->
            assertEquals(
                Long.toUnsignedString(expected),
                Long.toUnsignedString(hash),
                () -> what + " from " + form));
  }

  @Test
  void shouldAgreeWithGoldenVectorsFromEveryKindOfMemory() throws IOException {
    final List<Map<String, Object>> cases = HashVectors.section("xxh3");
    assertTrue(cases.size() >= 200, () -> "cases=" + cases.size());
    for (final Map<String, Object> golden : cases) {
      final byte[] bytes = HexFormat.of().parseHex((String) golden.get("hex"));
      final long seed = unsigned((String) golden.get("seed"));
      final long expected = unsigned((String) golden.get("xxh3_64"));
      final String what = "length=" + bytes.length + " seed=" + golden.get("seed");
      assertAllEqual(expected, MemoryForms.hashes(bytes, HashSeed.of(seed)), what);
      assertEquals(expected, Xxh3.hash(bytes, 0, bytes.length, seed), what);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1337, 1, -1, Long.MIN_VALUE, 0x0123456789ABCDEFL, 0xFEDCBA9876543210L})
  void shouldAgreeWithReferenceImplementationAtEveryLength(final long seed) {
    final Random random = new Random(seed);
    final byte[] bytes = new byte[MAX_LENGTH];
    random.nextBytes(bytes);
    final LongHashFunction reference = LongHashFunction.xx3(seed);
    final HashSeed derived = HashSeed.of(seed);
    final ByteBuffer direct = MemoryForms.direct(bytes, 1);
    for (int length = 0; length <= MAX_LENGTH; length++) {
      final long expected = reference.hashBytes(bytes, 0, length);
      final int atLength = length;
      assertEquals(
          expected, Xxh3.hash(bytes, 0, length, derived), () -> "heap, length=" + atLength);
      assertEquals(
          expected, Xxh3.hash(direct, 1, length, derived), () -> "direct, length=" + atLength);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {17, 64, 129, 240, 241, 256, 1024, 1025, 5000})
  void shouldAgreeWithReferenceImplementationForRandomSeedsAndBytes(final int length) {
    final long randomSeed = 20260731L + length;
    final Random random = new Random(randomSeed);
    final byte[] bytes = new byte[length];
    for (int i = 0; i < 200; i++) {
      final long seed = random.nextLong();
      random.nextBytes(bytes);
      final int round = i;
      assertEquals(
          LongHashFunction.xx3(seed).hashBytes(bytes),
          Xxh3.hash(bytes, 0, length, seed),
          () -> "randomSeed=" + randomSeed + " round=" + round + " length=" + length);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1, 16451421758532862321",
    "3, 11646242937812223497",
    "4, 9143094415614847814",
    "8, 12126819726423666500",
    "16, 15310707395893867146",
    "17, 11423441316381344367",
    "32, 5756925433886871916",
    "33, 2081791232692432502",
    "60, 13886301141173099695",
    "61, 1924516252287165151",
    "64, 3480597578098033343",
    "128, 9509643624113304476",
    "256, 13509048708924160886",
    "1024, 7155924717231313731"
  })
  void shouldHashCountingTokensFromEveryKindOfMemory(final int count, final String expected) {
    final int[] tokens = IntStream.range(0, count).toArray();
    final long hash = unsigned(expected);
    assertAllEqual(
        hash, MemoryForms.hashes(MemoryForms.bytesOf(tokens), HashSeed.BLOCK), "tokens=" + count);
    for (final int at : MemoryForms.OFFSETS) {
      assertEquals(hash, Xxh3.hash(MemoryForms.shifted(tokens, at), at, count, 1337));
    }
  }

  @Test
  void shouldHashNothingFromEveryKindOfMemory() {
    assertAllEqual(
        unsigned("15128690059815094969"),
        MemoryForms.hashes(new byte[0], HashSeed.BLOCK),
        "nothing");
    assertEquals(unsigned("15128690059815094969"), Xxh3.hash(new int[0], 0, 0, 1337));
  }

  @Test
  void shouldGiveUnsignedResultAboveTheSignedRange() {
    final byte[] bytes = "test data".getBytes(StandardCharsets.US_ASCII);
    final long hash = Xxh3.hash(bytes, 0, bytes.length, 1337);
    assertEquals(-5220412364640432743L, hash);
    assertEquals("13226331709069118873", Long.toUnsignedString(hash));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3, 4, 8, 9, 16, 17, 64, 128, 129, 240, 241, 1000, 1024, 2049})
  void shouldHashRegionsAtAnyOffset(final int length) {
    final byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    final long expected = Xxh3.hash(bytes, 0, length, HashSeed.BLOCK);
    try (Arena arena = Arena.ofCapacity(4096)) {
      final Region region = arena.allocate("bytes", length + 8L);
      for (final int at : MemoryForms.OFFSETS) {
        for (int i = 0; i < length; i++) {
          region.putByte(at + i, bytes[i]);
        }
        assertEquals(expected, Xxh3.hash(region, at, length, HashSeed.BLOCK), () -> "at=" + at);
        assertEquals(expected, Xxh3.hash(region, at, length, 1337), () -> "at=" + at);
      }
    }
  }

  @Test
  void shouldMultiplyToTheUpperHalfAlsoWithoutTheInstruction() {
    final Random random = new Random(7);
    final long[] edges = {0, 1, -1, Long.MIN_VALUE, Long.MAX_VALUE, random.nextLong()};
    for (final long a : edges) {
      for (final long b : edges) {
        final long expected =
            new java.math.BigInteger(Long.toUnsignedString(a))
                .multiply(new java.math.BigInteger(Long.toUnsignedString(b)))
                .shiftRight(64)
                .longValue();
        assertEquals(expected, Mix.correctedMultiplyHigh(a, b), () -> a + " * " + b);
        assertEquals(expected ^ (a * b), Mix.fold(a, b), () -> a + " * " + b);
      }
    }
  }

  @Test
  void shouldReverseEachIntForBigEndianMachines() {
    Assumptions.assumeTrue(Mix.LITTLE, "reversing is what makes the bytes right elsewhere");
    final int[] tokens = {0, 1, 0x01020304, -1, 0x80000000, 99};
    final int[] reversed = IntStream.of(tokens).map(Integer::reverseBytes).toArray();
    final long base = org.agrona.UnsafeApi.arrayBaseOffset(int[].class);
    final byte[] copy = SwappedInts.copy(reversed, base + 4, tokens.length - 1);
    assertEquals(
        Xxh3.hash(tokens, 1, tokens.length - 1, 1337), Xxh3.hash(copy, 0, copy.length, 1337));
  }

  @Test
  void shouldShareDerivedSeedsThatEveryoneUses() {
    assertSame(HashSeed.BLOCK, HashSeed.of(1337));
    assertSame(HashSeed.ZERO, HashSeed.of(0));
    assertEquals(1337, HashSeed.BLOCK.value());
    assertEquals(5, HashSeed.of(5).value());
    assertEquals("HashSeed{value=18446744073709551615}", HashSeed.of(-1).toString());
  }

  @Test
  void shouldRefuseSlicesOutsideOfMemory() {
    final ByteBuffer buffer = ByteBuffer.allocate(16).limit(8);
    final UnsafeBuffer agrona = new UnsafeBuffer(new byte[8]);
    assertAll(
        () -> refused(() -> Xxh3.hash(new byte[8], 1, 8, 1337)),
        () -> refused(() -> Xxh3.hash(new byte[8], -1, 4, 1337)),
        () -> refused(() -> Xxh3.hash(new byte[8], 4, -1, 1337)),
        () -> refused(() -> Xxh3.hash(new byte[8], Integer.MAX_VALUE, 8, 1337)),
        () -> refused(() -> Xxh3.hash(new int[8], 1, 8, 1337)),
        () -> refused(() -> Xxh3.hash(buffer, 0, 9, 1337)),
        () -> refused(() -> Xxh3.hash(agrona, 1, 8, 1337)));
  }

  private static void refused(final org.junit.jupiter.api.function.Executable call) {
    final String message = assertThrows(IndexOutOfBoundsException.class, call).getMessage();
    assertTrue(message.contains("capacity=8"), message);
  }
}
