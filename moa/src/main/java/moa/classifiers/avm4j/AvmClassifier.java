// Copyright avm4j contributors. SPDX-License-Identifier: GPL-3.0-or-later
package moa.classifiers.avm4j;

import com.github.javacliparser.MultiChoiceOption;
import com.yahoo.labs.samoa.instances.Instance;
import io.github.avm4j.Avm;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.loss.Hinge;
import io.github.avm4j.loss.Logistic;
import java.util.Arrays;
import java.util.stream.IntStream;
import moa.classifiers.MultiClassClassifier;

/**
 * An Approximation Vector Machine as MOA's classifier: kernel learning in bounded memory, for two
 * or many classes. The classes of the stream's header are known in advance. Votes are
 * probabilities: softmax of the scores, uniform before the first instance.
 *
 * @since 0.1.0
 */
public final class AvmClassifier extends AbstractAvm implements MultiClassClassifier {
  private static final long serialVersionUID = 1;

  /** The paper's loss. */
  public final MultiChoiceOption lossOption =
      new MultiChoiceOption(
          "loss",
          'o',
          "Paper mode: the loss.",
          new String[] {"Hinge", "Logistic"},
          new String[] {"max(0, 1 - yf)", "log(1 + exp(-yf))"},
          0);

  /** With MOA's defaults; called by MOA. */
  public AvmClassifier() {}

  @Override
  public String getPurposeString() {
    return "Approximation Vector Machine: kernel classification in bounded memory.";
  }

  @Override
  Learner newLearner(Instance first) {
    double[] labels = IntStream.range(0, first.numClasses()).asDoubleStream().toArray();
    if (isPaper()) {
      return Avm.paperClassifier()
          .gamma(gammaOption.getValue())
          .delta(deltaOption.getValue())
          .lambda(lambdaOption.getValue())
          .loss(lossOption.getChosenIndex() == 0 ? new Hinge() : new Logistic())
          .budget(budgetOption.getValue())
          .labels(labels)
          .build();
    }
    return Avm.classifier()
        .gamma(gammaOption.getValue())
        .lambda(lambdaOption.getValue())
        .budget(budgetOption.getValue())
        .cells(cellsOption.getValue())
        .estimation(estimationOption.getValue())
        .labels(labels)
        .build();
  }

  @Override
  public double[] getVotesForInstance(Instance instance) {
    Learner learner = learner();
    int classes = Math.max(1, instance.numClasses());
    if (learner == null) {
      double[] uniform = new double[classes];
      Arrays.fill(uniform, 1.0 / classes);
      return uniform;
    }
    double[] probabilities = new double[learner.classes()];
    learner.probabilities(encode(instance), probabilities);
    double[] votes = new double[classes];
    for (int j = 0; j < probabilities.length; j++) {
      int index = (int) learner.label(j);
      votes = index < votes.length ? votes : Arrays.copyOf(votes, index + 1);
      votes[index] = probabilities[j];
    }
    return votes;
  }
}
