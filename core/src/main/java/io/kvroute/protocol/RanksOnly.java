package io.kvroute.protocol;

import java.util.OptionalLong;

/** A worker of which only its ranks are known. */
record RanksOnly(int dataParallelStartRank, int dataParallelSize) implements WorkerConfig {
  @Override
  public OptionalLong maxNumBatchedTokens() {
    return OptionalLong.empty();
  }

  @Override
  public OptionalLong totalKvBlocks() {
    return OptionalLong.empty();
  }
}
