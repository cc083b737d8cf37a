// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.load;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.avm4j.serve.RunningServer;
import io.github.avm4j.serve.TestModels;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The load table of lab/results/serving.md: a 200 × 22 model, rows one by one and a hundred at a
 * time, beside the bare server, all in one run. Single rows for a second each in the gate, where
 * only errors count; the figures are taken with {@code -Davm4j.load.seconds=8 -Davm4j.load.warm=30}
 * on a quiet machine, in ten minutes. Beside the bare server both processors belong to all.
 * Overload meets a server that was started on one processor, while the client has the other: a
 * client that fights for its processor measures the scheduler.
 */
@Tag("long") // figures for docs/serving.md; that overload is shed is SafetyTest's
class LoadTest {
  private static final int FEATURES = 22;
  private static final boolean WHOLE = Integer.getInteger("avm4j.load.seconds") != null;
  private static final double SECONDS = Integer.getInteger("avm4j.load.seconds", 1);
  private static final double WARM = Integer.getInteger("avm4j.load.warm", 1);

  /** All of the table, or what begins with this: {@code "REST, 100 rows"}. */
  private static final String ONLY = System.getProperty("avm4j.load.only", "");

  private static final int CONNECTIONS = Integer.getInteger("avm4j.load.connections", 1024);

  /** Enough to keep the server busy, too few to wait long for each other. */
  private static final int BUSY = 32;

  /** Requests per second that no server here can do: refusals must be compiled, too. */
  private static final double FLOOD = 40_000;

  private static final int RUNS = Integer.getInteger("avm4j.load.runs", 1);

  @TempDir Path folder;

  private final StringBuilder table =
      new StringBuilder(
          """
          | request | load | responses/s | shed % | p50 ms | p99 ms | p99.9 ms | |
          |---|---|---|---|---|---|---|---|
          """);

  /** Sends at a rate for a while. */
  private interface Client {
    Load run(double rate, double seconds) throws Exception;
  }

  /** A client and the server it asks. */
  private record Side(Client client, ServerProcess server) {
    /** Sends as fast as it can; what a response costs the server's processor is kept too. */
    Load busy(double seconds) throws Exception {
      double before = server.processorSeconds();
      Load load = client.run(0, seconds);
      load.processorMicros =
          1e6 * (server.processorSeconds() - before) / Math.max(1, load.completed() + load.shed);
      return load;
    }
  }

  @Test
  void table() throws Exception {
    Path models = java.nio.file.Files.createDirectory(folder.resolve("models"));
    RunningServer.put(models, "m-1.avm", TestModels.numbered(FEATURES, 200, 1));
    for (int rows : WHOLE ? new int[] {1, 100} : new int[] {1}) {
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
                  models.toString());
          ServerProcess one = onOneProcessor(models)) {
        byte[] body = json(rows);
        String path = "/v2/models/m/infer";
        compare(
            "REST, " + named(rows),
            new Side(new RestClient(bare.port(), path, body, BUSY, BUSY)::run, bare),
            new Side(new RestClient(avm.port(), path, body, BUSY, BUSY)::run, avm),
            new Side(new RestClient(one.port(), path, body, CONNECTIONS, BUSY)::run, one),
            new RestClient(one.port(), path, body, CONNECTIONS, CONNECTIONS)::run);
      }
    }
    System.out.printf("%n%s%n", table);
  }

  private ServerProcess onOneProcessor(Path models) throws IOException {
    String main = "io.github.avm4j.serve.ServeMain";
    Path log = folder.resolve("one.log");
    return WHOLE
        ? ServerProcess.onProcessor(0, log, main, "--port=0", models.toString())
        : new ServerProcess(log, main, "--port=0", models.toString());
  }

  /** Binds all threads of this process to processors, where figures are taken. */
  private static void bind(String processors) throws Exception {
    if (WHOLE) {
      String process = Long.toString(ProcessHandle.current().pid());
      Process binding =
          new ProcessBuilder("taskset", "-a", "-c", "-p", processors, process)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      assertEquals(0, binding.waitFor(), "taskset is needed, and two processors");
    }
  }

  private void compare(String what, Side bare, Side busy, Side wide, Client avm) throws Exception {
    if (!what.startsWith(ONLY)) {
      return;
    }
    beside(what, bare, busy);
    overload(what, wide, avm);
  }

  private void beside(String what, Side bare, Side busy) throws Exception {
    bind("0,1");
    bare.busy(WARM);
    busy.busy(WARM);
    double[] ratios = new double[RUNS];
    Load most = new Load();
    for (int run = 0; run < RUNS; run++) {
      Load first = bare.busy(SECONDS);
      most = busy.busy(SECONDS);
      Load again = bare.busy(SECONDS);
      Load best = first.rate() > again.rate() ? first : again;
      line(what, "bare server, 32 at once", best, processor(best));
      ratios[run] = most.rate() / best.rate();
      String ratio = String.format("%.2f of bare; ", ratios[run]);
      line(what, "avm serve, 32 at once", most, ratio + processor(most));
    }
    java.util.Arrays.sort(ratios);
    System.out.printf("%s: median of %d runs %.2f of bare%n", what, RUNS, ratios[RUNS / 2]);
    assertEquals(0, most.failed, what);
  }

  /** Capacity and overload come over the same connections: more of them cost the server more. */
  private void overload(String what, Side wide, Client avm) throws Exception {
    bind("1");
    wide.busy(WARM);
    avm.run(FLOOD, WARM / 2);
    Load alone = wide.busy(SECONDS);
    line(what, "on one processor, 32 at once", alone, processor(alone));
    double saturation = Math.max(20, alone.rate());
    double before = Double.NaN;
    for (double level : new double[] {0.5, 0.8, 1.2, 2.0, 0.8}) {
      boolean recovery = level == 0.8 && !Double.isNaN(before);
      Load load = avm.run(level * saturation, recovery ? Math.min(1, SECONDS) : SECONDS);
      String note =
          level > 1
              ? String.format("goodput %.2f of saturation", load.rate() / saturation)
              : recovery ? "the second after that" : "";
      note += load.unsent == 0 ? "" : "; " + load.unsent + " found no connection";
      line(what, String.format("%.0f %%, evenly", 100 * level), load, note);
      before = level > 1 ? level : before;
      assertEquals(0, load.failed, what);
    }
  }

  private static String named(int rows) {
    return rows == 1 ? "one row" : rows + " rows";
  }

  private static String processor(Load load) {
    return String.format("%.0f µs of processor per response", load.processorMicros);
  }

  private void line(String what, String load, Load result, String note) {
    String line = "| " + what + " | " + load + " | " + result.cells() + " " + note + " |";
    System.out.println(line);
    table.append(line).append('\n');
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
}
