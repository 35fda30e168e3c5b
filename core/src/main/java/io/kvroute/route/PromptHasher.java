package io.kvroute.route;

import io.kvroute.hash.BlockHasher;
import io.kvroute.hash.MmBlockHasher;
import io.kvroute.hash.SequenceHash;
import java.util.LinkedHashMap;
import java.util.Map;

/** Hashes requests' prompts as engines hash their blocks, once per request. */
final class PromptHasher {
  /** Adapters whose hash seeds are kept. */
  private static final int ADAPTERS = 1024;

  private final long blockSize;
  private final boolean eagle;
  private final Hashers plain;
  private final Map<String, Hashers> byAdapter =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(final Map.Entry<String, Hashers> eldest) {
          return size() > ADAPTERS;
        }
      };

  PromptHasher(final long blockSize, final boolean eagle) {
    this.blockSize = blockSize;
    this.eagle = eagle;
    plain = new Hashers(null);
  }

  private final class Hashers {
    final BlockHasher tokens;
    final MmBlockHasher objects;

    Hashers(final String loraName) {
      tokens = BlockHasher.of(blockSize, loraName, eagle);
      objects = new MmBlockHasher(tokens);
    }
  }

  /** Fills in a request's whole blocks with their local hashes and their sequence hashes. */
  void hash(final RouteRequest request) {
    final Hashers hashers = hashers(request.loraName());
    final int blocks = (int) hashers.tokens.blockCount(request.tokens.count());
    request.makeRoom((int) Math.max(blocks, request.tokens.count() / blockSize));
    request.blocks = blocks;
    if (request.blockMmInfos() == null) {
      hashers.tokens.hashes(
          request.tokens, 0, blocks, false, 0, request.localHashes, 0, request.sequenceHashes, 0);
    } else {
      hashers.objects.localHashes(
          request.tokens, request.blockMmInfos(), 0, blocks, request.localHashes, 0);
      SequenceHash.chain(request.localHashes, 0, blocks, false, 0, request.sequenceHashes, 0);
    }
  }

  private Hashers hashers(final String loraName) {
    if (loraName == null || loraName.isEmpty()) {
      return plain;
    }
    final Hashers known = byAdapter.get(loraName);
    if (known != null) {
      return known;
    }
    final Hashers made = new Hashers(loraName);
    byAdapter.put(loraName, made);
    return made;
  }
}
