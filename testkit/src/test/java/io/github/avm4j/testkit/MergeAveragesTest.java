// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.avm4j.Avm;
import io.github.avm4j.averaging.LastIterate;
import io.github.avm4j.averaging.Output;
import io.github.avm4j.averaging.SuffixAverage;
import io.github.avm4j.averaging.UniformAverage;
import io.github.avm4j.averaging.WeightedAverage;
import io.github.avm4j.config.AvmConfig;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.loss.Logistic;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An average that was merged goes on as the average it says it is. */
class MergeAveragesTest {
  private static final FeatureVector PROBE = FeatureVector.dense(0.2, 0.7);
  private static final int[] SIZES = {130, 70, 200};
  private static final int TOTAL = 400;

  private static Learner merged(Output output) {
    AvmConfig config =
        Avm.paperClassifier()
            .gamma(2)
            .delta(0.4)
            .lambda(0.01)
            .loss(new Logistic())
            .labels(0, 1)
            .output(output)
            .config();
    List<Learner> shards = new ArrayList<>();
    for (int size : SIZES) {
      Learner shard = Avm.learner(config);
      LearnerChecks.learn(shard, Streams.checkerboard(2, size, size));
      shards.add(shard);
    }
    return Avm.merge(shards);
  }

  private static double score(Learner learner) {
    double[] scores = new double[2];
    learner.scores(PROBE, scores);
    return scores[1];
  }

  /**
   * (weight·mean + Σ ω(t)·w_t)/(weight + Σ ω(t)), the w_t taken from a twin that does not average.
   */
  private static void goesOn(Output output, double weight) {
    Learner average = merged(output);
    Learner twin = merged(new LastIterate());
    double sum = weight == 0 ? 0 : weight * score(average);
    double weights = weight;
    long t = TOTAL;
    for (Instance row : Streams.checkerboard(2, 300, 9)) {
      t++;
      sum += output.weight(t) * score(twin);
      weights += output.weight(t);
      twin.learn(row.x(), row.y());
      average.learn(row.x(), row.y());
      assertEquals(sum / weights, score(average), 1e-10, output + " at " + t);
    }
  }

  @Test
  void uniformGoesOn() {
    goesOn(new UniformAverage(), TOTAL);
  }

  @Test
  void weightedGoesOn() {
    goesOn(new WeightedAverage(), TOTAL * (TOTAL + 1) / 2.0);
  }

  /** The window opens after 40 steps, so that all shards have theirs open: 90, 30 and 160. */
  @Test
  void suffixThatIsOpenEverywhereGoesOn() {
    goesOn(new SuffixAverage(0.5, 80), 280);
  }

  /** After 100 steps one shard's is still closed. */
  @Test
  void suffixThatIsClosedInOneShardStartsAnew() {
    Output output = new SuffixAverage(0.5, 200);
    assertEquals(score(merged(new LastIterate())), score(merged(output)), 1e-15);
    goesOn(output, 0);
  }

  @Test
  void suffixThatIsClosedEverywhereOpensWhenItsTimeComes() {
    Output output = new SuffixAverage(0.5, 1000);
    Learner late = merged(output);
    Learner last = merged(new LastIterate());
    int t = TOTAL;
    for (Instance row : Streams.checkerboard(2, 150, 9)) {
      assertEquals(t <= 500, score(late) == score(last), "at " + t);
      if (t++ == 501) {
        break;
      }
      late.learn(row.x(), row.y());
      last.learn(row.x(), row.y());
    }
  }
}
