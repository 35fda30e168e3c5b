package io.kvroute.tools.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Locale;
import org.junit.jupiter.api.Test;

class DecimalsTest {

  @Test
  void shouldRoundHalfUpWhenDigitsAreCutOff() {
    assertEquals("0.667", Decimals.ratio(2, 3, 3));
    assertEquals("0.13", Decimals.ratio(1, 8, 2));
    assertEquals("1", Decimals.ratio(1, 2, 0));
    assertEquals("0.000000", Decimals.ratio(1, 3_000_000, 6));
    assertEquals("1000000.0", Decimals.ratio(1_000_000, 1, 1));
  }

  @Test
  void shouldStayExactWhenNumbersAreHuge() {
    assertEquals("1.000000", Decimals.ratio(Long.MAX_VALUE, Long.MAX_VALUE, 6));
    assertEquals("9223372036854775807.00", Decimals.ratio(Long.MAX_VALUE, 1, 2));
  }

  @Test
  void shouldBeZeroWhenThereIsNothingToShare() {
    assertEquals("0.000", Decimals.ratio(0, 0, 3));
    assertEquals("0.00 %", Decimals.percent(0, 0));
  }

  @Test
  void shouldRefuseNegativeNumbers() {
    assertThrows(IllegalArgumentException.class, () -> Decimals.ratio(-1, 2, 3));
  }

  @Test
  void shouldPrintTheSameWhenTheLocaleIsAnother() {
    final Locale before = Locale.getDefault();
    Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
    try {
      assertEquals("18.90 %", Decimals.percent(189, 1000));
      assertEquals("144,793,823", Decimals.grouped(144_793_823));
      assertEquals("-1,234", Decimals.grouped(-1_234));
      assertEquals("-123", Decimals.grouped(-123));
      assertEquals("000000000000cafe", Decimals.hex(0xcafe));
    } finally {
      Locale.setDefault(before);
    }
  }
}
