// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.tensor;

import com.fasterxml.jackson.core.JsonGenerator;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.ServerBuilder;
import io.github.avm4j.model.Provenance;
import io.github.avm4j.serve.http.Call;
import io.github.avm4j.serve.http.Endpoint;
import io.github.avm4j.serve.http.Limits;
import io.github.avm4j.serve.http.Permission;
import io.github.avm4j.serve.http.Problem;
import io.github.avm4j.serve.http.Reply;
import io.github.avm4j.serve.models.ServedModel;
import io.github.avm4j.serve.predict.Models;
import io.netty.util.AsciiString;
import java.io.IOException;
import java.util.List;
import java.util.function.BooleanSupplier;

/** The protocol's REST endpoints. */
public final class Rest {
  /** Where the JSON of a body ends and the bytes of its tensors begin. */
  static final AsciiString JSON_LENGTH = Call.JSON_LENGTH;

  /** What the server calls itself in its metadata. */
  static final String SERVER = "avm4j";

  static final List<String> EXTENSIONS = List.of("binary_tensor_data");
  static final String PLATFORM = "avm4j";

  private final Models models;
  private final Limits limits;
  private final BooleanSupplier ready;

  /** Serves {@code models} within {@code limits}; {@code ready} reports readiness. */
  public Rest(Models models, Limits limits, BooleanSupplier ready) {
    this.models = models;
    this.limits = limits;
    this.ready = ready;
  }

  /** Binds all endpoints. */
  public void bind(ServerBuilder server, Endpoint.Surroundings surroundings) {
    get(server, surroundings, "/v2", "v2_metadata", call -> serverMetadata());
    bindHealth(server, surroundings);
    for (String path : List.of("/v2/models/{name}", "/v2/models/{name}/versions/{version}")) {
      get(server, surroundings, path, "v2_model", this::modelMetadata);
      always(
          server,
          surroundings,
          path + "/ready",
          "v2_model_ready",
          Permission.PREDICT,
          this::modelReady);
      server
          .route()
          .post(path + "/infer")
          .build(new Endpoint("v2_infer", Permission.PREDICT, surroundings, this::infer));
    }
  }

  /** Binds the server's own health alone. */
  public void bindHealth(ServerBuilder server, Endpoint.Surroundings surroundings) {
    always(
        server,
        surroundings,
        "/v2/health/live",
        "v2_live",
        Permission.HEALTH,
        call -> flag("live", true));
    always(
        server,
        surroundings,
        "/v2/health/ready",
        "v2_ready",
        Permission.HEALTH,
        call -> flag("ready", ready.getAsBoolean()));
  }

  private static void get(
      ServerBuilder server,
      Endpoint.Surroundings surroundings,
      String path,
      String name,
      Endpoint.Immediate handler) {
    server.route().get(path).build(new Endpoint(name, Permission.PREDICT, surroundings, handler));
  }

  private static void always(
      ServerBuilder server,
      Endpoint.Surroundings surroundings,
      String path,
      String name,
      Permission permission,
      Endpoint.Immediate handler) {
    server.route().get(path).build(Endpoint.always(name, permission, surroundings, handler));
  }

  private Endpoint.Job infer(Call call) {
    ServedModel model = model(call);
    return Endpoint.Job.of(
        call.body().length / 8L * model.distances(),
        () -> {
          InferRequest request = JsonTensors.read(call.body(), jsonLength(call), limits);
          List<Tensor> outputs =
              new Inference(model, limits, call::checkCancelled)
                  .run(request.inputs(), request.wanted());
          return InferReply.of(model, request, outputs);
        });
  }

  private static int jsonLength(Call call) {
    String header = call.header(JSON_LENGTH);
    if (header == null) {
      return call.body().length;
    }
    int length = header.matches("\\d{1,9}") ? Integer.parseInt(header) : -1;
    if (length < 0 || length > call.body().length) {
      throw Problem.badRequest(
          JSON_LENGTH + " must be in 0.." + call.body().length + ", the size of the body");
    }
    return length;
  }

  private ServedModel model(Call call) {
    return models.find(call.path("name"), call.optionalPath("version"));
  }

  private static Reply flag(String name, boolean value) {
    return Reply.json(
        value ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE,
        json -> {
          json.writeStartObject();
          json.writeBooleanField(name, value);
          json.writeEndObject();
        });
  }

  private static Reply serverMetadata() {
    return Reply.json(
        json -> {
          json.writeStartObject();
          json.writeStringField("name", SERVER);
          json.writeStringField("version", Provenance.LIBRARY_VERSION);
          json.writeArrayFieldStart("extensions");
          for (String extension : EXTENSIONS) {
            json.writeString(extension);
          }
          json.writeEndArray();
          json.writeEndObject();
        });
  }

  private Reply modelReady(Call call) {
    ServedModel model = model(call);
    return Reply.json(
        json -> {
          json.writeStartObject();
          json.writeStringField("name", model.name());
          json.writeBooleanField("ready", true);
          json.writeEndObject();
        });
  }

  private Reply modelMetadata(Call call) {
    ServedModel model = model(call);
    Signature signature = Signature.of(model);
    List<String> versions = models.versions(model.name());
    return Reply.json(
        json -> {
          json.writeStartObject();
          json.writeStringField("name", model.name());
          json.writeArrayFieldStart("versions");
          for (String version : versions) {
            json.writeString(version);
          }
          json.writeEndArray();
          json.writeStringField("platform", PLATFORM);
          write(json, "inputs", signature.inputs());
          write(json, "outputs", signature.outputs());
          json.writeEndObject();
        });
  }

  private static void write(JsonGenerator json, String name, List<Signature.Slot> slots)
      throws IOException {
    json.writeArrayFieldStart(name);
    for (Signature.Slot slot : slots) {
      json.writeStartObject();
      json.writeStringField("name", slot.name());
      json.writeStringField("datatype", slot.type().name());
      json.writeArrayFieldStart("shape");
      for (long extent : slot.shape()) {
        json.writeNumber(extent);
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    json.writeEndArray();
  }
}
