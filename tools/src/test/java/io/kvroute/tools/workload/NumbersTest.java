package io.kvroute.tools.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class NumbersTest {

  @Test
  void shouldMixAsTheDefinitionSays() {
    assertEquals(0xE220A8397B1DCDAFL, Numbers.mix64(0));
  }

  @Test
  void shouldDrawAsTheDefinitionSays() {
    final Lcg random = new Lcg(0);
    assertEquals(1442695040888963407L >>> 33, random.next());
  }

  @Test
  void shouldFoldAsTheDefinitionSays() {
    assertEquals(0x100000001b3L * 5, Numbers.fold(0, 5));
    final long first = Numbers.fold(0, 1);
    assertEquals((first ^ 7) * first, Numbers.fold(first, 7));
  }

  @Test
  void shouldMakeTokensAsTheDefinitionSays() {
    assertEquals(0, Numbers.tok(0));
    assertEquals(0x9E3779, Numbers.tok(1));
  }
}
