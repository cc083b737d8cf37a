// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.http;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.RequestHeaders;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides who may do what at a port: what is open to everybody who can connect, and for all else
 * the permissions of the token that a request bears. {@link Endpoint} asks it before it reads
 * anything of a body.
 */
public final class Guard {
  private final BearerTokens tokens;
  private final Set<Permission> open;

  /** With those tokens; {@code open} needs none of them. */
  public Guard(BearerTokens tokens, Set<Permission> open) {
    this.tokens = tokens;
    this.open = Set.copyOf(open);
  }

  /**
   * Lets a request pass that has a permission.
   *
   * @return whose token it is; {@code anyone} if it needs none
   * @throws Problem if it has not
   */
  public String require(Permission permission, RequestHeaders headers) {
    if (open.contains(permission)) {
      checkOrigin(permission, headers);
      return "anyone";
    }
    BearerTokens.Caller caller = tokens.caller(headers.get(HttpHeaderNames.AUTHORIZATION));
    if (!caller.permissions().contains(permission)) {
      throw Problem.forbidden(
          "this token does not have the permission "
              + permission.word()
              + "; add it to the token's line in token-file");
    }
    return caller.name();
  }

  /**
   * Whether a request that may pass anyway has one more permission.
   *
   * @throws Problem if it bears a wrong token, or comes from a page of another site
   */
  public boolean allows(Permission permission, RequestHeaders headers) {
    if (open.contains(permission)) {
      checkOrigin(permission, headers);
      return true;
    }
    String authorization = headers.get(HttpHeaderNames.AUTHORIZATION);
    return authorization != null && tokens.caller(authorization).permissions().contains(permission);
  }

  /**
   * Teaching is open on this machine alone. A page of another site in a browser of this machine can
   * connect, too, but what it sends carries the origin of its site.
   */
  private static void checkOrigin(Permission permission, RequestHeaders headers) {
    String origin = headers.get(HttpHeaderNames.ORIGIN);
    if (permission == Permission.LEARN && origin != null && !isOwn(origin, headers.authority())) {
      throw Problem.forbidden(
          "a page of " + origin + " may not teach this server; set token-file, and send a token");
    }
  }

  private static boolean isOwn(String origin, @Nullable String authority) {
    return authority != null
        && (origin.equals("http://" + authority) || origin.equals("https://" + authority));
  }
}
