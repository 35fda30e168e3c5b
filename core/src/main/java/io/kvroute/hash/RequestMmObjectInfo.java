package io.kvroute.hash;

import java.util.List;

/**
 * A multimodal object within a request.
 *
 * @param mmHash identifies the object, unsigned 64-bit
 * @param offsets where its placeholders lie, relative to the start of the request
 */
public record RequestMmObjectInfo(long mmHash, List<MmRange> offsets) {
  /** Copies the list. */
  public RequestMmObjectInfo {
    offsets = List.copyOf(offsets);
  }
}
