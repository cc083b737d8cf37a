// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.learn;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.RequestHeaders;
import io.github.avm4j.serve.http.BearerTokens;
import io.github.avm4j.serve.http.Problem;
import org.jspecify.annotations.Nullable;

/**
 * Who may teach: callers with a token; where there are no tokens, callers on this machine, which is
 * then all that can connect. A page of another site in a browser of this machine may not, although
 * it can connect: what it sends carries the origin of its site.
 */
public final class Teachers {
  private final BearerTokens tokens;
  private final boolean open;

  /**
   * By those tokens.
   *
   * @param open whether everybody who can connect may teach
   */
  public Teachers(BearerTokens tokens, boolean open) {
    this.tokens = tokens;
    this.open = open;
  }

  /**
   * Lets teachers pass.
   *
   * @return who it is, for the log
   * @throws Problem for all others
   */
  public String require(RequestHeaders headers) {
    if (!open) {
      return tokens.require(headers.get(HttpHeaderNames.AUTHORIZATION));
    }
    String origin = headers.get(HttpHeaderNames.ORIGIN);
    if (origin != null && !isOwn(origin, headers.authority())) {
      throw Problem.forbidden(
          "a page of " + origin + " may not teach this server; set token-file, and send a token");
    }
    return "loopback";
  }

  private static boolean isOwn(String origin, @Nullable String authority) {
    return authority != null
        && (origin.equals("http://" + authority) || origin.equals("https://" + authority));
  }

  /**
   * Whether the rows of a request wait for their labels. Those of callers without a token are
   * predicted, and that is all.
   *
   * @throws Problem if the token is a wrong one, or the page one of another site
   */
  public boolean may(RequestHeaders headers) {
    if (!open && headers.get(HttpHeaderNames.AUTHORIZATION) == null) {
      return false;
    }
    require(headers);
    return true;
  }
}
