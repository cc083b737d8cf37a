// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.http;

import com.linecorp.armeria.common.logging.RequestLog;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.logging.AccessLogWriter;
import java.util.ArrayList;
import java.util.List;

/** Logs one line per request, successful or not, without the query parameters. */
public final class AccessLog implements AccessLogWriter {
  private final EventLog log;

  /** Writes to {@code log}. */
  public AccessLog(EventLog log) {
    this.log = log;
  }

  @Override
  public void log(RequestLog request) {
    if (!(request.context() instanceof ServiceRequestContext ctx)) {
      return;
    }
    List<Object> about = new ArrayList<>();
    about.addAll(List.of("id", RequestIds.of(ctx), "client", ctx.clientAddress().getHostAddress()));
    about.addAll(List.of("method", ctx.method().name(), "path", ctx.path()));
    about.addAll(List.of("status", request.responseStatus().code()));
    about.addAll(List.of("ms", Math.rint(request.totalDurationNanos() / 1e3) / 1e3));
    about.addAll(List.of("bytes_in", request.requestLength()));
    about.addAll(List.of("bytes_out", request.responseLength()));
    log.info("request", about.toArray());
  }
}
