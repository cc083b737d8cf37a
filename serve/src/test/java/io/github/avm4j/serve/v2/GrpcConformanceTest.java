// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.v2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.linecorp.armeria.client.grpc.GrpcClients;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.model.Interval;
import io.github.avm4j.model.Provenance;
import io.github.avm4j.pipeline.RowModel;
import io.github.avm4j.serve.RunningServer;
import io.github.avm4j.serve.TestModels;
import io.github.avm4j.serve.inference.GRPCInferenceServiceGrpc.GRPCInferenceServiceBlockingStub;
import io.github.avm4j.serve.inference.InferTensorContents;
import io.github.avm4j.serve.inference.ModelInferRequest;
import io.github.avm4j.serve.inference.ModelInferRequest.InferInputTensor;
import io.github.avm4j.serve.inference.ModelInferRequest.InferRequestedOutputTensor;
import io.github.avm4j.serve.inference.ModelInferResponse;
import io.github.avm4j.serve.inference.ModelMetadataRequest;
import io.github.avm4j.serve.inference.ModelMetadataResponse;
import io.github.avm4j.serve.inference.ModelReadyRequest;
import io.github.avm4j.serve.inference.ServerLiveRequest;
import io.github.avm4j.serve.inference.ServerMetadataRequest;
import io.github.avm4j.serve.inference.ServerMetadataResponse;
import io.github.avm4j.serve.inference.ServerReadyRequest;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every method of GRPCInferenceService, called over a socket with a generated client. */
class GrpcConformanceTest {
  @TempDir static Path folder;
  static RunningServer server;
  static GRPCInferenceServiceBlockingStub client;
  static final RowModel WAVES = TestModels.numbered(3, 30, 1);
  static final RowModel PAY = TestModels.numbers(3);

  @BeforeAll
  static void start() throws Exception {
    RunningServer.put(folder, "waves-7.avm", WAVES);
    RunningServer.put(folder, "waves-8.avm", TestModels.numbered(3, 30, 9));
    RunningServer.put(folder, "people.avm", TestModels.people(2));
    RunningServer.put(folder, "pay.avm", PAY);
    server = new RunningServer(folder);
    client =
        GrpcClients.builder("gproto+" + server.server().address() + "/")
            .responseTimeoutMillis(60_000)
            .build(GRPCInferenceServiceBlockingStub.class);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void healthAndMetadata() {
    assertTrue(client.serverLive(ServerLiveRequest.getDefaultInstance()).getLive());
    assertTrue(client.serverReady(ServerReadyRequest.getDefaultInstance()).getReady());
    ServerMetadataResponse metadata =
        client.serverMetadata(ServerMetadataRequest.getDefaultInstance());
    assertEquals("avm4j", metadata.getName());
    assertEquals(Provenance.LIBRARY_VERSION, metadata.getVersion());
  }

  @Test
  void aWatcherOfHealthHearsOfChangesUntilItGoes() throws Exception {
    HealthGrpc.HealthBlockingStub health =
        GrpcClients.builder("gproto+" + server.server().address() + "/")
            .responseTimeoutMillis(60_000)
            .build(HealthGrpc.HealthBlockingStub.class);
    var late = health.watch(HealthCheckRequest.newBuilder().setService("late").build());
    assertEquals(ServingStatus.SERVICE_UNKNOWN, late.next().getStatus());
    RunningServer.put(folder, "late-1.avm", WAVES);
    assertEquals(ServingStatus.SERVING, late.next().getStatus());
    RunningServer draining = new RunningServer(folder, "--close-after-ms=100");
    HealthGrpc.HealthBlockingStub asked =
        GrpcClients.builder("gproto+" + draining.server().address() + "/")
            .responseTimeoutMillis(60_000)
            .build(HealthGrpc.HealthBlockingStub.class);
    var whole = asked.watch(HealthCheckRequest.getDefaultInstance());
    assertEquals(ServingStatus.SERVING, whole.next().getStatus());
    draining.close();
    assertEquals(ServingStatus.NOT_SERVING, whole.next().getStatus());
    assertFalse(whole.hasNext(), "the stream ends with the server");
  }

  @Test
  void modelReadyAndMetadata() {
    ModelReadyRequest.Builder ready = ModelReadyRequest.newBuilder().setName("waves");
    assertTrue(client.modelReady(ready.build()).getReady());
    assertTrue(client.modelReady(ready.setVersion("7").build()).getReady());
    assertCode(Status.Code.NOT_FOUND, () -> client.modelReady(ready.setVersion("1").build()));
    assertCode(
        Status.Code.INVALID_ARGUMENT,
        () -> client.modelReady(ModelReadyRequest.getDefaultInstance()));
    ModelMetadataResponse metadata =
        client.modelMetadata(ModelMetadataRequest.newBuilder().setName("waves").build());
    assertEquals(java.util.List.of("7", "8"), metadata.getVersionsList());
    assertEquals("x", metadata.getInputs(0).getName());
    assertEquals("FP64", metadata.getInputs(0).getDatatype());
    assertEquals(java.util.List.of(-1L, 3L), metadata.getInputs(0).getShapeList());
    assertEquals("label", metadata.getOutputs(0).getName());
  }

  private static ModelInferResponse ask(String model, String... outputs) {
    ModelInferRequest.Builder asked =
        ModelInferRequest.newBuilder()
            .setModelName(model)
            .addInputs(
                InferInputTensor.newBuilder()
                    .setName("age")
                    .setDatatype("FP64")
                    .addShape(1)
                    .setContents(InferTensorContents.newBuilder().addFp64Contents(33)));
    for (String output : outputs) {
      asked.addOutputs(InferRequestedOutputTensor.newBuilder().setName(output));
    }
    return client.modelInfer(asked.build());
  }

  @Test
  void intervalsAndSetsAreThereIfAskedFor() {
    ModelInferResponse pay = ask("pay", "prediction", "interval-0.9");
    double prediction = pay.getOutputs(0).getContents().getFp64Contents(0);
    assertEquals(java.util.List.of(1L, 2L), pay.getOutputs(1).getShapeList());
    Interval interval = PAY.model().calibration().interval(prediction, 0.9);
    assertEquals(interval.lower(), pay.getOutputs(1).getContents().getFp64Contents(0));
    assertEquals(interval.upper(), pay.getOutputs(1).getContents().getFp64Contents(1));
    assertEquals(1, ask("pay").getOutputsCount(), "not unasked");

    ModelInferResponse people = ask("people", "probabilities", "set-0.95");
    java.util.List<Double> members = people.getOutputs(1).getContents().getFp64ContentsList();
    java.util.List<Double> shares = people.getOutputs(0).getContents().getFp64ContentsList();
    int likeliest = shares.indexOf(java.util.Collections.max(shares));
    assertEquals(1, members.get(likeliest));
    assertEquals(shares.size(), members.size());
    assertCode(Status.Code.INVALID_ARGUMENT, () -> ask("pay", "interval-0.7"));
    assertCode(Status.Code.INVALID_ARGUMENT, () -> ask("pay", "set-0.9"));
  }

  private static ModelInferRequest.Builder request() {
    return ModelInferRequest.newBuilder()
        .setModelName("waves")
        .setModelVersion("7")
        .setId("q-9")
        .addInputs(
            InferInputTensor.newBuilder()
                .setName("x")
                .setDatatype("FP64")
                .addShape(1)
                .addShape(3)
                .setContents(
                    InferTensorContents.newBuilder()
                        .addFp64Contents(0.5)
                        .addFp64Contents(-1)
                        .addFp64Contents(2)));
  }

  @Test
  void inferWithTypedContents() {
    ModelInferResponse reply = client.modelInfer(request().build());
    assertEquals("waves", reply.getModelName());
    assertEquals("7", reply.getModelVersion());
    assertEquals("q-9", reply.getId());
    FeatureVector x = FeatureVector.dense(0.5, -1, 2);
    assertEquals(
        WAVES.name(WAVES.model().predict(x)),
        reply.getOutputs(0).getContents().getBytesContents(0).toStringUtf8());
    assertEquals(
        WAVES.model().score(x), reply.getOutputs(1).getContents().getFp64Contents(0), 1e-12);
    assertEquals(java.util.List.of(1L, 2L), reply.getOutputs(2).getShapeList());
  }

  @Test
  void inferWithRawContents() {
    ByteBuffer bytes = ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN);
    for (double v : new double[] {0.5, -1, 2}) {
      bytes.putDouble(v);
    }
    ModelInferRequest.Builder request = request();
    request.getInputsBuilder(0).clearContents();
    request.addRawInputContents(ByteString.copyFrom(bytes.array()));
    request.addOutputs(InferRequestedOutputTensor.newBuilder().setName("score"));
    ModelInferResponse reply = client.modelInfer(request.build());
    assertEquals(1, reply.getOutputsCount());
    assertFalse(reply.getOutputs(0).hasContents());
    double score =
        reply
            .getRawOutputContents(0)
            .asReadOnlyByteBuffer()
            .order(ByteOrder.LITTLE_ENDIAN)
            .getDouble();
    assertEquals(WAVES.model().score(FeatureVector.dense(0.5, -1, 2)), score, 1e-12);
  }

  @Test
  void columnsByNameAndFloats() {
    ModelInferRequest request =
        ModelInferRequest.newBuilder()
            .setModelName("people")
            .addInputs(
                InferInputTensor.newBuilder()
                    .setName("age")
                    .setDatatype("FP32")
                    .addShape(1)
                    .setContents(InferTensorContents.newBuilder().addFp32Contents(30)))
            .addInputs(
                InferInputTensor.newBuilder()
                    .setName("job")
                    .setDatatype("BYTES")
                    .addShape(1)
                    .setContents(
                        InferTensorContents.newBuilder()
                            .addBytesContents(ByteString.copyFromUtf8("pilot"))))
            .build();
    assertEquals(3, client.modelInfer(request).getOutputsCount());
  }

  @Test
  void whatIsWrongIsSaid() {
    ModelInferRequest.Builder unknown = request().setModelName("nobody");
    assertCode(Status.Code.NOT_FOUND, () -> client.modelInfer(unknown.build()));
    ModelInferRequest.Builder shape = request();
    shape.getInputsBuilder(0).setShape(1, 4);
    StatusRuntimeException wrong =
        assertCode(Status.Code.INVALID_ARGUMENT, () -> client.modelInfer(shape.build()));
    assertTrue(String.valueOf(wrong.getMessage()).contains("needs 4 elements, has 3"));
    ModelInferRequest.Builder huge = request();
    huge.getInputsBuilder(0).setShape(0, Long.MAX_VALUE);
    assertCode(Status.Code.INVALID_ARGUMENT, () -> client.modelInfer(huge.build()));
    ModelInferRequest.Builder both = request().addRawInputContents(ByteString.EMPTY);
    assertCode(Status.Code.INVALID_ARGUMENT, () -> client.modelInfer(both.build()));
    ModelInferRequest.Builder type = request();
    type.getInputsBuilder(0).setDatatype("fp64");
    assertCode(Status.Code.INVALID_ARGUMENT, () -> client.modelInfer(type.build()));
  }

  private static StatusRuntimeException assertCode(
      Status.Code code, org.junit.jupiter.api.function.Executable call) {
    StatusRuntimeException thrown = assertThrows(StatusRuntimeException.class, call);
    assertEquals(code, thrown.getStatus().getCode(), thrown.getMessage());
    return thrown;
  }
}
