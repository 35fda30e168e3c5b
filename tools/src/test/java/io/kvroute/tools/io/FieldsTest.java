package io.kvroute.tools.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class FieldsTest {

  private static Fields sample() {
    return new Fields()
        .put("count", 12_031)
        .putDecimal("ratio", "0.18900")
        .put("name", "a \"b\"")
        .putHex("fold", -1)
        .putUnsignedTexts("hashes", new long[] {-1, 2})
        .put("flag", true)
        .putNull("nothing")
        .put("workers", List.of(new Fields().put("id", 0), new Fields().put("id", 1)));
  }

  private static Fields parsed(final String text) {
    final byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    try (JsonInput in = JsonInput.ofLine("test", bytes, bytes.length, 1)) {
      in.next();
      return Fields.read(in);
    }
  }

  @Test
  void shouldWriteFieldsInOrderAndNumbersExactly() {
    assertEquals(
        "{\"count\":12031,\"ratio\":0.18900,\"name\":\"a \\\"b\\\"\",\"fold\":\"ffffffffffffffff\","
            + "\"hashes\":[\"18446744073709551615\",\"2\"],\"flag\":true,\"nothing\":null,"
            + "\"workers\":[{\"id\":0},{\"id\":1}]}",
        sample().toJson());
  }

  @Test
  void shouldReadBackWhatWasWritten() {
    assertEquals(sample().toJson(), parsed(sample().toJson()).toJson());
    assertNull(sample().difference(parsed(sample().toJson())));
  }

  @Test
  void shouldAlignNamesWhenWrittenAsText() {
    assertEquals(
        "a    1\nbcd  x\ne.f  2\n",
        new Fields().put("a", 1).put("bcd", "x").put("e", new Fields().put("f", 2)).toText());
  }

  @Test
  void shouldCompareOnlyTheExpectedKeys() {
    assertNull(sample().difference(parsed("{\"ratio\":0.189,\"workers\":[{},{\"id\":1}]}")));
  }

  @Test
  void shouldNameTheKeyWhenValuesDiffer() {
    assertEquals(
        "key=count expected=12030 actual=12031", sample().difference(parsed("{\"count\":12030}")));
    assertEquals(
        "key=workers.1.id expected=7 actual=1",
        sample().difference(parsed("{\"workers\":[{},{\"id\":7}]}")));
    assertEquals(
        "key=workers expected size=1 actual size=2",
        sample().difference(parsed("{\"workers\":[{}]}")));
    assertEquals(
        "key=other expected=1 but it is not in the output",
        sample().difference(parsed("{\"other\":1}")));
    assertEquals(
        "key=count expected=12031 actual=12031",
        sample().difference(parsed("{\"count\":\"12031\"}")));
  }
}
