// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.v2;

import com.google.protobuf.ByteString;
import io.github.avm4j.serve.guard.Limits;
import io.github.avm4j.serve.guard.Problem;
import io.github.avm4j.serve.inference.InferTensorContents;
import io.github.avm4j.serve.inference.ModelInferRequest;
import io.github.avm4j.serve.inference.ModelInferResponse;
import io.github.avm4j.serve.repository.ServedModel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToDoubleFunction;

/**
 * Reads and writes the tensors of gRPC. A request that sends raw bytes gets raw bytes back, as
 * Triton does; one that sends typed lists gets typed lists.
 */
final class ProtoTensors {
  private ProtoTensors() {}

  static InferRequest read(ModelInferRequest request, Limits limits) {
    int raw = request.getRawInputContentsCount();
    if (raw != 0 && raw != request.getInputsCount()) {
      throw Problem.badRequest(
          raw + " raw contents for " + request.getInputsCount() + " inputs; send one each or none");
    }
    List<Tensor> inputs = new ArrayList<>(request.getInputsCount());
    long elements = 0;
    for (int k = 0; k < request.getInputsCount(); k++) {
      ModelInferRequest.InferInputTensor input = request.getInputs(k);
      long[] shape = shape(input);
      elements += Tensor.count(input.getName(), shape);
      limits.checkElements(elements);
      DataType type = DataType.named(input.getDatatype());
      if (raw != 0 && input.hasContents()) {
        throw Problem.badRequest(
            "input '" + input.getName() + "' has contents beside its raw ones");
      }
      inputs.add(
          raw != 0
              ? BinaryTensor.read(
                  input.getName(),
                  type,
                  shape,
                  request.getRawInputContents(k).asReadOnlyByteBuffer(),
                  limits)
              : typed(input.getName(), type, shape, input.getContents()));
    }
    List<InferRequest.Output> outputs =
        request.getOutputsList().stream()
            .map(output -> new InferRequest.Output(output.getName(), raw != 0))
            .toList();
    return new InferRequest(request.getId(), inputs, outputs, raw != 0);
  }

  private static long[] shape(ModelInferRequest.InferInputTensor input) {
    long[] shape = new long[Math.min(16, input.getShapeCount())];
    if (shape.length < input.getShapeCount()) {
      throw Problem.badRequest("input '" + input.getName() + "' has more than 16 dimensions");
    }
    for (int k = 0; k < shape.length; k++) {
      shape[k] = input.getShape(k);
    }
    return shape;
  }

  private static Tensor typed(
      String name, DataType type, long[] shape, InferTensorContents contents) {
    return switch (type) {
      case BYTES -> texts(name, shape, contents);
      case BOOL ->
          numbers(
              name,
              type,
              shape,
              contents.getBoolContentsCount(),
              k -> contents.getBoolContents(k) ? 1 : 0);
      case INT8, INT16, INT32 ->
          numbers(name, type, shape, contents.getIntContentsCount(), contents::getIntContents);
      case INT64 ->
          numbers(name, type, shape, contents.getInt64ContentsCount(), contents::getInt64Contents);
      case UINT8, UINT16, UINT32 ->
          numbers(
              name,
              type,
              shape,
              contents.getUintContentsCount(),
              k -> contents.getUintContents(k) & 0xFFFF_FFFFL);
      case UINT64 ->
          numbers(
              name,
              type,
              shape,
              contents.getUint64ContentsCount(),
              k -> BinaryTensor.unsigned(contents.getUint64Contents(k)));
      case FP32 ->
          numbers(name, type, shape, contents.getFp32ContentsCount(), contents::getFp32Contents);
      case FP64 ->
          numbers(name, type, shape, contents.getFp64ContentsCount(), contents::getFp64Contents);
      case FP16 ->
          throw Problem.badRequest("input '" + name + "': FP16 comes as raw contents only");
    };
  }

  private static Tensor numbers(
      String name, DataType type, long[] shape, int count, IntToDoubleFunction element) {
    double[] numbers = new double[count];
    for (int k = 0; k < count; k++) {
      numbers[k] = element.applyAsDouble(k);
      if (!Double.isFinite(numbers[k])) {
        throw BinaryTensor.notFinite(name, k, numbers[k]);
      }
      type.check(numbers[k]);
    }
    return Tensor.numbers(name, type, shape, numbers);
  }

  private static Tensor texts(String name, long[] shape, InferTensorContents contents) {
    String[] texts = new String[contents.getBytesContentsCount()];
    for (int k = 0; k < texts.length; k++) {
      texts[k] = contents.getBytesContents(k).toString(StandardCharsets.UTF_8);
    }
    return Tensor.texts(name, shape, texts);
  }

  static ModelInferResponse write(ServedModel model, InferRequest request, List<Tensor> outputs) {
    ModelInferResponse.Builder response =
        ModelInferResponse.newBuilder()
            .setModelName(model.name())
            .setModelVersion(model.version())
            .setId(request.id());
    for (Tensor output : outputs) {
      ModelInferResponse.InferOutputTensor.Builder tensor =
          response.addOutputsBuilder().setName(output.name()).setDatatype(output.type().name());
      for (long extent : output.shape()) {
        tensor.addShape(extent);
      }
      if (request.binary()) {
        response.addRawOutputContents(ByteString.copyFrom(BinaryTensor.write(output)));
        continue;
      }
      InferTensorContents.Builder contents = tensor.getContentsBuilder();
      for (double number : output.numbers()) {
        contents.addFp64Contents(number);
      }
      for (String text : output.texts()) {
        contents.addBytesContents(ByteString.copyFromUtf8(text));
      }
    }
    return response.build();
  }
}
