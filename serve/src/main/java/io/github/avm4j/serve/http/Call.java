// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.http;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.github.avm4j.config.SettingText;
import io.netty.util.AsciiString;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP request with its whole body.
 *
 * @param context Armeria's side of it
 * @param request its headers
 * @param body its content; not to be changed
 * @param guard of the port that it came to
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Call(ServiceRequestContext context, HttpRequest request, byte[] body, Guard guard) {
  /** Where the JSON of a body ends and the bytes of its tensors begin. */
  public static final AsciiString JSON_LENGTH = AsciiString.of("inference-header-content-length");

  /** Its id, made by the server. */
  public String id() {
    return context.id().text();
  }

  /**
   * Whose token permits it.
   *
   * @throws Problem if none does
   */
  public String require(Permission permission) {
    return guard.require(permission, request.headers());
  }

  /** Whether it may do one thing more. */
  public boolean allows(Permission permission) {
    return guard.allows(permission, request.headers());
  }

  /** Who sent it: an address, of which IPv6 has the part that a provider gives to a customer. */
  public String caller() {
    InetAddress address = context.clientAddress();
    return address instanceof Inet6Address
        ? HexFormat.of().formatHex(address.getAddress(), 0, 8)
        : address.getHostAddress();
  }

  /**
   * Throws if the result is not wanted any more: the request timed out, or its client disconnected.
   * Long loops call it once per row.
   */
  public void checkCancelled() {
    if (context.isCancelled()) {
      throw Problem.unavailable("the request ended before its prediction was complete");
    }
  }

  /**
   * Refuses a body whose content type is not JSON in UTF-8. {@code curl -d} sends the type of a
   * form, so that passes; binary bodies pass if the length of their JSON is given.
   */
  void checkContentType() {
    String text = body.length == 0 ? null : header(HttpHeaderNames.CONTENT_TYPE);
    if (text == null) {
      return;
    }
    MediaType type = parse(text);
    boolean json =
        type != null
            && (type.isJson() || type.is(MediaType.FORM_DATA))
            && type.charset(StandardCharsets.UTF_8).equals(StandardCharsets.UTF_8);
    boolean bytes = type != null && type.is(MediaType.OCTET_STREAM) && header(JSON_LENGTH) != null;
    if (!json && !bytes) {
      throw Problem.unsupported("the content-type must be application/json in UTF-8, or left out");
    }
  }

  private static @Nullable MediaType parse(String text) {
    try {
      return MediaType.parse(text);
    } catch (IllegalArgumentException e) {
      return null;
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

  /** The same as true or false. */
  public boolean query(String name, boolean otherwise) {
    String text = query(name);
    try {
      return text == null ? otherwise : SettingText.flag(text);
    } catch (IllegalArgumentException e) {
      throw Problem.badRequest(name + " must be true or false");
    }
  }

  /** A header; null if it is not there. */
  public @Nullable String header(CharSequence name) {
    return request.headers().get(name);
  }
}
