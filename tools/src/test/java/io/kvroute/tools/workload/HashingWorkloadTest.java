package io.kvroute.tools.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.kvroute.tools.io.Decimals;
import io.kvroute.tools.io.Fields;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import net.openhft.hashing.LongHashFunction;
import org.junit.jupiter.api.Test;

class HashingWorkloadTest {

  @Test
  void shouldGiveTheHashesOfTheReferenceImplementation() {
    final Fields row =
        new HashingWorkload(
                new WorkloadSettings(
                    null, null, null, List.of(), 1, null, false, null, null, new WarmUp(0)))
            .run()
            .get(0);
    final LongHashFunction xxh3 = LongHashFunction.xx3(1337);
    final byte[] buffer = new byte[4096];
    for (int i = 0; i < buffer.length; i++) {
      buffer[i] = (byte) Numbers.mix64(i);
    }
    for (final int length : new int[] {16, 64, 128, 256, 4096}) {
      assertEquals(Decimals.hex(xxh3.hashBytes(buffer, 0, length)), row.scalar("xxh3_" + length));
    }
    for (final int blockSize : new int[] {16, 32, 64}) {
      assertPromptFolds(row, xxh3, blockSize);
    }
  }

  private static void assertPromptFolds(
      final Fields row, final LongHashFunction xxh3, final int blockSize) {
    final ByteBuffer block = ByteBuffer.allocate(blockSize * 4).order(ByteOrder.LITTLE_ENDIAN);
    final ByteBuffer link = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
    long localFold = 0;
    long chainFold = 0;
    long chain = 0;
    for (int i = 0; i < 8_192; i += blockSize) {
      for (int j = 0; j < blockSize; j++) {
        block.putInt(j * 4, Numbers.tok(i + j));
      }
      final long local = xxh3.hashBytes(block.array());
      link.putLong(0, chain).putLong(8, local);
      chain = i == 0 ? local : xxh3.hashBytes(link.array());
      localFold = Numbers.fold(localFold, local);
      chainFold = Numbers.fold(chainFold, chain);
    }
    assertEquals(Decimals.hex(localFold), row.scalar("local_fold_" + blockSize));
    assertEquals(Decimals.hex(chainFold), row.scalar("chain_fold_" + blockSize));
  }
}
