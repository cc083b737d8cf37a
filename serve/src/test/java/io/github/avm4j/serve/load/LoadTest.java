// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.load;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.ByteString;
import io.github.avm4j.serve.RunningServer;
import io.github.avm4j.serve.TestModels;
import io.github.avm4j.serve.inference.ModelInferRequest;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The load table of docs/serving.md: a 200 × 22 model, rows one by one and a hundred at a time,
 * beside the bare server, all in one run. Single rows for a second each in the gate, where only
 * errors count; the figures are taken with {@code -Davm4j.load.seconds=20 -Davm4j.load.warm=45} on
 * a quiet machine.
 */
class LoadTest {
  private static final int FEATURES = 22;
  private static final double SECONDS = Integer.getInteger("avm4j.load.seconds", 1);
  private static final double WARM = Integer.getInteger("avm4j.load.warm", 1);
  private static final int CONNECTIONS = Integer.getInteger("avm4j.load.connections", 256);

  /** Enough to keep the server busy, too few to wait long for each other. */
  private static final int BUSY = 32;

  @TempDir Path folder;

  /** Sends at a rate for a while. */
  private interface Client {
    Load run(double rate, double seconds) throws Exception;
  }

  /** A client and the server it asks. */
  private record Side(Client client, ServerProcess server) {
    /** Sends as fast as it can; what an answer costs the server's processor is kept too. */
    Load busy(double seconds) throws Exception {
      double before = server.processorSeconds();
      Load load = client.run(0, seconds);
      load.processorMicros =
          1e6 * (server.processorSeconds() - before) / Math.max(1, load.answered() + load.shed);
      return load;
    }
  }

  @Test
  void table() throws Exception {
    Path models = java.nio.file.Files.createDirectory(folder.resolve("models"));
    RunningServer.put(models, "m-1.avm", TestModels.numbered(FEATURES, 200, 1));
    boolean whole = Integer.getInteger("avm4j.load.seconds") != null;
    for (int rows : whole ? new int[] {1, 100} : new int[] {1}) {
      try (ServerProcess bare =
              new ServerProcess(
                  folder.resolve("bare.log"),
                  BareServer.class.getName(),
                  Integer.toString(rows == 1 ? 200 : 8000));
          ServerProcess avm =
              new ServerProcess(
                  folder.resolve("avm.log"),
                  "io.github.avm4j.serve.ServeMain",
                  "--port=0",
                  models.toString())) {
        byte[] body = json(rows);
        String path = "/v2/models/m/infer";
        compare(
            "REST, " + rows + " rows",
            new Side(new RestClient(bare.port(), path, body, BUSY)::run, bare),
            new Side(new RestClient(avm.port(), path, body, BUSY)::run, avm),
            new RestClient(avm.port(), path, body, CONNECTIONS)::run);
        try (GrpcClient bareGrpc = new GrpcClient(bare.port(), proto(rows), BUSY);
            GrpcClient busyGrpc = new GrpcClient(avm.port(), proto(rows), BUSY);
            GrpcClient avmGrpc = new GrpcClient(avm.port(), proto(rows), CONNECTIONS)) {
          compare(
              "gRPC, " + rows + " rows",
              new Side(bareGrpc::run, bare),
              new Side(busyGrpc::run, avm),
              avmGrpc::run);
        }
      }
    }
  }

  private static void compare(String what, Side bare, Side busy, Client avm) throws Exception {
    bare.busy(WARM);
    busy.busy(WARM);
    Load first = bare.busy(SECONDS);
    Load most = busy.busy(SECONDS);
    Load again = bare.busy(SECONDS);
    double bareRate = Math.max(first.rate(), again.rate());
    double saturation = Math.max(20, most.rate());
    System.out.printf("%n%s%n  bare, all it can  %s%n", what, first);
    System.out.printf("  avm, all it can   %s%n", most);
    System.out.printf(
        "  of the bare rate: %.2f; processor time an answer: bare %.1f µs, avm %.1f µs%n",
        saturation / bareRate,
        Math.min(first.processorMicros, again.processorMicros),
        most.processorMicros);
    double[] p99 = new double[3];
    double[] levels = {0.5, 0.8, 1.2};
    for (int k = 0; k < levels.length; k++) {
      Load load = avm.run(levels[k] * saturation, SECONDS);
      p99[k] = load.millis(0.99);
      System.out.printf("  avm at %3.0f %%       %s%n", 100 * levels[k], load);
      assertEquals(0, load.failed, what);
    }
    System.out.printf("  p99 at 120 %% over p99 at 80 %%: %.2f%n", p99[2] / p99[1]);
    assertEquals(0, most.failed, what);
  }

  private static double[] values(int rows) {
    Random random = new Random(3);
    double[] values = new double[rows * FEATURES];
    java.util.Arrays.setAll(values, k -> Math.rint(random.nextGaussian() * 1e4) / 1e4);
    return values;
  }

  private static byte[] json(int rows) {
    StringBuilder text = new StringBuilder("{\"inputs\":[{\"name\":\"x\",\"datatype\":\"FP64\",");
    text.append("\"shape\":[").append(rows).append(',').append(FEATURES).append("],\"data\":[");
    double[] values = values(rows);
    for (int k = 0; k < values.length; k++) {
      text.append(k == 0 ? "" : ",").append(values[k]);
    }
    return text.append("]}]}").toString().getBytes(StandardCharsets.UTF_8);
  }

  private static ModelInferRequest proto(int rows) {
    ByteBuffer bytes = ByteBuffer.allocate(8 * rows * FEATURES).order(ByteOrder.LITTLE_ENDIAN);
    for (double value : values(rows)) {
      bytes.putDouble(value);
    }
    return ModelInferRequest.newBuilder()
        .setModelName("m")
        .addInputs(
            ModelInferRequest.InferInputTensor.newBuilder()
                .setName("x")
                .setDatatype("FP64")
                .addShape(rows)
                .addShape(FEATURES))
        .addRawInputContents(ByteString.copyFrom(bytes.array()))
        .build();
  }
}
