package io.kvroute.protocol.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonWriteFeature;

/** The one factory of parsers and generators. Thread-safe. */
final class Jackson {
  /**
   * Names are not kept between documents, because they come from outside. Texts and numbers may be
   * as long as the input, because the input is in memory already; nesting is limited by {@link
   * JsonIn}.
   */
  static final JsonFactory FACTORY =
      JsonFactory.builder()
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
          .disable(JsonWriteFeature.WRITE_HEX_UPPER_CASE)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNumberLength(Integer.MAX_VALUE)
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .build())
          .build();

  private Jackson() {}
}
