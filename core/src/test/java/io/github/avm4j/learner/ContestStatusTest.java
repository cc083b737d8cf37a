// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.kernel.Kernel;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What the default learner reports of its challenges. */
class ContestStatusTest {
  /** A checkerboard of width² fields whose colours change after {@code change} rows. */
  private static void learn(Learner learner, int width, int from, int to, int change) {
    for (int t = from; t < to; t++) {
      SplittableRandom random = new SplittableRandom(t);
      double a = width * random.nextDouble();
      double b = width * random.nextDouble();
      double y = ((int) a + (int) b + (t < change ? 0 : 1)) % 2;
      learner.learn(FeatureVector.dense(a, b), y);
    }
  }

  private static Map<String, AutoLearner.ContestStatus> contests(AutoLearner learner) {
    return learner.contests().stream()
        .collect(Collectors.toMap(AutoLearner.ContestStatus::subject, Function.identity()));
  }

  @Test
  void aNewLearnerHasNoChallengers() {
    assertTrue(
        Avm.classifier().build().contests().stream().allMatch(one -> one.challengers().isEmpty()));
  }

  @Test
  void kernelsAreReported() throws Exception {
    AutoLearner learner = Avm.classifier().budget(64).build();
    for (int rows : new int[] {700, 1100}) {
      learn(learner, 6, (int) learner.instances(), rows, rows);
      AutoLearner.ContestStatus status = contests(learner).get("kernel");
      Kernel used = learner.config().kernel();
      String[] leader = status.leader().split("[ ,]");
      assertEquals(used.getClass().getSimpleName().toLowerCase(Locale.ROOT), leader[0]);
      assertEquals(used.gamma(), Double.parseDouble(leader[1]), 1e-3 * used.gamma());
      assertTrue(!status.challengers().isEmpty(), "after " + rows);
      assertTrue(status.instances() > 0 && status.instances() <= rows, "" + status);
      assertEquals(
          learner.contests(), ((AutoLearner) Learner.fromBytes(learner.toBytes())).contests());
    }
  }

  @Test
  void cellsAreReported() {
    AutoLearner learner = Avm.classifier().budget(16).build();
    learn(learner, 6, 0, 8000, 8000);
    AutoLearner.ContestStatus cells = contests(learner).get(learner.cells() + " cells");
    assertEquals("without", cells.leader());
    assertTrue(cells.challengers().get(0).gain() > 0, cells::toString);
    assertTrue(cells.challengers().get(0).standardErrors() > 2, cells::toString);
    assertTrue(learner.predictingCells() > 0);
  }

  /** What weighs little proves little, for cells and for a learner that began afresh. */
  @Test
  void evidenceCountsByWeight() {
    AutoLearner learner = Avm.regressor().budget(16).build();
    Map<String, Double> first = new HashMap<>();
    Random random = new Random(5);
    for (int t = 0; t < 6000 && first.size() < 2; t++) {
      double[] x = {6 * random.nextDouble(), 6 * random.nextDouble()};
      double weight = t % 3 == 0 ? 0.01 : 4;
      double y = Math.sin(3 * x[0]) * Math.cos(2 * x[1]) + (t < 5000 ? 0 : 9);
      Map<String, AutoLearner.ContestStatus> before = contests(learner);
      double miss = learner.predictThenLearn(FeatureVector.dense(x), y, weight) - y;
      contests(learner)
          .forEach(
              (subject, now) -> {
                boolean begins =
                    !before.containsKey(subject) || before.get(subject).instances() == 0;
                if (subject.matches("renewal|\\d+ cells") && begins && now.instances() == 1) {
                  first.put(subject.replaceAll("\\d", ""), now.loss() / (weight * miss * miss));
                }
              });
    }
    assertEquals(Set.of("renewal", " cells"), first.keySet());
    first.forEach((subject, share) -> assertEquals(1, share, 1e-9, subject));
  }

  @Test
  void openChallengesAreReported() {
    AutoLearner learner = Avm.classifier().budget(32).cells(0).build();
    learn(learner, 2, 0, 5000, 5000);
    boolean renewed = false;
    boolean tried = false;
    for (int t = 5000; t < 9000 && !(renewed && tried); t++) {
      learn(learner, 2, t, t + 1, 5000);
      Map<String, AutoLearner.ContestStatus> all = contests(learner);
      List<AutoLearner.Challenger> fresh = all.get("renewal").challengers();
      renewed |= !fresh.isEmpty() && fresh.get(0).name().equals("fresh");
      tried |= all.containsKey("forgetting") && !all.get("forgetting").challengers().isEmpty();
    }
    assertTrue(renewed, "no challenger after an abrupt change");
    assertTrue(tried, "no trial of another forgetting factor");
  }
}
