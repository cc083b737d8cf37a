// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.export;

import io.github.avm4j.Avm;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.Bounds;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Scaling;
import io.github.avm4j.kernel.Gaussian;
import io.github.avm4j.kernel.Kernel;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.model.Cells;
import io.github.avm4j.model.Centres;
import io.github.avm4j.model.Model;
import io.github.avm4j.model.SplitTree;
import io.github.avm4j.pipeline.RowModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Models with cells: learned from a checkerboard, or put together from small models. */
final class CellModels {
  private CellModels() {}

  /** The model of a default learner with a budget of 64, of 12×12 fields; 0 classes: regression. */
  static Model checkerboard(int classes) {
    Learner learner = (classes == 0 ? Avm.regressor() : Avm.classifier()).budget(64).build();
    Random random = new Random(17);
    for (int t = 0; t < 6000; t++) {
      double[] x = {12 * random.nextDouble(), 12 * random.nextDouble()};
      int field = (int) x[0] + (int) x[1];
      learner.learn(x, classes == 0 ? field % 2 + 0.1 * x[0] : field % classes);
    }
    return learner.snapshot();
  }

  /** A small model of two features with the given labels, met in this order; none: regression. */
  static Model part(Kernel kernel, Scaling scaling, long seed, int... labels) {
    return part(kernel, 0.4, scaling, seed, labels);
  }

  private static Model part(
      Kernel kernel, double delta, Scaling scaling, long seed, int... labels) {
    boolean regression = labels.length == 0;
    Learner learner =
        LearnerKinds.paper(regression ? Task.REGRESSION : Task.CLASSIFICATION, kernel, delta);
    Random random = new Random(seed);
    for (int t = 0; t < 120; t++) {
      double[] x = {random.nextGaussian(), random.nextGaussian()};
      int quadrant = (x[0] > 0 ? 1 : 0) + (x[1] > 0 ? 2 : 0);
      int met = t < labels.length ? t : quadrant % Math.max(1, labels.length);
      learner.learn(FeatureVector.dense(x), regression ? Math.sin(3 * x[0]) : labels[met]);
    }
    return learner.snapshot().with(scaling, regression ? seed : 0);
  }

  /** Cells around a few points, with these models in turn; null where there is none. */
  static Cells cells(Scaling scaling, long seed, Model... models) {
    Model points = part(new Gaussian(1), 2, Scaling.none(), seed);
    List<Model> turn = new ArrayList<>();
    for (int i = 0; i < points.size(); i++) {
      turn.add(models[i % models.length]);
    }
    return new Cells(new Centres(scaling, points.coreSet().copy()), turn);
  }

  /** Cells that are the leaves of a tree over two features, with these models in turn. */
  static Cells leaves(Model... models) {
    List<Model> turn = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      turn.add(models[i % models.length]);
    }
    return new Cells(
        new SplitTree(
            2,
            false,
            new int[] {0, 1, 1, 0, 0, 1},
            new double[] {0.25, -1, 0.5, -2, 1.5, -2},
            new int[] {1, 3, ~4, ~0, ~5, ~2},
            new int[] {2, ~3, 4, 5, ~6, ~1}),
        turn);
  }

  /** Two levels of cells, with several scalings and two widths of the kernel. */
  static Model levels(Kernel kernel, Kernel narrow, int... labels) {
    Scaling wide = scaling(0.1, 0.7, false);
    Scaling tall = scaling(-0.3, 1.9, true);
    int[] turned = labels.clone();
    for (int j = 0; j < turned.length; j++) {
      turned[j] = labels[labels.length - 1 - j];
    }
    int[] some = labels.length == 0 ? labels : new int[] {turned[0]};
    int[] two = labels.length == 0 ? labels : new int[] {turned[0], turned[1]};
    Cells older = cells(wide, 10, part(narrow, tall, 9, turned), part(kernel, tall, 11, two), null);
    Cells newer =
        cells(
            tall,
            13,
            null,
            part(narrow, wide, 2, some),
            null,
            part(kernel, tall, 6, two),
            part(narrow, Scaling.none(), 14, turned));
    return part(kernel, wide, 12, labels).with(List.of(older, newer));
  }

  private static Scaling scaling(double shift, double scale, boolean logarithm) {
    return new Scaling(
        new double[] {shift, -shift},
        new double[] {scale, 1 / scale},
        new boolean[] {logarithm, false},
        false);
  }

  /** The same with ranges so narrow that most values lie beyond. */
  static RowModel narrow(RowModel rows) {
    Model model = rows.model();
    Bounds wide = model.bounds();
    int d = wide.dimension();
    double[][] numbers = new double[3][d];
    long[] count = new long[d];
    for (int j = 0; j < d; j++) {
      double mean = wide.mean(j);
      numbers[0][j] = mean - 0.2 * (mean - wide.lowest(j));
      numbers[1][j] = mean + 0.2 * (wide.highest(j) - mean);
      numbers[2][j] = mean;
      if (wide.isSparse()) {
        numbers[0][j] = Math.min(0, numbers[0][j]);
        numbers[1][j] = Math.max(0, numbers[1][j]);
      }
      count[j] = 1000;
    }
    Bounds bounds =
        new Bounds(numbers[0], numbers[1], numbers[2], count, new long[d], wide.isSparse());
    return new RowModel(rows.schema(), rows.target(), rows.classNames(), model.with(bounds));
  }

  /** The same model, and in some cells around its own core points another. */
  static RowModel divided(RowModel rows, Model other) {
    Model model = rows.model();
    List<Model> models = new ArrayList<>();
    for (int i = 0; i < model.size(); i++) {
      models.add(i % 3 == 0 ? null : other);
    }
    Cells cells = new Cells(new Centres(model.scaling(), model.coreSet().copy()), models);
    return new RowModel(
        rows.schema(), rows.target(), rows.classNames(), model.with(List.of(cells)));
  }
}
