// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.http;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.SimpleDecoratingHttpService;
import io.netty.util.AsciiString;
import io.netty.util.AttributeKey;
import org.jspecify.annotations.Nullable;

/**
 * Hands the client's {@code x-request-id} back, or a new one if it has none that is fit to be
 * repeated, and logs it; so does {@code traceparent}, the header of W3C Trace Context that
 * OpenTelemetry uses. Nothing is found by it: what waits for a label bears an id that the server
 * made ({@link Call#id}), or strangers could replace it.
 */
public final class RequestIds extends SimpleDecoratingHttpService {
  /** The header of ids. */
  public static final AsciiString ID = AsciiString.of("x-request-id");

  /** The header of traces. */
  public static final AsciiString TRACE = AsciiString.of("traceparent");

  private static final AttributeKey<String> KEY = AttributeKey.valueOf(RequestIds.class, "ID");
  private static final int LONGEST = 128;

  /** In front of {@code delegate}. */
  public RequestIds(HttpService delegate) {
    super(delegate);
  }

  @Override
  public HttpResponse serve(ServiceRequestContext ctx, HttpRequest req) throws Exception {
    String given = req.headers().get(ID);
    String id = isFit(given) && given != null ? given : ctx.id().text();
    ctx.setAttr(KEY, id);
    ctx.setAdditionalResponseHeader(ID, id);
    String trace = trace(req);
    if (trace != null) {
      ctx.setAdditionalResponseHeader(TRACE, trace);
    }
    return unwrap().serve(ctx, req);
  }

  /** The id of a request in the log. */
  public static String of(ServiceRequestContext ctx) {
    String id = ctx.attr(KEY);
    return id == null ? ctx.id().text() : id;
  }

  /** The request's trace header if it has the form of the standard; null otherwise. */
  public static @Nullable String trace(HttpRequest req) {
    String trace = req.headers().get(TRACE);
    boolean fit = trace != null && trace.length() == 55 && isHexAndDashes(trace);
    return fit ? trace : null;
  }

  private static boolean isHexAndDashes(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean dash = i == 2 || i == 35 || i == 52;
      if (dash ? c != '-' : Character.digit(c, 16) < 0 || c > 'f') {
        return false;
      }
    }
    return true;
  }

  /** Letters, digits and a few marks: nothing that could break a log line or a header. */
  static boolean isFit(@Nullable String id) {
    if (id == null || id.isEmpty() || id.length() > LONGEST) {
      return false;
    }
    for (int i = 0; i < id.length(); i++) {
      char c = id.charAt(i);
      boolean plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      if (!plain && "-_.:/+=@".indexOf(c) < 0) {
        return false;
      }
    }
    return true;
  }
}
