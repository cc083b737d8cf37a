// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.http;

import com.linecorp.armeria.common.HttpStatus;
import io.github.avm4j.model.AvmException;

/**
 * Thrown for a request that is refused or fails, with the message for the client; no stack trace.
 */
public final class Problem extends AvmException {
  private static final long serialVersionUID = 1;

  private final int status;

  private Problem(HttpStatus status, String message) {
    super(message, false);
    this.status = status.code();
  }

  /** The request is wrong: the message names what is, and what to do. */
  public static Problem badRequest(String message) {
    return new Problem(HttpStatus.BAD_REQUEST, message);
  }

  /** There is nothing of that name or version. */
  public static Problem notFound(String message) {
    return new Problem(HttpStatus.NOT_FOUND, message);
  }

  /** What it asks for has been done, or contradicts what has. */
  public static Problem conflict(String message) {
    return new Problem(HttpStatus.CONFLICT, message);
  }

  /** The client took too long to send it. */
  public static Problem timeout(String message) {
    return new Problem(HttpStatus.REQUEST_TIMEOUT, message);
  }

  /** More than a limit allows. */
  public static Problem tooLarge(String message) {
    return new Problem(HttpStatus.REQUEST_ENTITY_TOO_LARGE, message);
  }

  /** A body of a kind that is not read. */
  public static Problem unsupported(String message) {
    return new Problem(HttpStatus.UNSUPPORTED_MEDIA_TYPE, message);
  }

  /** No token, or not the right one. */
  public static Problem unauthorized(String message) {
    return new Problem(HttpStatus.UNAUTHORIZED, message);
  }

  /** Never allowed on this server. */
  public static Problem forbidden(String message) {
    return new Problem(HttpStatus.FORBIDDEN, message);
  }

  /** For another host than this one. */
  public static Problem misdirected(String message) {
    return new Problem(HttpStatus.MISDIRECTED_REQUEST, message);
  }

  /** Too much to do just now. */
  public static Problem busy(String message) {
    return new Problem(HttpStatus.TOO_MANY_REQUESTS, message);
  }

  /** Something this needs is not there just now, or not set up. */
  public static Problem unavailable(String message) {
    return new Problem(HttpStatus.SERVICE_UNAVAILABLE, message);
  }

  /**
   * The problem of a failure: its own message if it is meant for the client, else a general one.
   */
  public static Problem of(Throwable failure) {
    if (failure instanceof Problem problem) {
      return problem;
    }
    if (failure.getCause() != null && failure instanceof java.util.concurrent.CompletionException) {
      return of(failure.getCause());
    }
    return new Problem(HttpStatus.INTERNAL_SERVER_ERROR, "internal error; see the server's log");
  }

  /** Its words, never null. */
  public String text() {
    return String.valueOf(getMessage());
  }

  /** Its status. */
  public HttpStatus httpStatus() {
    return HttpStatus.valueOf(status);
  }
}
