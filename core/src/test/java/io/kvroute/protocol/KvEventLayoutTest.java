package io.kvroute.protocol;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class KvEventLayoutTest {

  @Test
  void shouldMatchTheCommittedTable() throws IOException {
    try (InputStream committed =
        KvEventLayoutTest.class.getResourceAsStream("/layouts/KvEventLayout.txt")) {
      assertEquals(
          new String(committed.readAllBytes(), StandardCharsets.UTF_8), KvEventLayout.table());
    }
  }

  @Test
  void shouldWriteLittleEndianBytesWhenAStoredEventIsEncoded() {
    final UnsafeBuffer buffer = new UnsafeBuffer(new byte[64]);
    final int length =
        KvEventEncoder.stored(
            buffer, 0, 0x0102030405060708L, 0x0A0B0C0D, StorageTier.DISK, -2L, true, 0x11L, 1);
    KvEventEncoder.startPosition(buffer, 0, 0x01020304);
    KvEventEncoder.putBlockHash(buffer, 0, 0, 0xFFFFFFFF00000001L);
    KvEventEncoder.putTokensHash(buffer, 0, 1, 0, 0xCB38E4D7FB2DCA5CL);
    final byte[] expected =
        HexFormat.of()
            .parseHex(
                "40000000"
                    + "01"
                    + "02"
                    + "03"
                    + "01" // length, type, tier, flags, version
                    + "0807060504030201" // worker
                    + "feffffffffffffff" // event
                    + "0d0c0b0a"
                    + "04030201" // rank, start position
                    + "1100000000000000" // parent
                    + "01000000"
                    + "00000000" // blocks, multimodal length
                    + "01000000ffffffff" // block hash
                    + "5cca2dfbd7e438cb"); // tokens hash
    assertEquals(64, length);
    assertArrayEquals(expected, buffer.byteArray());
  }
}
