// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.hostile;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/** What hostile clients send. Being cut off is fine for all of it. */
final class Attacks {
  static final List<String> WITH_BODIES =
      List.of(
          AttackedServer.PREDICT,
          "/v1/predict",
          "/v1/learn",
          "/v1/label",
          "/v1/explain",
          "/v1/detect",
          "/v1/detect/feedback?anomalous=true",
          "/v1/feedback",
          "/v1/models/m/version",
          "/v2/models/m/infer");

  /** As many as a body of 16 MiB holds, about. */
  private static final int NAMES = 1_200_000;

  private final AttackedServer server;

  Attacks(AttackedServer server) {
    this.server = server;
  }

  /** The head of a request to predict. */
  static String post(int length) {
    return "POST %s HTTP/1.1\r\nhost: localhost\r\ncontent-length: %d\r\n\r\n"
        .formatted(AttackedServer.PREDICT, length);
  }

  static byte[] packed(byte[] bytes) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(bytes);
    }
    return packed.toByteArray();
  }

  /** Bodies of so many tiny values, and one of fresh names. */
  static List<byte[]> tinyValues(int many) {
    StringBuilder names = new StringBuilder("{\"k\":1");
    for (int k = 0; k < NAMES; k++) {
      names.append(",\"k").append(k).append("\":1");
    }
    String inputs = "{\"inputs\":[";
    String tensor = "{\"name\":\"x\",\"shape\":[1,2],\"datatype\":\"FP64\",\"data\":[";
    List<byte[]> bodies = new ArrayList<>();
    for (String body :
        List.of(
            "[" + "{},".repeat(many) + "{}]",
            "[".repeat(many),
            names.append('}').toString(),
            inputs + "{},".repeat(many) + "{}]}",
            inputs + tensor + "[],".repeat(many) + "[]]}]}")) {
      bodies.add(body.getBytes(StandardCharsets.US_ASCII));
    }
    return bodies;
  }

  /** The status of a reply; 0 where the server closed the connection before it had the body. */
  int reply(String route, byte[] body, boolean packed) throws Exception {
    HttpRequest.Builder request =
        server
            .request(route)
            .header("authorization", "Bearer " + AttackedServer.TOKEN)
            .POST(HttpRequest.BodyPublishers.ofByteArray(body));
    if (packed) {
      request.header("content-encoding", "gzip");
    }
    try {
      return server.send(request).statusCode();
    } catch (IOException e) {
      return 0;
    }
  }

  /** Requests of HTTP/2 that are broken off at once. */
  static byte[] resets() {
    ByteArrayOutputStream burst = new ByteArrayOutputStream();
    byte[] request = RawHttp2.request("POST", AttackedServer.PREDICT);
    for (int k = 0; k < 390; k++) {
      burst.writeBytes(RawHttp2.frame(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 2 * k + 1, request));
      burst.writeBytes(RawHttp2.frame(RawHttp2.RESET, 0, 2 * k + 1, new byte[] {0, 0, 0, 8}));
    }
    return burst.toByteArray();
  }

  /** Sends frames on a connection of their own, and closes it. */
  void sendAlone(byte[] frames) throws Exception {
    try (RawHttp2 client = new RawHttp2(server.connect("h2", 0))) {
      client.write(frames);
    } catch (IOException e) {
      // cut off, which is fine
    }
  }

  /** A client that has sent rows and reads no reply. */
  Socket slowReader(String body) throws Exception {
    Socket socket = server.connect("http/1.1", 4096);
    byte[] request = (post(body.length()) + body).getBytes(StandardCharsets.US_ASCII);
    socket.getOutputStream().write(request);
    return socket;
  }

  /** One more byte. */
  static void drip(Socket socket) {
    try {
      socket.getOutputStream().write('a');
    } catch (IOException e) {
      // cut off, which is fine
    }
  }

  static void flood(Socket socket, byte[] bytes, int times) {
    try {
      for (int k = 0; k < times; k++) {
        socket.getOutputStream().write(bytes);
      }
    } catch (IOException e) {
      // cut off, which is fine
    }
  }

  static void close(List<Socket> sockets) throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
