package io.kvroute.tools.trace;

import java.io.IOException;
import java.io.Writer;

/** Writes requests in the form that {@link MooncakeReader} reads, one line each. */
public final class MooncakeWriter {
  private final StringBuilder line = new StringBuilder();
  private final Writer out;

  /** Writes to {@code out}, which stays the caller's to close. */
  public MooncakeWriter(final Writer out) {
    this.out = out;
  }

  /** Writes one request; ids are written without sign. */
  public void write(final TraceRequest request) throws IOException {
    line.setLength(0);
    line.append("{\"timestamp\": ").append(request.timestampMillis());
    line.append(", \"input_length\": ").append(request.inputLength());
    line.append(", \"output_length\": ").append(request.outputLength());
    line.append(", \"hash_ids\": [");
    for (int i = 0; i < request.idCount(); i++) {
      line.append(i == 0 ? "" : ", ").append(Long.toUnsignedString(request.hashId(i)));
    }
    out.append(line.append("]}\n"));
  }
}
