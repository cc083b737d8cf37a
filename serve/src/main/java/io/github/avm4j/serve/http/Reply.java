// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.http;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;

/**
 * Response to an HTTP request.
 *
 * @param headers status and headers
 * @param body the content
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Reply(ResponseHeaders headers, byte[] body) {
  private static final ResponseHeaders OK =
      ResponseHeaders.of(HttpStatus.OK, HttpHeaderNames.CONTENT_TYPE, MediaType.JSON);

  /** JSON, status 200. */
  public static Reply json(Json.Writer writer) {
    return json(Json.write(writer));
  }

  /** JSON that is already written, status 200. */
  public static Reply json(byte[] document) {
    return new Reply(OK, document);
  }

  /** JSON of another status. */
  public static Reply json(HttpStatus status, Json.Writer writer) {
    return new Reply(
        ResponseHeaders.of(status, HttpHeaderNames.CONTENT_TYPE, MediaType.JSON),
        Json.write(writer));
  }

  /** The error response of a problem. */
  public static Reply of(Problem problem) {
    ResponseHeadersBuilder headers =
        ResponseHeaders.builder(problem.httpStatus()).contentType(MediaType.JSON);
    if (problem.httpStatus().equals(HttpStatus.TOO_MANY_REQUESTS)
        || problem.httpStatus().equals(HttpStatus.SERVICE_UNAVAILABLE)) {
      headers.set(HttpHeaderNames.RETRY_AFTER, "1");
    }
    if (problem.httpStatus().equals(HttpStatus.UNAUTHORIZED)) {
      headers.set(HttpHeaderNames.WWW_AUTHENTICATE, "Bearer");
    }
    return new Reply(headers.build(), Json.error(problem.text()));
  }

  /** Its status. */
  public HttpStatus status() {
    return headers.status();
  }

  HttpResponse toResponse() {
    return HttpResponse.of(headers, HttpData.wrap(body));
  }
}
