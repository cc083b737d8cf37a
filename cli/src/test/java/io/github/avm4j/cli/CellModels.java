// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.model.Cells;
import io.github.avm4j.model.Centres;
import io.github.avm4j.model.Model;
import io.github.avm4j.pipeline.RowModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Model files whose space is divided into cells. */
public final class CellModels {
  private CellModels() {}

  /**
   * Divides the space of a model of two classes around its core points. All cells have the same
   * model, which met the second class first; a newer level has no model in any cell but one.
   *
   * @return the divided model, as the file now has it
   */
  public static RowModel divide(Path file) throws IOException {
    RowModel rows = RowModel.read(Files.readAllBytes(file));
    Model whole = rows.model();
    Model part = part(whole.dimension(), 1);
    List<Model> newer = cells(part.size(), null);
    newer.set(0, part(whole.dimension(), 2));
    Model divided =
        whole.with(
            List.of(
                new Cells(
                    new Centres(whole.scaling(), whole.coreSet().copy()),
                    cells(whole.size(), part)),
                new Cells(new Centres(part.scaling(), part.coreSet().copy()), newer)));
    RowModel all = new RowModel(rows.schema(), rows.target(), rows.classNames(), divided);
    Files.write(file, all.toBytes());
    return all;
  }

  private static List<Model> cells(int count, Model part) {
    return new ArrayList<>(Collections.nCopies(count, part));
  }

  /** Classes 1 and 0 by the norm, 1 met first. */
  private static Model part(int features, long seed) {
    Learner learner = io.github.avm4j.Avm.classifier().features(features).budget(40).build();
    Random random = new Random(seed);
    for (int t = 0; t < 1500; t++) {
      double[] x = new double[features];
      double norm = 0;
      for (int j = 0; j < features; j++) {
        x[j] = 2 * random.nextDouble() - 1;
        norm += x[j] * x[j];
      }
      learner.learn(FeatureVector.dense(x), t == 0 || norm > 0.5 * features ? 1 : 0);
    }
    return learner.snapshot();
  }
}
