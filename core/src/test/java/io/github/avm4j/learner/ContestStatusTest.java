// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.auto.Renewal;
import io.github.avm4j.internal.contest.Contest;
import io.github.avm4j.internal.tuning.TunedEngine;
import io.github.avm4j.kernel.Kernel;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the default learner reports of its contests. */
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

  private static double number(String text) {
    return Double.parseDouble(text);
  }

  @Test
  void aNewLearnerHasNoChallengersButTemperatures() {
    Map<String, AutoLearner.ContestStatus> all = contests(Avm.classifier().build());
    assertEquals(List.of(), all.get("kernel").challengers());
    assertEquals(List.of(), all.get("forgetting").challengers());
    assertEquals("1", all.get("forgetting").leader());
    assertEquals(List.of(), all.get("renewal").challengers());
    assertEquals(2, all.get("temperature").challengers().size());
    assertEquals(0, all.get("temperature").instances());
    assertEquals(4, all.size());
  }

  @Test
  void theRaceOfKernelsIsReported() throws Exception {
    AutoLearner learner = Avm.classifier().estimation(300).budget(64).build();
    learn(learner, 6, 0, 700, 700);
    AutoLearner.ContestStatus race = contests(learner).get("kernel");
    Kernel used = learner.config().kernel();
    String[] leader = race.leader().split(" ");
    assertEquals(used.getClass().getSimpleName().toLowerCase(Locale.ROOT), leader[0]);
    assertEquals(used.gamma(), number(leader[1]), 1e-3 * used.gamma());
    Set<String> families =
        Stream.concat(
                Stream.of(race.leader()),
                race.challengers().stream().map(AutoLearner.Challenger::name))
            .map(name -> name.split(" ")[0])
            .collect(Collectors.toSet());
    assertEquals(Set.of("gaussian", "matern32"), families);
    assertEquals(2, race.challengers().size());
    assertEquals(400, race.instances());
    Contest contest = learner.engine.whole.race.contest();
    assertEquals(contest.loss(), race.loss());
    for (AutoLearner.Challenger challenger : race.challengers()) {
      assertEquals(Math.signum(challenger.gain()), Math.signum(challenger.standardErrors()));
    }
    assertEquals(
        learner.contests(), ((AutoLearner) Learner.fromBytes(learner.toBytes())).contests());
  }

  @Test
  void cellsAreReported() {
    AutoLearner learner = Avm.classifier().budget(16).build();
    learn(learner, 6, 0, 8000, 8000);
    AutoLearner.ContestStatus cells = contests(learner).get(learner.cells() + " cells");
    assertEquals("without cells", cells.leader());
    assertTrue(cells.challengers().get(0).gain() > 0, cells::toString);
    assertTrue(cells.challengers().get(0).standardErrors() > 2, cells::toString);
    assertTrue(learner.predictingCells() > 0);
    assertTrue(learner.predictingCells() <= learner.cells());
  }

  @Test
  void openChallengesAreReported() {
    AutoLearner learner = Avm.classifier().budget(32).cells(0).build();
    learn(learner, 2, 0, 5000, 5000);
    Renewal renewal = learner.engine.renewal;
    TunedEngine whole = learner.engine.whole;
    boolean renewed = false;
    boolean tried = false;
    for (int t = 5000; t < 9000 && !(renewed && tried); t++) {
      learn(learner, 2, t, t + 1, 5000);
      if (renewal.challenger != null && renewal.age > 0) {
        AutoLearner.ContestStatus status = contests(learner).get("renewal");
        assertEquals(renewal.age, status.instances());
        assertEquals("fresh", status.challengers().get(0).name());
        renewed = true;
      }
      if (whole == learner.engine.whole && whole.trial.challenger != null) {
        AutoLearner.ContestStatus status = contests(learner).get("forgetting");
        double factor = whole.trial.challenger.config().forgetting();
        assertEquals(factor, number(status.challengers().get(0).name()), 1e-4);
        tried = true;
      }
    }
    assertTrue(renewed, "no challenger after an abrupt change");
    assertTrue(tried, "no trial of another forgetting factor");
  }
}
