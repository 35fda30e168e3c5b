package io.kvroute.protocol.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.protocol.OverlapScores;
import io.kvroute.protocol.RouterRequest;
import io.kvroute.protocol.RoutingConstraints;
import io.kvroute.protocol.UnsignedInts;
import io.kvroute.protocol.UnsignedLongs;
import io.kvroute.protocol.WorkerWithDpRank;
import io.kvroute.protocol.json.ProtocolJsonException.Kind;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class JsonCodecTest {
  private static final long SEED = 4627;

  @Test
  void shouldReadBackWhatWasWrittenWhenValuesAreRandom() {
    final JsonRandom values = new JsonRandom(SEED);
    for (int i = 0; i < 10_000; i++) {
      roundTrip(values.next(), "seed=" + SEED + " trial=" + i);
    }
  }

  private static <T> void roundTrip(final JsonRandom.Sample<T> sample, final String trace) {
    final String json = sample.codec().write(sample.value());
    assertEquals(sample.value(), sample.codec().read(json), trace);
    assertEquals(json, sample.codec().write(sample.codec().read(json)), trace);
    final byte[] utf8 = ("xx" + json + "y").getBytes(StandardCharsets.UTF_8);
    assertEquals(sample.value(), sample.codec().read(utf8, 2, utf8.length - 3), trace);
  }

  @Test
  void shouldOnlyReadOrRefuseWhenTextsAreMutated() {
    final SplittableRandom random = new SplittableRandom(SEED);
    final JsonRandom values = new JsonRandom(SEED + 1);
    int read = 0;
    int refused = 0;
    for (int i = 0; i < 30_000; i++) {
      final JsonRandom.Sample<?> sample = values.next();
      final String json = mutated(written(sample), random);
      try {
        sample.codec().read(json);
        read++;
      } catch (final ProtocolJsonException e) {
        refused++;
        assertTrue(e.line() > 0 && e.column() > 0, e.getMessage());
      } catch (final RuntimeException e) {
        throw new AssertionError("seed=" + SEED + " trial=" + i + " json=" + json, e);
      }
    }
    assertTrue(read > 500 && refused > 5_000, "read=" + read + " refused=" + refused);
  }

  private static <T> String written(final JsonRandom.Sample<T> sample) {
    return sample.codec().write(sample.value());
  }

  private static String mutated(final String json, final SplittableRandom random) {
    final StringBuilder text = new StringBuilder(json);
    final String pieces = "\"{}[],:01-e.\\u\n tfn\u00e9\ud83d";
    for (int i = random.nextInt(3); i >= 0; i--) {
      final int at = random.nextInt(text.length());
      switch (random.nextInt(4)) {
        case 0 -> text.deleteCharAt(at);
        case 1 -> text.insert(at, pieces.charAt(random.nextInt(pieces.length())));
        case 2 -> text.setCharAt(at, pieces.charAt(random.nextInt(pieces.length())));
        default -> text.insert(at, text.substring(random.nextInt(at + 1), at));
      }
      if (text.isEmpty()) {
        text.append(' ');
      }
    }
    return text.toString();
  }

  @Test
  void shouldNameFieldAndPositionWhenARequiredFieldIsMissing() {
    refused(
        ProtocolJson.ROUTER_EVENT,
        "{\"worker_id\":1,\n \"event\":{\"event_id\":2,\"data\":{\"stored\":{\"blocks\":[\n"
            + "  {\"block_hash\":1}]}}}}",
        Kind.MISSING_FIELD,
        "missing field: field=tokens_hash type=KvCacheStoredBlockData line=3 column=18"
            + " path=/event/data/stored/blocks/0");
    refused(
        ProtocolJson.ROUTER_REQUEST,
        "{\"method\":\"new\"}",
        Kind.MISSING_FIELD,
        "missing field: field=tokens type=RouterRequest::New line=1 column=16 path=");
    refused(
        ProtocolJson.ROUTER_REQUEST,
        "{\"tokens\":[1]}",
        Kind.MISSING_FIELD,
        "missing field: field=method type=RouterRequest line=1 column=14 path=");
  }

  @Test
  void shouldSayWhatIsWrongAndWhere() {
    final JsonCodec<WorkerWithDpRank> codec = ProtocolJson.WORKER_WITH_DP_RANK;
    refused(codec, "{\"worker_id\":1,\"worker_id\":1}", Kind.DUPLICATE_FIELD, "field=worker_id");
    refused(codec, "{\"worker_id\":\"1\"}", Kind.TYPE, "expected=unsigned integer found=string");
    refused(codec, "{\"worker_id\":-1}", Kind.RANGE, "number is negative: value=-1");
    refused(
        codec,
        "{\"worker_id\":18446744073709551616}",
        Kind.RANGE,
        "number does not fit into 64 bits: value=18446744073709551616 line=1 column=14"
            + " path=/worker_id");
    refused(codec, "{\"dp_rank\":4294967296}", Kind.RANGE, "does not fit into 32 bits");
    refused(codec, "[1,2]", Kind.DISGUISE, "struct is an array: type=WorkerWithDpRank");
    refused(codec, "{\"worker_id\":1", Kind.SYNTAX, "malformed json");
    refused(codec, "", Kind.SYNTAX, "text ends before its value line=1 column=1");
    refused(codec, "{\"worker_id\":1,\"dp_rank\":2}\n 3", Kind.SYNTAX, "line=2 column=2");
    refused(
        ProtocolJson.STORAGE_TIER, "\"gpu\"", Kind.UNKNOWN_VARIANT, "name=gpu type=StorageTier");
    refused(
        ProtocolJson.PREFILL_LOAD_HINT,
        "{\"expected_prefill_duration\":{\"weeks\":1}}",
        Kind.UNKNOWN_FIELD,
        "unknown field: field=weeks type=Duration");
  }

  private static void refused(
      final JsonCodec<?> codec, final String json, final Kind kind, final String message) {
    final ProtocolJsonException thrown =
        assertThrows(ProtocolJsonException.class, () -> codec.read(json));
    assertEquals(kind, thrown.kind(), thrown.getMessage());
    assertTrue(thrown.getMessage().contains(message), thrown.getMessage());
  }

  @Test
  void shouldNotRepeatALongTextInAMessage() {
    final String name = "x".repeat(1_000_000);
    final ProtocolJsonException thrown =
        assertThrows(
            ProtocolJsonException.class, () -> ProtocolJson.STORAGE_TIER.read('"' + name + '"'));
    assertTrue(thrown.getMessage().length() < 400, thrown::getMessage);
    final ProtocolJsonException nested =
        assertThrows(
            ProtocolJsonException.class,
            () -> ProtocolJson.WORKER_WITH_DP_RANK.read("{\"" + name + "\":[1,]}"));
    assertTrue(nested.getMessage().length() < 600, nested::getMessage);
  }

  @Test
  void shouldRefuseNestingBeyondTheLimit() {
    final String before = "{\"worker_id\":1,\"dp_rank\":0,\"x\":";
    assertEquals(
        new WorkerWithDpRank(1, 0),
        ProtocolJson.WORKER_WITH_DP_RANK.read(before + nested(JsonIn.MAX_NESTING - 1) + '}'));
    refused(
        ProtocolJson.WORKER_WITH_DP_RANK,
        before + nested(JsonIn.MAX_NESTING) + '}',
        Kind.NESTING,
        "depth=129");
    refused(
        ProtocolJson.WORKER_WITH_DP_RANK, before + nested(1_000_000), Kind.NESTING, "depth=129");
    final String request = "{\"method\":\"mark_free\",\"x\":";
    assertEquals(
        new RouterRequest.MarkFree(null),
        ProtocolJson.ROUTER_REQUEST.read(request + nested(JsonIn.MAX_NESTING_TAGGED - 1) + '}'));
    refused(
        ProtocolJson.ROUTER_REQUEST,
        request + nested(JsonIn.MAX_NESTING_TAGGED) + '}',
        Kind.NESTING,
        "depth=128");
  }

  private static String nested(final int depth) {
    return "[".repeat(depth) + "]".repeat(depth);
  }

  @Test
  void shouldRefuseBytesThatAreNotUtf8() {
    final JsonCodec<RouterRequest> codec = ProtocolJson.ROUTER_REQUEST;
    final byte[] valid =
        "{\"method\":\"mark_free\",\n\"request_id\":\"\u00e9\"}".getBytes(StandardCharsets.UTF_8);
    assertEquals(new RouterRequest.MarkFree("\u00e9"), codec.read(valid, 0, valid.length));
    final int accent = valid.length - 4;
    final byte[] invalid = valid.clone();
    invalid[accent] = (byte) 0xFF;
    final ProtocolJsonException thrown =
        assertThrows(ProtocolJsonException.class, () -> codec.read(invalid, 0, invalid.length));
    assertEquals(Kind.SYNTAX, thrown.kind());
    assertEquals("text is not utf-8: byte=" + accent + " line=2 column=15", thrown.getMessage());
    final byte[] surrogate = {'"', (byte) 0xED, (byte) 0xA0, (byte) 0x80, '"'};
    assertThrows(ProtocolJsonException.class, () -> codec.read(surrogate, 0, surrogate.length));
    final byte[] cut = {'"', (byte) 0xC3};
    assertThrows(ProtocolJsonException.class, () -> codec.read(cut, 0, cut.length));
    final byte[] marked = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF, '1'};
    assertThrows(
        ProtocolJsonException.class,
        () -> ProtocolJson.LOCAL_BLOCK_HASH.read(marked, 0, marked.length));
    assertThrows(IndexOutOfBoundsException.class, () -> codec.read(valid, 1, valid.length));
  }

  @Test
  void shouldRefuseLoneSurrogatesInWhatItKeeps() {
    final JsonCodec<RouterRequest> codec = ProtocolJson.ROUTER_REQUEST;
    final String[] lone = {"\\ud83d", "\\ude00", "\\ud83d\\ud83d\\ude00", "\\ud83dx", "\ud83d"};
    for (final String text : lone) {
      refused(
          codec,
          "{\"method\":\"mark_free\",\"request_id\":\"" + text + "\"}",
          Kind.SYNTAX,
          "surrogate without its partner");
    }
    assertEquals(
        new RouterRequest.MarkFree("\ud83d\ude00"),
        codec.read("{\"method\":\"mark_free\",\"request_id\":\"\\uD83d\\uDe00\"}"));
    assertThrows(
        IllegalArgumentException.class, () -> codec.write(new RouterRequest.MarkFree("a\ud83d")));
  }

  @Test
  void shouldEscapeQuotesBackslashesAndControlCharactersOnly() {
    final String id = "\"\\/\b\f\n\r\t\u0000\u001f\u007f\u00e9\u2028\ufeff\ud83d\ude00";
    assertEquals(
        "{\"method\":\"mark_free\",\"request_id\":\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0000\\u001f"
            + "\u007f\u00e9\u2028\ufeff\ud83d\ude00\"}",
        ProtocolJson.ROUTER_REQUEST.write(new RouterRequest.MarkFree(id)));
  }

  @Test
  void shouldWriteSetsAndMapsInTheOrderOfUtf8Bytes() {
    final RoutingConstraints constraints =
        new RoutingConstraints(
            Set.of("b", "a", "\uffff", "\ud83d\ude00", "aa"),
            Map.of("z", 1f, "\u00e9", -0.0f, "Z", 3e9f));
    assertEquals(
        "{\"required_taints\":[\"a\",\"aa\",\"b\",\"\uffff\",\"\ud83d\ude00\"],"
            + "\"preferred_taints\":{\"Z\":3000000000.0,\"z\":1.0,\"\u00e9\":-0.0}}",
        ProtocolJson.ROUTING_CONSTRAINTS.write(constraints));
  }

  @Test
  void shouldReadAnInfiniteWeightOnlyWhereTheOriginalDoes() {
    refused(
        ProtocolJson.ROUTING_CONSTRAINTS,
        "{\"preferred_taints\":{\"a\":1e39}}",
        Kind.RANGE,
        "32-bit floating-point");
    final RouterRequest.New request =
        (RouterRequest.New)
            ProtocolJson.ROUTER_REQUEST.read(
                "{\"method\":\"new\",\"tokens\":[],"
                    + "\"routing_constraints\":{\"preferred_taints\":{\"a\":1e39}}}");
    assertEquals(
        Map.of("a", Float.POSITIVE_INFINITY), request.routingConstraints().preferredTaints());
  }

  @Test
  void shouldNotWriteScores() {
    final OverlapScores scores =
        new OverlapScores(Map.of(new WorkerWithDpRank(1, 0), 2), UnsignedLongs.of());
    assertThrows(IllegalArgumentException.class, () -> ProtocolJson.OVERLAP_SCORES.write(scores));
    assertEquals(
        "{\"scores\":{},\"frequencies\":[18446744073709551615]}",
        ProtocolJson.OVERLAP_SCORES.write(new OverlapScores(Map.of(), UnsignedLongs.of(-1))));
  }

  @Test
  void shouldReadALongPrompt() {
    final int[] tokens = new SplittableRandom(SEED).ints(200_000).toArray();
    final RouterRequest request = new RouterRequest.New(UnsignedInts.of(tokens));
    assertEquals(
        request, ProtocolJson.ROUTER_REQUEST.read(ProtocolJson.ROUTER_REQUEST.write(request)));
  }

  @Test
  void shouldHaveACodecForEveryType() {
    final Set<String> names = new HashSet<>();
    ProtocolJson.all().forEach(codec -> names.add(codec.name()));
    assertEquals(34, names.size());
    assertEquals(34, ProtocolJson.all().size());
  }
}
