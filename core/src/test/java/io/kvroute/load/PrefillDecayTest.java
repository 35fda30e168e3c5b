package io.kvroute.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.protocol.UnsignedDuration;
import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How the tokens of outstanding prefills become fewer while time goes by. */
final class PrefillDecayTest {
  private static final long SECOND = 1_000_000_000L;

  private final ActiveSequences sequences = ActiveSequences.builder().rankCapacity(1).build();
  private final Booking booking = new Booking();
  private final RankLoad load = new RankLoad();

  @AfterEach
  void close() {
    sequences.close();
  }

  private void begin(final String id, final long tokens, final long expectedNs, final long now) {
    sequences.add(booking.reset().request(id).prefill(tokens, expectedNs), now);
  }

  private void begin(final String id, final long tokens, final long now) {
    sequences.add(booking.reset().request(id).prefill(tokens), now);
  }

  private long tokens(final long now) {
    assertTrue(sequences.rankLoad(0, 0, now, load));
    return load.activePrefillTokens();
  }

  @Test
  void shouldDoTheTokensOfTheOldestPrefillAtItsSpeed() {
    begin("a", 1000, 10 * SECOND, 0);
    assertEquals(1000, tokens(-5));
    assertEquals(1000, tokens(SECOND / 1000));
    assertEquals(900, tokens(SECOND));
    assertEquals(667, tokens(3_333_333_333L));
    assertEquals(1, tokens(10 * SECOND - 1));
    assertEquals(0, tokens(10 * SECOND));
    assertEquals(0, tokens(1000 * SECOND));
    assertEquals(10_000, load.modelledPrefillMs());
    assertEquals(0, load.remainingPrefillMs());
  }

  @Test
  void shouldSpillOverToLaterPrefills() {
    begin("a", 100, SECOND, 0);
    begin("b", 1000, 10 * SECOND, 0);
    assertEquals(900, tokens(2 * SECOND));
    sequences.markPrefillCompleted("a", 3 * SECOND);
    assertEquals(1000, tokens(3 * SECOND));
    assertEquals(950, tokens(3 * SECOND + SECOND / 2));
    assertEquals(9500, load.remainingPrefillMs());
    assertEquals(Booking.keyOf("b"), load.anchorKey());
    assertEquals(3 * SECOND, load.anchorSinceNs());
  }

  @Test
  void shouldOnlyLetTheOldestDecayWhenSomeDurationIsUnknown() {
    begin("a", 7, 3 * SECOND, 0);
    begin("b", 5, 0);
    assertEquals(10, tokens(SECOND));
    assertEquals(9, tokens(SECOND + SECOND / 2));
    assertEquals(5, tokens(3 * SECOND));
    assertEquals(5, tokens(300 * SECOND));
    assertEquals(-1, load.remainingPrefillMs());
    assertEquals(1, load.unmodelledPrefills());
    sequences.markPrefillCompleted("a", 4 * SECOND);
    assertEquals(5, tokens(300 * SECOND));
  }

  @Test
  void shouldMoveTheOldestOnWhenALaterOneIsDone() {
    begin("a", 1000, 10 * SECOND, 0);
    begin("b", 500, 2 * SECOND, 0);
    begin("c", 500, 9 * SECOND, 0);
    sequences.markPrefillCompleted("b", 6 * SECOND);
    assertEquals(1100, tokens(6 * SECOND));
    assertEquals(2 * SECOND, load.anchorSinceNs());
    sequences.markPrefillCompleted("c", 7 * SECOND);
    assertEquals(1000, tokens(7 * SECOND));
    assertEquals(7 * SECOND, load.anchorSinceNs());
  }

  @Test
  void shouldNotMoveTheOldestOnWhenALaterOneOfUnknownDurationIsDone() {
    begin("a", 1000, 10 * SECOND, 0);
    begin("b", 500, 0);
    sequences.markPrefillCompleted("b", 6 * SECOND);
    assertEquals(400, tokens(6 * SECOND));
    assertEquals(0, load.anchorSinceNs());
  }

  @Test
  void shouldTakeAnExpectedDurationOfNothingAsDoneAtOnce() {
    begin("a", 300, 0, 0);
    assertEquals(0, tokens(0));
    begin("b", 200, 4 * SECOND, 0);
    assertEquals(200, tokens(5 * SECOND));
    begin("c", 100, 0);
    assertEquals(300, tokens(5 * SECOND));
  }

  @Test
  void shouldCutEachDurationToWholeMilliseconds() {
    begin("a", 1, 1_999_999, 0);
    begin("b", 1, 2_999_999, 0);
    tokens(999_999);
    assertEquals(3, load.modelledPrefillMs());
    assertEquals(3, load.remainingPrefillMs());
    tokens(1_000_000);
    assertEquals(2, load.remainingPrefillMs());
  }

  @Test
  void shouldDivideProductsOfMoreThan64Bits() {
    final Random random = new Random(5);
    for (int i = 0; i < 2000; i++) {
      final long tokens = 1 + (random.nextLong() >>> (21 + random.nextInt(42)));
      final long expected = 1 + (random.nextLong() >>> (2 + random.nextInt(60)));
      final long elapsed = random.nextLong() >>> (1 + random.nextInt(62));
      begin("a", tokens, expected, 0);
      final BigInteger done =
          BigInteger.valueOf(tokens)
              .multiply(BigInteger.valueOf(elapsed))
              .divide(BigInteger.valueOf(expected));
      assertEquals(
          BigInteger.valueOf(tokens).subtract(done).max(BigInteger.ZERO).longValueExact(),
          tokens(elapsed),
          () -> "tokens=" + tokens + " expected=" + expected + " elapsed=" + elapsed);
      sequences.free("a", 0);
    }
  }

  @Test
  void shouldSaturateTokensAndDurationsThatAreTooLarge() {
    sequences.add(booking.reset().request("a").prefill(-1), 0);
    sequences.add(booking.reset().request("b").prefill(-1), 0);
    assertEquals(2 * Prefills.MAX_TOKENS, tokens(0));
    sequences.free("a", 0);
    sequences.free("b", 0);
    assertEquals(0, tokens(0));
    sequences.add(booking.reset().request("a").prefill(1000, new UnsignedDuration(-1, 0)), 0);
    assertEquals(1000, tokens(SECOND));
    assertEquals(Long.MAX_VALUE / 1_000_000, load.modelledPrefillMs());
    assertThrows(IllegalArgumentException.class, () -> booking.prefill(1, -1L));
  }

  @Test
  void shouldHaveNothingOutstandingOnceAllIsDone() {
    begin("a", 10, SECOND, 5);
    assertTrue(tokens(5) > 0 && load.hasAnchor());
    sequences.markPrefillCompleted("a", 6);
    assertEquals(0, tokens(5));
    assertFalse(load.hasAnchor());
    assertEquals(0, load.remainingPrefillMs());
    assertFalse(sequences.rankLoad(9, 9, 0, load));
  }
}
