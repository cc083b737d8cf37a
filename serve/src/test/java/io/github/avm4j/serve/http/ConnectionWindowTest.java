// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.http;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.serve.RunningServer;
import io.github.avm4j.serve.TestModels;
import java.io.DataInputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * How much a connection of HTTP/2 may send before it must wait: room for some hundred batches of 17
 * kB. Clients that run out of it send them in frames of a kilobyte.
 */
class ConnectionWindowTest {
  private static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  /** No settings: length 0, type 4, no flags, stream 0. */
  private static final byte[] SETTINGS = {0, 0, 0, 4, 0, 0, 0, 0, 0};

  private static final int WINDOW_UPDATE = 8;
  private static final int WINDOW_AT_FIRST = 65_535;

  @TempDir Path folder;

  @Test
  void holdsManyBatches() throws Exception {
    RunningServer.put(folder, "m-1.avm", TestModels.numbered(2, 10, 1));
    try (RunningServer server = new RunningServer(folder);
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.server().port())) {
      socket.setSoTimeout(30_000);
      socket.getOutputStream().write(PREFACE);
      socket.getOutputStream().write(SETTINGS);
      int window = WINDOW_AT_FIRST + increment(new DataInputStream(socket.getInputStream()));
      assertTrue(window >= 500 * 17_700, window + " bytes");
    }
  }

  /** Of the first WINDOW_UPDATE for the connection; a frame before it is passed over. */
  private static int increment(DataInputStream in) throws Exception {
    while (true) {
      int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
      int type = in.readUnsignedByte();
      in.readByte();
      int stream = in.readInt();
      byte[] payload = in.readNBytes(length);
      if (type == WINDOW_UPDATE && stream == 0) {
        return java.nio.ByteBuffer.wrap(payload).getInt();
      }
    }
  }
}
