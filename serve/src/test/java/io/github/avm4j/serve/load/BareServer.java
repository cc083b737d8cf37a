// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.load;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.SessionProtocol;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerPort;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/**
 * The same stack with nothing behind it: takes the body, responds with a constant of the length
 * given by its argument. What a server could reach if predictions cost nothing.
 */
public final class BareServer {
  private BareServer() {}

  /** Runs until it is ended. */
  public static void main(String[] arguments) {
    HttpData constant =
        HttpData.wrap(
            ("{\"a\":\"" + "x".repeat(Integer.parseInt(arguments[0])) + "\"}")
                .getBytes(StandardCharsets.US_ASCII));
    Server server =
        Server.builder()
            .port(
                new ServerPort(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                    SessionProtocol.HTTP))
            .maxRequestLength(16 << 20)
            .service(
                "/v2/models/m/infer",
                (ctx, req) ->
                    HttpResponse.of(
                        req.aggregate()
                            .thenApply(
                                body -> HttpResponse.of(HttpStatus.OK, MediaType.JSON, constant))))
            .build();
    server.start().join();
    System.out.println("bare: 127.0.0.1:" + server.activeLocalPort());
  }
}
