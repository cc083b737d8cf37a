// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.load;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ProtocolException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/**
 * One HTTP/1.1 connection that is never renewed, for one thread, over a blocking socket.
 *
 * <p>It forgives nothing: where one request is repeated a status other than 200, an end of the
 * stream, a byte before the request was sent or after the response's {@code content-length} is an
 * exception. No pool stands between the test and the server ({@code JdkClientRace} of the
 * laboratory says why that matters).
 */
public final class KeptConnection implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 30_000;
  private static final String LENGTH = "\r\ncontent-length:";

  private final Socket socket;
  private final InputStream in;
  private final byte[] request;
  private byte[] bytes = new byte[1 << 13];
  private int size;

  KeptConnection(int port, String path, String json) throws IOException {
    this(new Socket(InetAddress.getLoopbackAddress(), port), request(path, json));
  }

  /** For {@link #post}, on a connection that is open. */
  public KeptConnection(Socket connected) throws IOException {
    this(connected, new byte[0]);
  }

  private KeptConnection(Socket connected, byte[] request) throws IOException {
    this.request = request;
    socket = connected;
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(PATIENCE_MILLIS);
    in = socket.getInputStream();
  }

  /** A response whose lines of headers begin with that of its status. */
  public record Response(int status, String headers, String body) {}

  private static byte[] request(String path, String json, String... lines) {
    StringBuilder head = new StringBuilder("POST " + path + " HTTP/1.1\r\nhost: localhost\r\n");
    for (String line : lines) {
      head.append(line).append("\r\n");
    }
    int length = json.getBytes(StandardCharsets.UTF_8).length;
    head.append("content-type: application/json\r\ncontent-length: ").append(length);
    return head.append("\r\n\r\n").append(json).toString().getBytes(StandardCharsets.UTF_8);
  }

  /** Sends the request once more; the body of its response. */
  String ask() throws IOException {
    Response response = send(request);
    if (response.status != 200) {
      throw new ProtocolException("not served: " + response);
    }
    return response.body;
  }

  /** The response, whatever its status, to a request with these lines among its headers. */
  public Response post(String path, String json, String... lines) throws IOException {
    return send(request(path, json, lines));
  }

  private Response send(byte[] bytesOfRequest) throws IOException {
    if (in.available() > 0) {
      throw new ProtocolException("bytes that nobody asked for");
    }
    socket.getOutputStream().write(bytesOfRequest);
    size = 0;
    int head;
    do {
      fill();
      head = endOfHead();
    } while (head < 0);
    String headers = new String(bytes, 0, head, StandardCharsets.ISO_8859_1);
    int whole = head + length(headers);
    while (size < whole) {
      fill();
    }
    String body = new String(bytes, head, whole - head, StandardCharsets.UTF_8);
    if (size > whole || !headers.startsWith("HTTP/1.1 ")) {
      throw new ProtocolException(size - whole + " bytes too many after: " + headers + body);
    }
    return new Response(Integer.parseInt(headers.substring(9, 12)), headers, body);
  }

  private void fill() throws IOException {
    if (size == bytes.length) {
      bytes = Arrays.copyOf(bytes, 2 * size);
    }
    int read = in.read(bytes, size, bytes.length - size);
    if (read < 0) {
      throw new EOFException("closed by the server after " + size + " bytes of a response");
    }
    size += read;
  }

  /** Where the body begins; -1 if the head is not whole yet. */
  private int endOfHead() {
    for (int k = 3; k < size; k++) {
      if (bytes[k] == '\n' && bytes[k - 1] == '\r' && bytes[k - 2] == '\n') {
        return k + 1;
      }
    }
    return -1;
  }

  private static int length(String headers) throws IOException {
    int at = headers.toLowerCase(Locale.ROOT).indexOf(LENGTH);
    if (at < 0) {
      throw new ProtocolException("no content-length: " + headers);
    }
    int from = at + LENGTH.length();
    return Integer.parseInt(headers.substring(from, headers.indexOf('\r', from)).strip());
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
