package io.kvroute.tools.generate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.tools.io.InputException;
import io.kvroute.tools.trace.MemoryTrace;
import io.kvroute.tools.trace.MooncakeReader;
import io.kvroute.tools.trace.TraceRequest;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GeneratedTraceTest {
  private static final int REQUESTS = 3_000;

  private static MemoryTrace generate(final long seed, final int requests, final long blockSize) {
    try (GeneratedTrace trace = new GeneratedTrace(seed, requests, blockSize)) {
      return MemoryTrace.readAll(trace);
    }
  }

  /** The requests as lines of a Mooncake trace. */
  private static String lines(final MemoryTrace trace) {
    final StringBuilder text = new StringBuilder();
    for (int i = 0; i < trace.size(); i++) {
      final TraceRequest request = trace.request(i);
      text.append("{\"timestamp\":").append(request.timestampMillis());
      text.append(",\"input_length\":").append(request.inputLength());
      text.append(",\"output_length\":").append(request.outputLength());
      text.append(",\"hash_ids\":[");
      for (int j = 0; j < request.idCount(); j++) {
        text.append(j == 0 ? "" : ",").append(Long.toUnsignedString(request.hashId(j)));
      }
      text.append("]}\n");
    }
    return text.toString();
  }

  private static String digest(final MemoryTrace trace) throws NoSuchAlgorithmException {
    final MessageDigest sha = MessageDigest.getInstance("SHA-256");
    return HexFormat.of().formatHex(sha.digest(lines(trace).getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void shouldGiveTheSameBytesOnEveryJdkWhenTheSeedIsTheSame() throws NoSuchAlgorithmException {
    assertEquals(
        "7160d0922d6d3578de0d0661a718bfbdd0615f87fa759c4b5bd21b19df0eb685",
        digest(generate(42, REQUESTS, 512)));
  }

  @Test
  void shouldGiveOtherBytesWhenTheSeedIsAnother() throws NoSuchAlgorithmException {
    assertNotEquals(digest(generate(42, REQUESTS, 512)), digest(generate(43, REQUESTS, 512)));
  }

  @Test
  void shouldBeAPrefixOfTheLongerTraceOfTheSameSeed() {
    assertTrue(lines(generate(7, 200, 512)).startsWith(lines(generate(7, 100, 512))));
  }

  @Test
  void shouldBeReadableAsAMooncakeTrace() {
    for (final long blockSize : new long[] {16, 512, 1000}) {
      final String text = lines(generate(3, 500, blockSize));
      try (MooncakeReader reader =
          MooncakeReader.of(
              "generated",
              new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)),
              blockSize)) {
        assertEquals(text, lines(MemoryTrace.readAll(reader)));
      }
    }
  }

  @Test
  void shouldHoldConversationsToolLoopsAndOneShotsOverSharedSystemPrompts() {
    final MemoryTrace trace = generate(42, REQUESTS, 512);
    final Map<Long, Integer> firstIds = new HashMap<>();
    final Map<Long, Integer> lastIds = new HashMap<>();
    int continued = 0;
    for (int i = 0; i < trace.size(); i++) {
      final TraceRequest request = trace.request(i);
      assertTrue(request.inputLength() <= GeneratedTrace.MAX_PROMPT);
      assertTrue(request.outputLength() > 0);
      firstIds.merge(request.hashId(0), 1, Integer::sum);
      for (int j = 0; j < request.idCount(); j++) {
        if (lastIds.containsKey(request.hashId(j))) {
          continued++;
          break;
        }
      }
      lastIds.put(request.hashId(request.idCount() - 1), i);
    }
    assertEquals(GeneratedTrace.SYSTEM_PROMPTS, firstIds.size());
    assertTrue(continued > REQUESTS / 2 && continued < REQUESTS * 9 / 10, "continued=" + continued);
  }

  @Test
  void shouldLetSessionsOverlapInTime() {
    final MemoryTrace trace = generate(42, REQUESTS, 512);
    long previous = 0;
    int overlapping = 0;
    for (int i = 0; i < trace.size(); i++) {
      assertTrue(trace.request(i).timestampMillis() >= previous);
      previous = trace.request(i).timestampMillis();
      final long busyUntil = previous + trace.request(i).outputLength() * 20L;
      overlapping +=
          i + 1 < trace.size() && trace.request(i + 1).timestampMillis() < busyUntil ? 1 : 0;
    }
    assertTrue(overlapping > REQUESTS / 2, "overlapping=" + overlapping);
  }

  @Test
  void shouldRefuseWhatItCannotGenerate() {
    assertThrows(InputException.class, () -> generate(1, -1, 512));
    assertThrows(InputException.class, () -> generate(1, 1, 0));
    assertThrows(InputException.class, () -> generate(1, 1, GeneratedTrace.MAX_BLOCK_SIZE + 1));
  }

  @Test
  void shouldNotGiveTokensTwiceWhenAllAreUsedUp() {
    final TraceRequest request = new TraceRequest();
    try (GeneratedTrace trace =
        new GeneratedTrace(1, Long.MAX_VALUE, GeneratedTrace.MAX_BLOCK_SIZE)) {
      final InputException e =
          assertThrows(
              InputException.class,
              () -> {
                while (trace.next(request)) {
                  assertTrue(request.hashId(0) < 1L << 16);
                }
              });
      assertTrue(e.getMessage().contains("used up all 2^32 tokens"), e.getMessage());
    }
  }

  @Test
  void shouldShareNothingWhenThereAreNoSharedPromptsAndNoFurtherTurns() {
    final GeneratorSettings settings =
        new GeneratorSettings(5, REQUESTS, 512, Long.MAX_VALUE, 0, 0, 500);
    final MemoryTrace apart;
    try (GeneratedTrace trace = new GeneratedTrace(settings)) {
      apart = MemoryTrace.readAll(trace);
    }
    assertEquals(REQUESTS, apart.size());
    final Map<Long, Integer> seen = new HashMap<>();
    for (int i = 0; i < apart.size(); i++) {
      final TraceRequest request = apart.request(i);
      assertTrue(request.inputLength() > 0);
      for (int j = 0; j < request.idCount(); j++) {
        assertNull(seen.put(request.hashId(j), i), "id=" + request.hashId(j));
      }
    }
  }
}
