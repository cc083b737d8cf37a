// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.guard;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.SimpleDecoratingHttpService;

/**
 * Admission for gRPC: what is shed gets RESOURCE_EXHAUSTED, in gRPC's own form. Questions after
 * health are never shed.
 */
public final class GrpcDoor extends SimpleDecoratingHttpService {
  private static final int RESOURCE_EXHAUSTED = 8;

  private final Admission admission;

  /** In front of {@code delegate}. */
  public GrpcDoor(HttpService delegate, Admission admission) {
    super(delegate);
    this.admission = admission;
  }

  @Override
  public HttpResponse serve(ServiceRequestContext ctx, HttpRequest req) throws Exception {
    if (isHealth(ctx.path())) {
      return unwrap().serve(ctx, req);
    }
    if (!admission.enter(ctx.eventLoop().withoutContext())) {
      return HttpResponse.of(
          ResponseHeaders.builder(HttpStatus.OK)
              .endOfStream(true)
              .add("content-type", "application/grpc+proto")
              .addInt("grpc-status", RESOURCE_EXHAUSTED)
              .add("grpc-message", "too many requests just now")
              .add("grpc-retry-pushback-ms", "1000")
              .build());
    }
    HttpResponse response;
    try {
      response = unwrap().serve(ctx, req);
    } catch (Exception e) {
      admission.leave();
      throw e;
    }
    Futures.then(response.whenComplete(), (done, failure) -> admission.leave());
    return response;
  }

  /** ServerLive, ServerReady and ModelReady of the Open Inference Protocol. */
  private static boolean isHealth(String path) {
    return path.endsWith("/ServerLive") || path.endsWith("Ready");
  }
}
