package io.kvroute.tools.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** What all pages have around their content: one file that loads nothing. */
final class HtmlPage {
  private static final String STYLE = "page.css";

  private HtmlPage() {}

  /** Up to where the content begins. */
  static String begin(final String title) {
    return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>"
        + Svg.escape(title)
        + "</title>\n<style>\n"
        + style()
        + "</style>\n</head>\n<body>\n<main>\n";
  }

  /** From where the content ends. */
  static String end() {
    return "</main>\n</body>\n</html>\n";
  }

  private static String style() {
    try (InputStream in = HtmlPage.class.getResourceAsStream(STYLE)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (final IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
