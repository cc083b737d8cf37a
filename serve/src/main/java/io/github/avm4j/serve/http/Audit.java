// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.http;

import com.linecorp.armeria.server.ServiceRequestContext;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** Logs one event {@code audit} for every change of state, with caller and request id. */
public final class Audit {
  private final EventLog log;

  /** Writes to {@code log}. */
  public Audit(EventLog log) {
    this.log = log;
  }

  /**
   * Records a change.
   *
   * @param caller whose token allowed it
   * @param about names and values in turn
   */
  public void changed(ServiceRequestContext ctx, String action, String caller, Object... about) {
    List<Object> all = new ArrayList<>();
    all.addAll(List.of("action", action, "caller", caller, "id", RequestIds.of(ctx)));
    all.addAll(List.of("client", ctx.clientAddress().getHostAddress()));
    String certificate = certificate(ctx.sslSession());
    if (certificate != null) {
      all.addAll(List.of("certificate", certificate));
    }
    all.addAll(List.of(about));
    log.info("audit", all.toArray());
  }

  private static @Nullable String certificate(@Nullable SSLSession session) {
    try {
      return session == null ? null : session.getPeerPrincipal().getName();
    } catch (SSLPeerUnverifiedException e) {
      return null;
    }
  }
}
