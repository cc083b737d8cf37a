// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A connection of HTTP/1.1, byte by byte, with what stands for Armeria behind it. */
class EarlyRefusalTest {
  private final Admission admission = Admission.fixed(1);
  private final List<String> refused = new ArrayList<>();
  private final EmbeddedChannel channel =
      new EmbeddedChannel(new HttpServerCodec(), new EarlyRefusal(admission, refused::add));

  @AfterEach
  void nothingLeaks() {
    channel.finishAndReleaseAll();
  }

  private void send(String text) {
    channel.writeInbound(Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII));
  }

  private static String post(String path, String headers, String body) {
    return "POST "
        + path
        + " HTTP/1.1\r\nhost: a\r\n"
        + headers
        + "content-length: "
        + body.length()
        + "\r\n\r\n"
        + body;
  }

  private String reply() {
    StringBuilder text = new StringBuilder();
    for (ByteBuf part = channel.readOutbound(); part != null; part = channel.readOutbound()) {
      text.append(part.toString(StandardCharsets.US_ASCII));
      part.release();
    }
    return text.toString();
  }

  /** Whether a request came through; all of it is taken out. */
  private boolean passes() {
    Object first = channel.readInbound();
    boolean passed = first instanceof HttpRequest;
    for (Object more = first; more != null; more = channel.readInbound()) {
      io.netty.util.ReferenceCountUtil.release(more);
    }
    return passed;
  }

  private void respond(HttpResponseStatus status) {
    channel.writeOutbound(
        new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, Unpooled.EMPTY_BUFFER));
    reply();
  }

  @Test
  void refusesWhileThereIsNoRoomAndOnlyThen() {
    send(post("/v1/predict", "", "[1]"));
    assertTrue(passes());
    respond(HttpResponseStatus.OK);
    Admission.Place place = admission.enter();
    assertNotNull(place);
    send(post("/v1/predict?model=m", "x-request-id: a-7\r\n", "[1]"));
    String reply = reply();
    assertFalse(passes());
    assertTrue(reply.startsWith("HTTP/1.1 429 "), reply);
    assertTrue(reply.contains("retry-after: 1\r\n") && reply.contains("x-request-id: a-7"), reply);
    assertTrue(
        reply.endsWith("{\"error\":\"too many requests just now; try again later\"}"), reply);
    assertEquals(List.of("predict"), refused);
    assertEquals(1, admission.shed());
    place.leave(1000);
    send(post("/v2/models/m/infer", "", "{}"));
    assertTrue(passes());
  }

  @Test
  void aBodyThatComesLaterGoesNoFurther() {
    assertNotNull(admission.enter());
    send("POST /v2/models/m/versions/3/infer HTTP/1.1\r\nhost: a\r\ncontent-length: 6\r\n\r\nab");
    assertTrue(reply().startsWith("HTTP/1.1 429 "));
    send("cd");
    send("ef" + post("/v1/predict", "", "[1]"));
    assertNull(channel.readInbound());
    assertTrue(reply().startsWith("HTTP/1.1 429 "));
    assertEquals(List.of("v2_infer", "predict"), refused);
  }

  @Test
  void repliesKeepTheOrderOfRequests() {
    send(post("/v1/predict", "", "[1]"));
    assertTrue(passes());
    assertNotNull(admission.enter());
    send(post("/v1/predict", "", "[2]"));
    assertTrue(passes(), "the first has no reply yet");
    channel.writeOutbound(
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE, Unpooled.EMPTY_BUFFER));
    respond(HttpResponseStatus.OK);
    send(post("/v1/predict", "", "[3]"));
    assertTrue(passes(), "the second has none, for 100 is no reply");
    respond(HttpResponseStatus.OK);
    respond(HttpResponseStatus.OK);
    send(post("/v1/predict", "", "[4]"));
    assertFalse(passes());
  }

  @Test
  void othersPass() {
    assertNotNull(admission.enter());
    for (String text :
        List.of(
            "GET /v1/predict HTTP/1.1\r\nhost: a\r\n\r\n",
            "POST /v1/predict HTTP/1.0\r\ncontent-length: 1\r\n\r\n1",
            post("/v1/feedback", "", "1"),
            post("/v1/models/m/version", "", "1"),
            post("/v1/predict", "expect: 100-continue\r\n", "1"),
            post("/v1/predict", "connection: close\r\n", "1"))) {
      send(text);
      assertTrue(passes(), text);
      respond(HttpResponseStatus.OK);
    }
  }

  @Test
  void oneInSixtyFourPasses() {
    assertNotNull(admission.enter());
    int passed = 0;
    for (int k = 0; k < 640; k++) {
      send(post("/v1/predict", "", "[1]"));
      if (passes()) {
        passed++;
        respond(HttpResponseStatus.TOO_MANY_REQUESTS);
      }
    }
    assertEquals(10, passed);
  }
}
