// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.v2;

import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.github.avm4j.model.Provenance;
import io.github.avm4j.serve.Measures;
import io.github.avm4j.serve.guard.Futures;
import io.github.avm4j.serve.guard.GrpcAdmission;
import io.github.avm4j.serve.guard.Limits;
import io.github.avm4j.serve.guard.Problem;
import io.github.avm4j.serve.guard.RefusalLog;
import io.github.avm4j.serve.guard.Workers;
import io.github.avm4j.serve.inference.GRPCInferenceServiceGrpc;
import io.github.avm4j.serve.inference.ModelInferRequest;
import io.github.avm4j.serve.inference.ModelInferResponse;
import io.github.avm4j.serve.inference.ModelMetadataRequest;
import io.github.avm4j.serve.inference.ModelMetadataResponse;
import io.github.avm4j.serve.inference.ModelReadyRequest;
import io.github.avm4j.serve.inference.ModelReadyResponse;
import io.github.avm4j.serve.inference.ServerLiveRequest;
import io.github.avm4j.serve.inference.ServerLiveResponse;
import io.github.avm4j.serve.inference.ServerMetadataRequest;
import io.github.avm4j.serve.inference.ServerMetadataResponse;
import io.github.avm4j.serve.inference.ServerReadyRequest;
import io.github.avm4j.serve.inference.ServerReadyResponse;
import io.github.avm4j.serve.repository.ServedModel;
import io.github.avm4j.serve.rest.Models;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** The protocol's gRPC service. */
public final class Grpc extends GRPCInferenceServiceGrpc.GRPCInferenceServiceImplBase {
  private final Models models;
  private final Limits limits;
  private final BooleanSupplier ready;
  private final Workers workers;
  private final Measures measures;
  private final RefusalLog refusals;

  /** Serves {@code models} within {@code limits}; {@code ready} reports readiness. */
  public Grpc(
      Models models,
      Limits limits,
      BooleanSupplier ready,
      Workers workers,
      Measures measures,
      RefusalLog refusals) {
    this.models = models;
    this.limits = limits;
    this.ready = ready;
    this.workers = workers;
    this.measures = measures;
    this.refusals = refusals;
  }

  private <T> void respond(String name, StreamObserver<T> observer, long cost, Supplier<T> work) {
    long start = System.nanoTime();
    ServiceRequestContext ctx = ServiceRequestContext.current();
    CompletableFuture<T> result;
    try {
      result =
          workers.run(
              cost,
              () -> {
                checkWanted(ctx);
                return CompletableFuture.completedFuture(work.get());
              });
    } catch (RuntimeException e) {
      result = CompletableFuture.failedFuture(e);
    }
    boolean here = result.isDone();
    Futures.then(
        result,
        (message, failure) -> {
          GrpcAdmission.leave(ctx, here);
          if (failure == null) {
            measures.request(name, 200, System.nanoTime() - start);
            observer.onNext(message);
            observer.onCompleted();
          } else {
            Problem problem = Problem.of(failure);
            tell(ctx, problem, failure);
            measures.request(name, problem.httpStatus().code(), System.nanoTime() - start);
            observer.onError(problem.grpcStatus().asRuntimeException());
          }
        });
  }

  private static void checkWanted(ServiceRequestContext ctx) {
    if (ctx.isCancelled()) {
      throw Problem.unavailable("the request ended before its prediction was complete");
    }
  }

  private void tell(ServiceRequestContext ctx, Problem problem, Throwable failure) {
    if (problem.httpStatus().equals(HttpStatus.INTERNAL_SERVER_ERROR)) {
      refusals.failed(ctx, problem.httpStatus(), failure);
    } else {
      refusals.refused(ctx, problem.httpStatus(), problem.text());
    }
  }

  @Override
  public void serverLive(ServerLiveRequest request, StreamObserver<ServerLiveResponse> observer) {
    respond("grpc_live", observer, 0, () -> ServerLiveResponse.newBuilder().setLive(true).build());
  }

  @Override
  public void serverReady(
      ServerReadyRequest request, StreamObserver<ServerReadyResponse> observer) {
    respond(
        "grpc_ready",
        observer,
        0,
        () -> ServerReadyResponse.newBuilder().setReady(ready.getAsBoolean()).build());
  }

  @Override
  public void modelReady(ModelReadyRequest request, StreamObserver<ModelReadyResponse> observer) {
    respond(
        "grpc_model_ready",
        observer,
        0,
        () -> {
          models.find(named(request.getName()), request.getVersion());
          return ModelReadyResponse.newBuilder().setReady(true).build();
        });
  }

  @Override
  public void serverMetadata(
      ServerMetadataRequest request, StreamObserver<ServerMetadataResponse> observer) {
    respond(
        "grpc_metadata",
        observer,
        0,
        () ->
            ServerMetadataResponse.newBuilder()
                .setName(Rest.SERVER)
                .setVersion(Provenance.LIBRARY_VERSION)
                .build());
  }

  @Override
  public void modelMetadata(
      ModelMetadataRequest request, StreamObserver<ModelMetadataResponse> observer) {
    respond(
        "grpc_model",
        observer,
        0,
        () -> {
          ServedModel model = models.find(named(request.getName()), request.getVersion());
          Signature signature = Signature.of(model);
          return ModelMetadataResponse.newBuilder()
              .setName(model.name())
              .addAllVersions(models.versions(model.name()))
              .setPlatform(Rest.PLATFORM)
              .addAllInputs(signature.inputs().stream().map(Grpc::metadata).toList())
              .addAllOutputs(signature.outputs().stream().map(Grpc::metadata).toList())
              .build();
        });
  }

  /** The protocol leaves out versions, never names. */
  private static String named(String name) {
    if (name.isEmpty()) {
      throw Problem.badRequest("the model's name is missing");
    }
    return name;
  }

  private static ModelMetadataResponse.TensorMetadata metadata(Signature.Slot slot) {
    return ModelMetadataResponse.TensorMetadata.newBuilder()
        .setName(slot.name())
        .setDatatype(slot.type().name())
        .addAllShape(slot.shape())
        .build();
  }

  @Override
  public void modelInfer(ModelInferRequest request, StreamObserver<ModelInferResponse> observer) {
    ServiceRequestContext ctx = ServiceRequestContext.current();
    long cost;
    ServedModel model;
    try {
      model = models.find(named(request.getModelName()), request.getModelVersion());
      cost = request.getSerializedSize() / 8L * model.distances();
    } catch (Problem e) {
      respond(
          "grpc_infer",
          observer,
          0,
          () -> {
            throw e;
          });
      return;
    }
    respond(
        "grpc_infer",
        observer,
        cost,
        () -> {
          InferRequest read = ProtoTensors.read(request, limits);
          List<Tensor> outputs =
              new Inference(model, limits, () -> checkWanted(ctx))
                  .run(read.inputs(), read.wanted());
          return ProtoTensors.write(model, read, outputs);
        });
  }
}
