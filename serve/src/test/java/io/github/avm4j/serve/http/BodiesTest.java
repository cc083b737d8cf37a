// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.github.avm4j.serve.RunningServer;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Room for a megabyte of bodies, and one of nearly that size whose last byte does not come. */
class BodiesTest {
  private static final int LIMIT = 1 << 20;

  private final BodyBudget budget = new BodyBudget(LIMIT);
  private final Bodies bodies = new Bodies(budget, LIMIT, 100);
  private final Server server = Server.builder().http(0).service("/", this::read).build();
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final List<Socket> sockets = new ArrayList<>();

  /** The bytes of a body are given back before the reply. */
  private HttpResponse read(ServiceRequestContext ctx, HttpRequest request) {
    return HttpResponse.of(
        bodies
            .read(ctx, request)
            .handle(
                (body, failure) -> {
                  if (failure != null) {
                    return Reply.of(Problem.of(failure)).toResponse();
                  }
                  body.close();
                  return HttpResponse.of(200);
                }));
  }

  @BeforeEach
  void start() throws Exception {
    server.start().join();
    begin(LIMIT, LIMIT - 1);
    RunningServer.await("the large body", () -> budget.held() == LIMIT - 1);
  }

  @AfterEach
  void stop() throws Exception {
    for (Socket socket : sockets) {
      socket.close();
    }
    server.stop().join();
  }

  /** Declares a body of so many bytes, and sends some. */
  private void begin(int length, int sent) throws Exception {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.activeLocalPort());
    sockets.add(socket);
    String head = "POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: " + length + "\r\n\r\n";
    socket.getOutputStream().write((head + " ".repeat(sent)).getBytes(StandardCharsets.US_ASCII));
  }

  private int send(int length) throws Exception {
    return client
        .send(
            java.net.http.HttpRequest.newBuilder(
                    URI.create("http://127.0.0.1:" + server.activeLocalPort() + "/"))
                .POST(java.net.http.HttpRequest.BodyPublishers.ofString(" ".repeat(length)))
                .build(),
            BodyHandlers.discarding())
        .statusCode();
  }

  @Test
  void smallBodiesHaveRoomBesideIt() throws Exception {
    for (int k = 0; k < 50; k++) {
      assertEquals(200, send(100));
    }
    assertEquals(429, send(20_000));
    assertEquals(LIMIT - 1, budget.held());
  }

  @Test
  void thatRoomEnds() throws Exception {
    for (int k = 1; k <= 4; k++) {
      long held = LIMIT - 1 + 4000L * k;
      begin(4001, 4000);
      RunningServer.await("a small body", () -> budget.held() == held);
    }
    assertEquals(429, send(1000));
    assertEquals(200, send(100));
  }
}
