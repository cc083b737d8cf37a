// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.learner.LabelBudget;
import io.github.avm4j.model.Model;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Predictions that want a label are marked, as a plain loop with one budget would mark them. */
class LabelRequestsTest {
  private static final int ROWS = 100;

  @TempDir Path folder;

  private final Random random = new Random(3);

  private double[][] rows() {
    double[][] rows = new double[ROWS][2];
    for (double[] row : rows) {
      row[0] = Math.rint(random.nextGaussian() * 1e3) / 1e3;
      row[1] = Math.rint(random.nextGaussian() * 1e3) / 1e3;
    }
    return rows;
  }

  private static String body(double[][] rows) {
    StringBuilder text = new StringBuilder();
    for (double[] row : rows) {
      text.append(text.isEmpty() ? "[" : ",").append("[" + row[0] + "," + row[1] + "]");
    }
    return text.append("]").toString();
  }

  /** Marks are those of the loop; returns how many rows were marked. */
  private int check(RunningServer server, Model model, LabelBudget budget) throws Exception {
    double[][] rows = rows();
    JsonNode answers =
        RunningServer.json(server.post("/v1/predict", body(rows))).path("predictions");
    assertEquals(ROWS, answers.size());
    int marked = 0;
    for (int r = 0; r < ROWS; r++) {
      boolean wanted = budget.wants(model, FeatureVector.dense(rows[r]));
      JsonNode mark = answers.path(r).path("wants_label");
      assertTrue(mark.isBoolean(), answers.path(r).toString());
      assertEquals(wanted, mark.asBoolean(), "row " + budget.seen());
      if (wanted && r % 2 == 0) {
        server.server().evaluation().judge(answers.path(r).path("id").asText(), "yes", 0);
      }
      marked += wanted ? 1 : 0;
    }
    server.server().evaluation().judge("of another", "yes", 0);
    return marked;
  }

  @Test
  void marksAreThoseOfAPlainLoopThroughSwapsRefusalsAndSingleRows() throws Exception {
    var first = TestModels.sums(false, 1);
    var second = TestModels.sums(true, 2);
    RunningServer.put(folder, "m-1.avm", first);
    LabelBudget budget = LabelBudget.of(0.1);
    try (RunningServer server =
        new RunningServer(
            folder, "--label-share=0.1", "--kafka=127.0.0.1:1", "--label-topic=labels")) {
      for (int k = 0; k < 10; k++) {
        check(server, first.model(), budget);
      }
      assertEquals(400, server.post("/v1/predict", "[[1, 2], [1, 2, 3]]").statusCode());
      RunningServer.put(folder, "m-2.avm", second);
      RunningServer.await(
          "the swap", () -> server.server().repository().current("m").number() == 2);
      int later = 0;
      for (int k = 0; k < 10; k++) {
        later += check(server, second.model(), budget);
      }
      assertTrue(later > 40 && later < 140, later + " of 1000");
      JsonNode single = RunningServer.json(server.post("/v1/predict", "[0, 0.001]"));
      assertEquals(
          budget.wants(second.model(), FeatureVector.dense(0, 0.001)),
          single.path("wants_label").asBoolean());
      String metrics = server.get("/metrics").body();
      String wanted = "avm_model_labels_wanted_total{model=\"m\"} " + (double) budget.asked();
      assertTrue(metrics.contains(wanted), wanted + " is not in " + metrics);
      double judged = server.server().evaluation().of("m").summary().judged();
      String returned = "avm_model_labels_returned_total{model=\"m\"} " + judged;
      assertTrue(metrics.contains(returned), returned + " is not in " + metrics);
      assertFalse(server.get("/v2/models/m").body().contains("wants"), "of /v1/predict only");
    }
  }

  @Test
  void noMarksUnlessTheyAreAskedFor() throws Exception {
    RunningServer.put(folder, "m-1.avm", TestModels.sums(false, 1));
    try (RunningServer server = new RunningServer(folder)) {
      assertFalse(server.post("/v1/predict", "[1, 2]").body().contains("wants_label"));
      String metrics = server.get("/metrics").body();
      assertTrue(metrics.contains("avm_model_labels_wanted_total{model=\"m\"} 0.0"), metrics);
    }
  }

  @Test
  void aRegressionAsksAtRandom() throws Exception {
    RunningServer.put(folder, "p-1.avm", TestModels.numbers(1));
    try (RunningServer server = new RunningServer(folder, "--label-share=1")) {
      JsonNode reply =
          RunningServer.json(server.post("/v1/predict", "{\"age\": 30, \"job\": \"cook\"}"));
      assertTrue(reply.path("wants_label").asBoolean(), reply.toString());
    }
  }

  @Test
  void threadsShareOneBudget() throws Exception {
    RunningServer.put(folder, "m-1.avm", TestModels.sums(false, 1));
    try (RunningServer server = new RunningServer(folder, "--label-share=0.05")) {
      LongAdder marked = new LongAdder();
      Thread[] threads = new Thread[4];
      for (int k = 0; k < threads.length; k++) {
        String body = body(rows());
        threads[k] =
            new Thread(
                () -> {
                  for (int t = 0; t < 5; t++) {
                    marked.add(marks(server, body));
                  }
                });
        threads[k].start();
      }
      for (Thread thread : threads) {
        thread.join();
      }
      // 75 at the beginning, then 85 % of the share
      assertTrue(marked.sum() <= 75 + 0.85 * 0.05 * 1925, marked + " of 2000");
      assertTrue(marked.sum() >= 75, marked + " of 2000");
    }
  }

  private static int marks(RunningServer server, String body) {
    try {
      return server.post("/v1/predict", body).body().split("\"wants_label\":true").length - 1;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
