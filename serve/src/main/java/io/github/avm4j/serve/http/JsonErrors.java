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

/** Error responses in JSON for requests that reach no endpoint (unknown path, aborted request). */
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
    boolean large = status.equals(HttpStatus.REQUEST_ENTITY_TOO_LARGE);
    String words =
        large
            ? "the body is larger than " + config.maxRequestLength() + " bytes; send less at a time"
            : status.reasonPhrase();
    // A client that has gone is no failure of ours.
    boolean gone =
        cause instanceof ClosedStreamException || cause instanceof ClosedSessionException;
    if (ctx != null && !gone) {
      refusals.refused(ctx, status, words);
    }
    return AggregatedHttpResponse.of(status, MediaType.JSON, HttpData.wrap(Json.error(words)));
  }
}
