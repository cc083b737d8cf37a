// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.record;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.model.Interval;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The range of a step is what the learner says of the instance before it learns from it. */
class PredictionRangeTest {
  private static final double LEVEL = 0.8;

  @Test
  void intervalsAreThoseOfAPlainLoop() {
    SplittableRandom random = new SplittableRandom(5);
    Learner plain = Avm.regressor().budget(30).estimation(200).build();
    EvaluatedLearner evaluated = evaluated(plain);
    int held = 0;
    for (int i = 0; i < 1200; i++) {
      FeatureVector x = FeatureVector.dense(random.nextDouble(), random.nextDouble());
      double y = 3 * x.values()[0] + (i < 600 ? 0.1 : 0.5) * random.nextDouble();
      Prediction one = evaluated.step(new Example("", "", x, y, 1, i), LEVEL);
      List<Double> ends = one.range();
      assertNotNull(ends);
      if (i == 0) {
        assertEquals(List.of(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY), ends);
      } else {
        Interval expected = plain.interval(x, LEVEL);
        assertEquals(List.of(expected.lower(), expected.upper()), ends, "interval " + i);
      }
      assertSame(plain.predictThenLearn(x, y, 1), one.value());
      held += ends.get(0) <= y && y <= ends.get(1) ? 1 : 0;
    }
    assertTrue(held > 900 && held < 1020, held + " of 1200 held");
    assertArrayEquals(plain.toBytes(), evaluated.learner().toBytes());
  }

  @Test
  void setsAreThoseOfAPlainLoop() {
    SplittableRandom random = new SplittableRandom(6);
    Learner plain = Avm.classifier().budget(30).estimation(200).build();
    EvaluatedLearner evaluated = evaluated(plain);
    int larger = 0;
    for (int i = 0; i < 1200; i++) {
      FeatureVector x = FeatureVector.dense(random.nextDouble(), random.nextDouble());
      boolean noise = random.nextInt(3) == 0;
      int y = noise ? random.nextInt(3) : (int) (3 * x.values()[0]);
      Prediction one = evaluated.step(new Example("", "", x, y, 1, i), LEVEL);
      double[] expected = plain.predictionSet(x, LEVEL);
      assertEquals(Arrays.stream(expected).boxed().toList(), one.range(), "set " + i);
      assertSame(plain.predictThenLearn(x, y, 1), one.value());
      larger += expected.length > 1 ? 1 : 0;
    }
    assertTrue(larger > 50, larger + " sets of several classes");
    assertArrayEquals(plain.toBytes(), evaluated.learner().toBytes());
  }

  @Test
  void thereIsNoneOfALevelThatIsNotKept() {
    Example example = new Example("", "", FeatureVector.dense(1, 2), 1, 1, 0);
    for (double level : new double[] {0, 0.77}) {
      EvaluatedLearner evaluated = new EvaluatedLearner(Avm.regressor().build());
      assertNull(evaluated.step(example, level).range());
      assertEquals(1, evaluated.instances());
    }
    Learner paper = Avm.paperClassifier().gamma(1).delta(1).lambda(0.01).build();
    assertNull(new EvaluatedLearner(paper).step(example, LEVEL).range());
  }

  private static EvaluatedLearner evaluated(Learner like) {
    return Formats.EVALUATED_LEARNER.copy(new EvaluatedLearner(like));
  }

  private static void assertSame(double expected, double actual) {
    assertEquals(Double.doubleToLongBits(expected), Double.doubleToLongBits(actual));
  }
}
