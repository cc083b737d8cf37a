// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.http;

import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.netty.util.AttributeKey;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Logs requests that were refused or failed: id, path, status and reason. 404 and 429 are not
 * logged, because clients can cause any number of them; metrics count them. A request is one line,
 * and at most ten a second are written; the next line after more than that says how many were left
 * out.
 */
public final class RefusalLog {
  private static final AttributeKey<Boolean> TOLD = AttributeKey.valueOf(RefusalLog.class, "TOLD");
  private static final int MOST = 10;
  private static final long SECOND = 1_000_000_000;
  private static final int LONGEST = 500;

  private final EventLog log;
  private final LongSupplier nanos;
  private long begun;
  private int written;
  private long leftOut;

  /** Writes to {@code log}. */
  public RefusalLog(EventLog log) {
    this(log, System::nanoTime);
  }

  RefusalLog(EventLog log, LongSupplier nanos) {
    this.log = log;
    this.nanos = nanos;
    this.begun = nanos.getAsLong();
  }

  /** A request that its client must change, or that cannot be served now. */
  public void refused(ServiceRequestContext ctx, HttpStatus status, String reason) {
    tell("request_refused", ctx, status, reason, "");
  }

  /** A request that failed by a fault of ours. */
  public void failed(ServiceRequestContext ctx, HttpStatus status, Throwable cause) {
    StackTraceElement[] trace = cause.getStackTrace();
    String at = trace.length == 0 ? "?" : trace[0].toString();
    tell("request_failed", ctx, status, cause.toString(), at);
  }

  private void tell(
      String event, ServiceRequestContext ctx, HttpStatus status, String reason, String at) {
    if (status.equals(HttpStatus.NOT_FOUND) || status.equals(HttpStatus.TOO_MANY_REQUESTS)) {
      return;
    }
    // Of a body that is too large both the endpoint and the server speak.
    if (ctx.setAttr(TOLD, true) != null) {
      return;
    }
    long before = enter();
    if (before < 0) {
      return;
    }
    List<Object> about = new ArrayList<>();
    about.addAll(List.of("id", RequestIds.of(ctx), "path", cut(ctx.path())));
    about.addAll(List.of("client", ctx.clientAddress().getHostAddress()));
    about.addAll(List.of("status", status.code(), "reason", cut(reason)));
    if (!at.isEmpty()) {
      about.addAll(List.of("at", at));
    }
    if (before > 0) {
      about.addAll(List.of("left_out_before", before));
    }
    log.warn(event, about.toArray());
  }

  /** How many lines were left out before this one; −1 if this is to be left out too. */
  synchronized long enter() {
    long now = nanos.getAsLong();
    if (now - begun >= SECOND) {
      begun = now;
      written = 0;
    }
    if (written == MOST) {
      leftOut++;
      return -1;
    }
    written++;
    long before = leftOut;
    leftOut = 0;
    return before;
  }

  private static String cut(String text) {
    return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
  }
}
