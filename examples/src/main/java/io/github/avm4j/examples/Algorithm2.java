// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.examples;

import io.github.avm4j.Avm;
import io.github.avm4j.data.ReaderOptions;
import io.github.avm4j.data.Readers;
import io.github.avm4j.data.RowReader;
import io.github.avm4j.feature.Row;
import io.github.avm4j.learner.KernelLearner;
import io.github.avm4j.theory.Constants;
import io.github.avm4j.theory.RegretBound;
import java.io.IOException;
import java.nio.file.Path;

/** The paper's Algorithm 2 on a LIBSVM file, and what its Theorem 5 says beside it. */
public final class Algorithm2 {
  private Algorithm2() {}

  /** Arguments: the file, γ, δ, λ. */
  public static void main(String[] args) throws IOException {
    System.out.println(
        run(
            Path.of(args[0]),
            Double.parseDouble(args[1]),
            Double.parseDouble(args[2]),
            Double.parseDouble(args[3])));
  }

  static String run(Path file, double gamma, double delta, double lambda) throws IOException {
    KernelLearner avm = Avm.paperClassifier().gamma(gamma).delta(delta).lambda(lambda).build();
    long mistakes = 0;
    try (RowReader reader = Readers.open(ReaderOptions.defaults(), file)) {
      Row row = new Row();
      while (reader.next(row)) {
        double predicted = avm.predictThenLearn(row.features(), row.labelNumber());
        mistakes += predicted == row.labelNumber() ? 0 : 1;
      }
    }
    long t = avm.instances();
    double deltaPhi = avm.config().kernel().imageDiameter(delta);
    Constants constants = Constants.of(avm.config().loss(), lambda, deltaPhi, 0);
    double regret = new RegretBound(constants, lambda, deltaPhi).uniformAverage(t, 1);
    return "%d rows, %.2f %% mistakes, %d core points in %d cells, regret at most %.4g"
        .formatted(t, 100.0 * mistakes / t, avm.size(), avm.cells(), regret);
  }
}
