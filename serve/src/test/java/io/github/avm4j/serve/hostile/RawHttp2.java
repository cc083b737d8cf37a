// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.hostile;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** HTTP/2 frames by hand, so that a test can send what no client would. */
final class RawHttp2 implements AutoCloseable {
  static final int DATA = 0;
  static final int HEADERS = 1;
  static final int RESET = 3;
  static final int SETTINGS = 4;
  static final int PING = 6;
  static final int GO_AWAY = 7;
  static final int CONTINUATION = 9;
  static final int END_STREAM = 1;
  static final int END_HEADERS = 4;

  private final Socket socket;
  private final OutputStream out;
  private final InputStream in;

  /** A frame that came. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Frame(int type, int stream, byte[] payload) {}

  RawHttp2(int port) throws IOException {
    this(new Socket(InetAddress.getLoopbackAddress(), port));
  }

  /** On a connection that is open. */
  RawHttp2(Socket connected) throws IOException {
    socket = connected;
    socket.setTcpNoDelay(true);
    out = socket.getOutputStream();
    in = socket.getInputStream();
    out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    send(SETTINGS, 0, 0, new byte[0]);
  }

  void send(int type, int flags, int stream, byte[] payload) throws IOException {
    write(frame(type, flags, stream, payload));
  }

  void write(byte[] frames) throws IOException {
    out.write(frames);
  }

  static byte[] frame(int type, int flags, int stream, byte[] payload) {
    ByteBuffer frame = ByteBuffer.allocate(9 + payload.length);
    frame.put((byte) (payload.length >> 16)).putShort((short) payload.length);
    frame.put((byte) type).put((byte) flags).putInt(stream).put(payload);
    return frame.array();
  }

  /** Literal fields, without tables and Huffman's code. */
  static byte[] fields(String... namesAndValues) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int k = 0; k < namesAndValues.length; k += 2) {
      bytes.write(0);
      text(bytes, namesAndValues[k]);
      text(bytes, namesAndValues[k + 1]);
    }
    return bytes.toByteArray();
  }

  static byte[] request(String method, String path) {
    return fields(":method", method, ":scheme", "http", ":authority", "localhost", ":path", path);
  }

  private static void text(ByteArrayOutputStream bytes, String text) {
    int length = text.length();
    if (length < 127) {
      bytes.write(length);
    } else {
      bytes.write(127);
      for (length -= 127; length >= 128; length /= 128) {
        bytes.write(length % 128 + 128);
      }
      bytes.write(length);
    }
    bytes.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
  }

  /** All frames that come until it is enough, or silent for twenty seconds, or closed. */
  List<Frame> readUntil(Predicate<List<Frame>> enough) throws IOException {
    List<Frame> frames = new ArrayList<>();
    socket.setSoTimeout(20_000);
    try {
      while (!enough.test(frames)) {
        byte[] head = in.readNBytes(9);
        if (head.length < 9) {
          return frames;
        }
        int length = (head[0] & 0xFF) << 16 | (head[1] & 0xFF) << 8 | head[2] & 0xFF;
        byte[] payload = in.readNBytes(length);
        frames.add(new Frame(head[3], ByteBuffer.wrap(head, 5, 4).getInt(), payload));
      }
      return frames;
    } catch (SocketTimeoutException e) {
      return frames;
    } catch (IOException e) {
      return frames; // cut off, which is an outcome too
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
