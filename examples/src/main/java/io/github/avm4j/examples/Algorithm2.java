// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.examples;

import io.github.avm4j.Avm;
import io.github.avm4j.data.ReaderOptions;
import io.github.avm4j.data.Readers;
import io.github.avm4j.data.RowReader;
import io.github.avm4j.feature.Row;
import io.github.avm4j.learner.KernelLearner;
import io.github.avm4j.paper.Constants;
import io.github.avm4j.paper.RegretBound;
import java.io.IOException;
import java.nio.file.Path;

/** The program of docs/paper-map.md: Algorithm 2 on a LIBSVM file, Theorem 5 beside it. */
public final class Algorithm2 {
  private Algorithm2() {}

  /** Argument: the file. */
  public static void main(String[] args) throws IOException {
    KernelLearner avm = Avm.paperClassifier().gamma(1).delta(0.5).lambda(1e-3).build();
    int mistakes = 0;
    try (RowReader rows = Readers.open(ReaderOptions.defaults(), Path.of(args[0]))) {
      for (Row row = new Row(); rows.next(row); ) {
        double predicted = avm.predictThenLearn(row.features(), row.labelNumber());
        mistakes += predicted == row.labelNumber() ? 0 : 1;
      }
    }
    double deltaPhi = avm.config().kernel().imageDiameter(0.5);
    Constants constants = Constants.of(avm.config().loss(), 1e-3, deltaPhi, 0);
    double regret = new RegretBound(constants, 1e-3, deltaPhi).uniformAverage(avm.instances(), 1);
    System.out.printf("%d mistakes in %d rows, ", mistakes, avm.instances());
    System.out.printf("%d core points, %d δ-cells, ", avm.size(), avm.cells());
    System.out.printf("regret of the average at most %.4g (Theorem 5)%n", regret);
  }
}
