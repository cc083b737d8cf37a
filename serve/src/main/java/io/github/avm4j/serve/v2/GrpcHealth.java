// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.v2;

import io.github.avm4j.serve.inference.GRPCInferenceServiceGrpc;
import io.github.avm4j.serve.repository.ModelRepository;
import io.grpc.Status;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.stub.StreamObserver;
import java.util.function.BooleanSupplier;

/**
 * {@code grpc.health.v1}, as orchestrators and load balancers ask it: of the whole server (no
 * name), of the inference service, or of a model by its name.
 */
public final class GrpcHealth extends HealthGrpc.HealthImplBase {
  private final ModelRepository repository;
  private final BooleanSupplier ready;

  /** Of that repository; {@code ready} is asked for readiness. */
  public GrpcHealth(ModelRepository repository, BooleanSupplier ready) {
    this.repository = repository;
    this.ready = ready;
  }

  @Override
  public void check(HealthCheckRequest request, StreamObserver<HealthCheckResponse> observer) {
    String service = request.getService();
    boolean whole = service.isEmpty() || service.equals(GRPCInferenceServiceGrpc.SERVICE_NAME);
    if (!whole && repository.shelf(service) == null) {
      observer.onError(
          Status.NOT_FOUND.withDescription("no service or model of that name").asException());
      return;
    }
    boolean serving = ready.getAsBoolean() && (whole || repository.current(service) != null);
    observer.onNext(
        HealthCheckResponse.newBuilder()
            .setStatus(serving ? ServingStatus.SERVING : ServingStatus.NOT_SERVING)
            .build());
    observer.onCompleted();
  }
}
