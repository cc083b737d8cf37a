// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.http;

import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.ClosedSessionException;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.stream.ClosedStreamException;
import com.linecorp.armeria.server.ServerErrorHandler;
import com.linecorp.armeria.server.ServiceConfig;
import com.linecorp.armeria.server.ServiceRequestContext;
import org.jspecify.annotations.Nullable;

/**
 * Error responses in JSON for requests that reach no endpoint (unknown path, another method,
 * aborted request).
 */
public final class JsonErrors implements ServerErrorHandler {
  private final RefusalLog refusals;

  /** Logs to {@code refusals}. */
  public JsonErrors(RefusalLog refusals) {
    this.refusals = refusals;
  }

  @Override
  public @Nullable HttpResponse onServiceException(ServiceRequestContext ctx, Throwable cause) {
    return null;
  }

  @Override
  public AggregatedHttpResponse renderStatus(
      @Nullable ServiceRequestContext ctx,
      ServiceConfig config,
      @Nullable RequestHeaders headers,
      HttpStatus status,
      @Nullable String description,
      @Nullable Throwable cause) {
    String words = status.reasonPhrase();
    if (status.equals(HttpStatus.REQUEST_ENTITY_TOO_LARGE)) {
      words =
          "the body is larger than " + config.maxRequestLength() + " bytes; send less at a time";
    } else if (status.equals(HttpStatus.METHOD_NOT_ALLOWED) && ctx != null) {
      words = anotherMethod(ctx);
    }
    // A client that has gone is no failure of ours.
    boolean gone =
        cause instanceof ClosedStreamException || cause instanceof ClosedSessionException;
    if (ctx != null && !gone) {
      refusals.refused(ctx, status, words);
    }
    return AggregatedHttpResponse.of(status, MediaType.JSON, HttpData.wrap(Json.error(words)));
  }

  /** The method that the path takes, and what to send with it. */
  private static String anotherMethod(ServiceRequestContext ctx) {
    for (ServiceConfig config : ctx.config().virtualHost().serviceConfigs()) {
      String path = config.route().patternString();
      if (ctx.path().matches(path.replaceAll(":[^/]+", "[^/]+"))) {
        String method = config.route().methods().iterator().next().name();
        Endpoint endpoint = config.service().as(Endpoint.class);
        String form = endpoint == null || !method.equals("POST") ? "" : ": send " + endpoint.form();
        return path + " takes " + method + ", not " + ctx.method().name() + form;
      }
    }
    return HttpStatus.METHOD_NOT_ALLOWED.reasonPhrase();
  }
}
