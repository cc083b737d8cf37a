// Copyright avm4j contributors. SPDX-License-Identifier: GPL-3.0-or-later
package moa.classifiers.avm4j;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.yahoo.labs.samoa.instances.Attribute;
import com.yahoo.labs.samoa.instances.DenseInstance;
import com.yahoo.labs.samoa.instances.Instance;
import com.yahoo.labs.samoa.instances.Instances;
import com.yahoo.labs.samoa.instances.InstancesHeader;
import io.github.avm4j.learner.AutoLearner;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import moa.capabilities.Capability;
import moa.core.Measurement;
import org.junit.jupiter.api.Test;

class AvmInMoaTest {
  private static final double MISSING = Double.NaN;

  /** A number, a colour of three, and a class of three. */
  private static final InstancesHeader HEADER = header(List.of("p", "q", "r"));

  private static InstancesHeader header(List<String> classes) {
    Instances data =
        new Instances(
            "test",
            List.of(
                new Attribute("x"),
                new Attribute("colour", List.of("red", "green", "blue")),
                classes.isEmpty() ? new Attribute("y") : new Attribute("class", classes)),
            0);
    data.setClassIndex(2);
    return new InstancesHeader(data);
  }

  private static Instance instance(InstancesHeader header, double weight, double... values) {
    Instance instance = new DenseInstance(weight, values);
    instance.setDataset(header);
    return instance;
  }

  private static Instance instance(double... values) {
    return instance(HEADER, 1, values);
  }

  private static AvmClassifier classifier() {
    AvmClassifier classifier = new AvmClassifier();
    classifier.setModelContext(HEADER);
    classifier.prepareForUse();
    return classifier;
  }

  /** Class p left of 0, else q if red and p if not; r never comes. */
  private static Instance random(Random random) {
    double x = random.nextGaussian();
    int colour = random.nextInt(3);
    return instance(x, colour, x > 0 && colour == 0 ? 1 : 0);
  }

  private static AvmClassifier trained(int count) {
    AvmClassifier classifier = classifier();
    Random random = new Random(1);
    for (int i = 0; i < count; i++) {
      classifier.trainOnInstance(random(random));
    }
    return classifier;
  }

  private static double measured(AbstractAvm learner, String name) {
    return Arrays.stream(learner.getModelMeasurements())
        .filter(measurement -> measurement.getName().equals(name))
        .mapToDouble(Measurement::getValue)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void votesAreProbabilities() {
    AvmClassifier classifier = classifier();
    assertArrayEquals(
        new double[] {1 / 3.0, 1 / 3.0, 1 / 3.0},
        classifier.getVotesForInstance(instance(1, 0, 0)));
    classifier = trained(2000);
    Random random = new Random(2);
    int right = 0;
    for (int i = 0; i < 500; i++) {
      Instance asked = random(random);
      double[] votes = classifier.getVotesForInstance(asked);
      assertEquals(3, votes.length);
      assertEquals(1, Arrays.stream(votes).sum(), 1e-12);
      assertTrue(Arrays.stream(votes).allMatch(vote -> vote >= 0));
      assertTrue(votes[2] < 0.1, "a class that never came");
      right += classifier.correctlyClassifies(asked) ? 1 : 0;
    }
    assertTrue(right > 470, "nominal attributes matter: " + right);
  }

  @Test
  void boundsReachTheLearner() {
    AvmClassifier classifier = classifier();
    assertEquals(512, classifier.budgetOption.getValue());
    assertEquals(256, classifier.cellsOption.getValue());
    classifier.budgetOption.setValue(20);
    classifier.cellsOption.setValue(30);
    AutoLearner learner = (AutoLearner) classifier.newLearner(instance(1, 0, 0));
    assertEquals(20, learner.settings().budget());
    assertEquals(30, learner.settings().cells());
  }

  @Test
  void missingValuesAreAnsweredAndLearned() {
    AvmClassifier classifier = trained(500);
    double[] atMean = classifier.getVotesForInstance(instance(mean(500), 1, 0));
    double[] missing = classifier.getVotesForInstance(instance(MISSING, 1, 0));
    assertArrayEquals(atMean, missing, 1e-12);
    classifier.trainOnInstance(instance(MISSING, MISSING, 0));
    assertEquals(501, measured(classifier, "instances learned from"));
    classifier.trainOnInstance(instance(1, 1, MISSING));
    assertEquals(501, measured(classifier, "instances learned from"));
  }

  private static double mean(int count) {
    Random random = new Random(1);
    double sum = 0;
    for (int i = 0; i < count; i++) {
      sum += random(random).value(0);
    }
    return sum / count;
  }

  @Test
  void weightsCount() {
    AvmClassifier light = trained(1200);
    AvmClassifier heavy = trained(1200);
    Instance odd = instance(HEADER, 1, -1, 1, 1);
    light.trainOnInstance(odd);
    heavy.trainOnInstance(instance(HEADER, 20, -1, 1, 1));
    double lightVote = light.getVotesForInstance(odd)[1];
    double heavyVote = heavy.getVotesForInstance(odd)[1];
    assertNotEquals(lightVote, heavyVote, "of the light one");
    heavy.trainOnInstance(instance(HEADER, 0, 3, 1, 2));
    assertEquals(1201, measured(heavy, "instances learned from"));
  }

  @Test
  void copiesGoOnAloneBitForBit() {
    AvmClassifier original = trained(700);
    AvmClassifier copy = (AvmClassifier) original.copy();
    Random one = new Random(3);
    Random two = new Random(3);
    for (int i = 0; i < 700; i++) {
      original.trainOnInstance(random(one));
    }
    Instance asked = instance(0.3, 0, 0);
    double[] before = copy.getVotesForInstance(asked);
    assertArrayEquals(trained(700).getVotesForInstance(asked), before);
    for (int i = 0; i < 700; i++) {
      copy.trainOnInstance(random(two));
    }
    assertArrayEquals(original.getVotesForInstance(asked), copy.getVotesForInstance(asked));
    assertNotEquals(before[0], copy.getVotesForInstance(asked)[0]);
  }

  @Test
  void resetForgetsEverything() {
    AvmClassifier classifier = trained(700);
    classifier.resetLearning();
    assertEquals(0, measured(classifier, "core points"));
    Random random = new Random(1);
    for (int i = 0; i < 300; i++) {
      classifier.trainOnInstance(random(random));
    }
    Instance asked = instance(0.3, 0, 0);
    assertArrayEquals(
        trained(300).getVotesForInstance(asked), classifier.getVotesForInstance(asked));
  }

  @Test
  void optionsReachTheLearner() {
    AvmClassifier paper = new AvmClassifier();
    paper.getOptions().setViaCLIString("-m Paper -g 0.5 -d 0.25 -l 0.001 -o Logistic -b 7");
    paper.setModelContext(HEADER);
    paper.prepareForUse();
    Random random = new Random(1);
    for (int i = 0; i < 500; i++) {
      paper.trainOnInstance(random(random));
    }
    assertEquals(7, measured(paper, "core points"));
    assertEquals(0.5, measured(paper, "gamma"));
    StringBuilder description = new StringBuilder();
    paper.getModelDescription(description, 0);
    assertTrue(description.toString().contains("Logistic"), description.toString());
    assertTrue(description.toString().contains("lambda=0.001"), description.toString());
    AvmClassifier unset = new AvmClassifier();
    unset.getOptions().setViaCLIString("-m Paper");
    unset.setModelContext(HEADER);
    unset.prepareForUse();
    assertThrows(IllegalArgumentException.class, () -> unset.trainOnInstance(instance(1, 0, 0)));
  }

  @Test
  void regressorGivesOneNumber() {
    InstancesHeader numbers = header(List.of());
    AvmRegressor regressor = new AvmRegressor();
    regressor.setModelContext(numbers);
    regressor.prepareForUse();
    assertArrayEquals(
        new double[] {0}, regressor.getVotesForInstance(instance(numbers, 1, 1, 1, 0)));
    Random random = new Random(1);
    for (int i = 0; i < 2000; i++) {
      double x = random.nextGaussian();
      int colour = random.nextInt(3);
      regressor.trainOnInstance(instance(numbers, 1, x, colour, x * x + colour));
    }
    double[] votes = regressor.getVotesForInstance(instance(numbers, 1, 1.5, 2, 0));
    assertEquals(4.25, votes[0], 0.2);
    AvmRegressor copy = (AvmRegressor) regressor.copy();
    assertArrayEquals(votes, copy.getVotesForInstance(instance(numbers, 1, 1.5, 2, 0)));
  }

  /** MOA's window begins with its short view; both learners must be in it. */
  @Test
  void areSeenInEveryViewOfTheWindow() {
    for (AbstractAvm learner : List.of(new AvmClassifier(), new AvmRegressor())) {
      assertTrue(learner.getCapabilities().hasCapability(Capability.VIEW_LITE));
      assertTrue(learner.getCapabilities().hasCapability(Capability.VIEW_STANDARD));
    }
  }
}
