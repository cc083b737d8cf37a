// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A drill: a job is fed wrong labels and publishes a bad version. It never predicts for more than
 * its share, it is reverted within the labels of a trial, and no request goes without a prediction.
 * The labels are handed to the server's judge directly; {@code PoisonedTopicDrill} does the same
 * with models and labels in topics.
 */
@Tag("once")
class PoisonedLabelsTest {
  private static final int SHARE = 20;
  private static final int LABELS = 100;

  @TempDir Path folder;

  private final Random random = new Random(7);

  private RunningServer serve() throws Exception {
    return new RunningServer(
        folder,
        "--kafka=127.0.0.1:1",
        "--feedback-topic=labels",
        "--canary=" + SHARE,
        "--canary-labels=" + LABELS);
  }

  private static JsonNode state(RunningServer server) throws Exception {
    return RunningServer.json(server.get("/v1/models")).path("models").path(0);
  }

  /** The version that predicted; its label comes at once. */
  private String request(RunningServer server) throws Exception {
    double a = Math.rint(random.nextGaussian() * 1e3) / 1e3;
    double b = Math.rint(random.nextGaussian() * 1e3) / 1e3;
    var reply = server.post("/v1/predict", "[" + a + ", " + b + "]");
    assertEquals(200, reply.statusCode(), reply.body());
    JsonNode prediction = RunningServer.json(reply);
    server.server().evaluation().judge(prediction.path("id").asText(), a + b > 0 ? "yes" : "no", 0);
    return prediction.path("version").asText();
  }

  @Test
  void aBadVersionIsRevertedAndAGoodOneTakesOver() throws Exception {
    RunningServer.put(folder, "m-1.avm", TestModels.sums(false, 1));
    try (RunningServer server = serve()) {
      RunningServer.put(folder, "m-2.avm", TestModels.sums(true, 2));
      RunningServer.await("the trial", () -> state(server).path("on_trial").asText().equals("2"));
      int bad = 0;
      int requests = 0;
      while (state(server).has("on_trial")) {
        bad += request(server).equals("2") ? 1 : 0;
        assertTrue(++requests <= LABELS, "reverted within " + LABELS + " labels");
      }
      assertTrue(bad <= requests * SHARE / 100 * 2 + 3, bad + " of " + requests);
      assertEquals("1", state(server).path("version").asText());
      String reason = state(server).path("discarded").path(0).path("reason").asText();
      assertTrue(reason.contains("reverted: after " + requests + " labels"), reason);
      assertTrue(server.log().contains("trial_reverted"), server.log());
      for (int k = 0; k < 20; k++) {
        assertEquals("1", request(server), "never again");
      }
      RunningServer.put(folder, "m-3.avm", TestModels.sums(false, 3));
      RunningServer.await("a trial", () -> state(server).path("on_trial").asText().equals("3"));
      for (int k = 0; k < LABELS; k++) {
        request(server);
      }
      assertEquals("3", state(server).path("version").asText(), server.log());
      Thread.sleep(50);
      String metrics = server.get("/metrics").body();
      assertTrue(metrics.contains("avm_trials_promoted_total 1.0"), metrics);
      assertTrue(metrics.contains("avm_trials_reverted_total 1.0"), metrics);
    }
  }

  @Test
  void aRestartDuringATrialKeepsTheChampionAndTriesAgain() throws Exception {
    RunningServer.put(folder, "m-1.avm", TestModels.sums(false, 1));
    try (RunningServer server = serve()) {
      RunningServer.put(folder, "m-2.avm", TestModels.sums(true, 2));
      RunningServer.await("the trial", () -> state(server).path("on_trial").asText().equals("2"));
    }
    try (RunningServer server = serve()) {
      assertEquals("1", state(server).path("version").asText(), server.log());
      assertEquals("2", state(server).path("on_trial").asText(), server.log());
      int requests = 0;
      while (state(server).has("on_trial")) {
        request(server);
        assertTrue(++requests <= LABELS, "reverted within " + LABELS + " labels");
      }
      assertEquals("1", state(server).path("version").asText());
    }
  }

  @Test
  void trialsNeedLabels() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> ServeConfig.of(Settings.read(List.of("--canary=5", "m.avm"), Map.of())));
    assertTrue(String.valueOf(e.getMessage()).contains("feedback-topic"), e.getMessage());
  }
}
