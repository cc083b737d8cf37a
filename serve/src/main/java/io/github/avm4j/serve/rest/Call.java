// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.rest;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.github.avm4j.serve.guard.Problem;
import io.github.avm4j.serve.guard.RequestIds;
import org.jspecify.annotations.Nullable;

/**
 * A request that has arrived whole.
 *
 * @param context Armeria's side of it
 * @param request its headers
 * @param body its content; not to be changed
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Call(ServiceRequestContext context, HttpRequest request, byte[] body) {
  /** Its id. */
  public String id() {
    return RequestIds.of(context);
  }

  /**
   * Ends work whose result nobody will see: the request's time is over, or its client has gone.
   * Long loops call it once a row.
   */
  public void checkWanted() {
    if (context.isCancelled()) {
      throw Problem.unavailable("the request ended before its prediction was complete");
    }
  }

  /** A part of the path. */
  public String path(String name) {
    return String.valueOf(context.pathParam(name));
  }

  /** A part of the path that need not be there. */
  public @Nullable String optionalPath(String name) {
    return context.pathParam(name);
  }

  /** A parameter of the address; null if it is not there. */
  public @Nullable String query(String name) {
    return context.queryParam(name);
  }

  /** The same as a number within bounds. */
  public int query(String name, int otherwise, int least, int most) {
    String text = query(name);
    if (text == null) {
      return otherwise;
    }
    try {
      int value = Integer.parseInt(text);
      if (value >= least && value <= most) {
        return value;
      }
    } catch (NumberFormatException e) {
      // said below
    }
    throw Problem.badRequest(name + " must be a number in " + least + ".." + most);
  }

  /** A header; null if it is not there. */
  public @Nullable String header(CharSequence name) {
    return request.headers().get(name);
  }
}
