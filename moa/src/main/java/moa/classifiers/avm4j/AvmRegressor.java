// Copyright avm4j contributors. SPDX-License-Identifier: GPL-3.0-or-later
package moa.classifiers.avm4j;

import com.github.javacliparser.FloatOption;
import com.yahoo.labs.samoa.instances.Instance;
import io.github.avm4j.Avm;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.loss.EpsilonInsensitive;
import moa.classifiers.Regressor;

/**
 * An Approximation Vector Machine as MOA's regressor: kernel regression in bounded memory. The one
 * vote is the number predicted, 0 before the first instance.
 *
 * @since 0.1.0
 */
public final class AvmRegressor extends AbstractAvm implements Regressor {
  private static final long serialVersionUID = 1;

  /** ε of the paper's loss. */
  public final FloatOption epsilonOption =
      new FloatOption(
          "epsilon", 'o', "Paper mode: misses up to this cost nothing.", 0.1, 0, Double.MAX_VALUE);

  /** With MOA's defaults; called by MOA. */
  public AvmRegressor() {}

  @Override
  public String getPurposeString() {
    return "Approximation Vector Machine: kernel regression in bounded memory.";
  }

  @Override
  Learner newLearner(Instance first) {
    if (isPaper()) {
      return Avm.paperRegressor()
          .gamma(gammaOption.getValue())
          .delta(deltaOption.getValue())
          .lambda(lambdaOption.getValue())
          .loss(new EpsilonInsensitive(epsilonOption.getValue()))
          .budget(budgetOption.getValue())
          .build();
    }
    return Avm.regressor()
        .gamma(gammaOption.getValue())
        .lambda(lambdaOption.getValue())
        .budget(budgetOption.getValue())
        .cells(cellsOption.getValue())
        .estimation(estimationOption.getValue())
        .build();
  }

  @Override
  public double[] getVotesForInstance(Instance instance) {
    Learner learner = learner();
    return new double[] {learner == null ? 0 : learner.predict(encode(instance))};
  }
}
