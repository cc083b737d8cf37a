// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.tensor;

import com.fasterxml.jackson.core.JsonGenerator;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import io.github.avm4j.serve.http.Json;
import io.github.avm4j.serve.http.Reply;
import io.github.avm4j.serve.models.ServedModel;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Writes the inference response of REST: JSON, and the bytes of binary outputs after it. */
final class InferReply {
  private InferReply() {}

  static Reply of(ServedModel model, InferRequest request, List<Tensor> outputs) {
    List<byte[]> tails = new ArrayList<>();
    byte[] json = Json.write(out -> write(out, model, request, outputs, tails));
    if (tails.isEmpty()) {
      return Reply.json(json);
    }
    ByteArrayOutputStream all = new ByteArrayOutputStream(json.length + 64);
    all.writeBytes(json);
    tails.forEach(all::writeBytes);
    return new Reply(
        ResponseHeaders.builder(HttpStatus.OK)
            .contentType(MediaType.OCTET_STREAM)
            .set(Rest.JSON_LENGTH, Integer.toString(json.length))
            .build(),
        all.toByteArray());
  }

  private static void write(
      JsonGenerator json,
      ServedModel model,
      InferRequest request,
      List<Tensor> outputs,
      List<byte[]> tails)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("model_name", model.name());
    json.writeStringField("model_version", model.version());
    if (!request.id().isEmpty()) {
      json.writeStringField("id", request.id());
    }
    json.writeArrayFieldStart("outputs");
    for (Tensor output : outputs) {
      json.writeStartObject();
      json.writeStringField("name", output.name());
      json.writeStringField("datatype", output.type().name());
      json.writeFieldName("shape");
      json.writeArray(output.shape(), 0, output.shape().length);
      if (request.isBinary(output.name())) {
        byte[] bytes = BinaryTensor.write(output);
        tails.add(bytes);
        json.writeObjectFieldStart("parameters");
        json.writeNumberField("binary_data_size", bytes.length);
        json.writeEndObject();
      } else if (output.type() == DataType.BYTES) {
        json.writeFieldName("data");
        json.writeArray(output.texts(), 0, output.texts().length);
      } else {
        json.writeFieldName("data");
        json.writeArray(output.numbers(), 0, output.numbers().length);
      }
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }
}
