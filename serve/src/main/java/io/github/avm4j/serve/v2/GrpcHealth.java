// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.v2;

import com.linecorp.armeria.server.ServiceRequestContext;
import io.github.avm4j.serve.inference.GRPCInferenceServiceGrpc;
import io.github.avm4j.serve.repository.ModelRepository;
import io.grpc.Status;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Health service {@code grpc.health.v1} for orchestrators and load balancers: of the whole server
 * (no name), of the inference service, or of a model by its name. {@code Watch} tells of a change
 * when {@link #look} is called next.
 */
public final class GrpcHealth extends HealthGrpc.HealthImplBase implements AutoCloseable {
  /** Most streams of {@code Watch} at once; each holds some memory for as long as it likes. */
  static final int MOST_WATCHERS = 1_000;

  private final ModelRepository repository;
  private final BooleanSupplier ready;
  private final Set<Watcher> watchers = ConcurrentHashMap.newKeySet();

  /** Of that repository; {@code ready} is asked for readiness. */
  public GrpcHealth(ModelRepository repository, BooleanSupplier ready) {
    this.repository = repository;
    this.ready = ready;
  }

  /** One stream of {@code Watch}; its lock keeps two threads from writing at once. */
  private final class Watcher {
    private final String service;
    private final StreamObserver<HealthCheckResponse> observer;
    private @Nullable ServingStatus told;
    private boolean over;

    Watcher(String service, StreamObserver<HealthCheckResponse> observer) {
      this.service = service;
      this.observer = observer;
    }

    synchronized void look() {
      ServingStatus now = status(service);
      if (!over && now != told) {
        told = now;
        observer.onNext(response(now));
      }
    }

    synchronized void end() {
      if (!over) {
        over = true;
        observer.onCompleted();
      }
    }

    synchronized void cancelled() {
      over = true;
      watchers.remove(this);
    }
  }

  private ServingStatus status(String service) {
    boolean whole = service.isEmpty() || service.equals(GRPCInferenceServiceGrpc.SERVICE_NAME);
    boolean detector = repository.detectors().find(service) != null;
    if (!whole && !detector && repository.shelf(service) == null) {
      return ServingStatus.SERVICE_UNKNOWN;
    }
    boolean serving =
        ready.getAsBoolean() && (whole || detector || repository.current(service) != null);
    return serving ? ServingStatus.SERVING : ServingStatus.NOT_SERVING;
  }

  private static HealthCheckResponse response(ServingStatus status) {
    return HealthCheckResponse.newBuilder().setStatus(status).build();
  }

  @Override
  public void check(HealthCheckRequest request, StreamObserver<HealthCheckResponse> observer) {
    ServingStatus status = status(request.getService());
    if (status == ServingStatus.SERVICE_UNKNOWN) {
      observer.onError(
          Status.NOT_FOUND.withDescription("no service or model of that name").asException());
      return;
    }
    observer.onNext(response(status));
    observer.onCompleted();
  }

  /** The status now and after every change, for as long as the client listens. */
  @Override
  public void watch(HealthCheckRequest request, StreamObserver<HealthCheckResponse> observer) {
    if (watchers.size() >= MOST_WATCHERS) {
      observer.onError(
          Status.RESOURCE_EXHAUSTED
              .withDescription("more than " + MOST_WATCHERS + " watchers; use Check")
              .asException());
      return;
    }
    ServiceRequestContext.current().clearRequestTimeout();
    Watcher watcher = new Watcher(request.getService(), observer);
    ((ServerCallStreamObserver<HealthCheckResponse>) observer)
        .setOnCancelHandler(watcher::cancelled);
    watchers.add(watcher);
    watcher.look();
  }

  /** Tells watchers of what has changed. Any thread. */
  public void look() {
    watchers.forEach(Watcher::look);
  }

  /** Tells watchers for the last time and ends their streams. */
  @Override
  public void close() {
    for (Watcher watcher : watchers) {
      watcher.look();
      watcher.end();
    }
    watchers.clear();
  }
}
