// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.model;

import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Scaling;
import io.github.avm4j.internal.coreset.CoreSet;
import io.github.avm4j.internal.coreset.ScratchPool;
import io.github.avm4j.internal.simd.VectorOps;
import io.github.avm4j.internal.simd.VectorOpsProvider;
import io.github.avm4j.kernel.Gaussian;
import io.github.avm4j.kernel.Kernel;
import io.github.avm4j.kernel.Matern32;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;

/**
 * A {@link Model} rounded to single precision for serving: half the memory and about half the time
 * of a prediction, scores off by about 1e-6 of the largest coefficient sum. Learning never uses it.
 *
 * <p>Immutable and thread-safe like the model it was made of.
 */
public final class FloatModel implements Predictor {
  private static final VectorOps OPS = VectorOpsProvider.get();
  private static final int WIDTH = 32;

  private final Model model;
  private final Kernel kernel;
  private final int dimension;
  private final int size;
  private final float[][] tiles;
  private final float[] squaredNorms;
  private final float[][] coefficients;
  private final ScratchPool<Scratch> scratch;

  /** Of the models of cells. */
  private final IdentityHashMap<Model, FloatModel> parts = new IdentityHashMap<>();

  private static final class Scratch {
    final Scaling.Scaler scaler;
    final float[] x;
    final float[] squared;
    final float[] kernel;
    final double[] columns;
    final double[] spread;

    Scratch(Scaling scaling, int dimension, int room, int columns, int classes) {
      scaler = new Scaling.Scaler(scaling);
      x = new float[dimension];
      squared = new float[room];
      kernel = new float[room];
      this.columns = new double[columns];
      this.spread = new double[classes];
    }
  }

  /**
   * Rounds {@code model}. O(S·d).
   *
   * @param model the model to round; not changed
   * @throws IllegalArgumentException if its core points have too many features to be kept densely
   */
  public FloatModel(Model model) {
    this(model, model.parts());
  }

  private FloatModel(Model model, List<Model> cells) {
    CoreSet set = model.coreSet();
    if (set.storesPostings()) {
      throw new IllegalArgumentException(
          "a model of " + set.dimension() + " sparse features has no single precision form");
    }
    this.model = model;
    this.kernel = model.config().kernel();
    this.dimension = set.dimension();
    this.size = set.size();
    int count = (size + WIDTH - 1) / WIDTH;
    tiles = new float[count][dimension * WIDTH];
    squaredNorms = new float[count * WIDTH];
    for (int i = 0; i < size; i++) {
      squaredNorms[i] = (float) set.squaredNorm(i);
      for (int j = 0; j < dimension; j++) {
        tiles[i / WIDTH][j * WIDTH + i % WIDTH] = (float) set.coordinate(i, j);
      }
    }
    coefficients = new float[model.columns()][VectorOps.padded(size)];
    for (int c = 0; c < coefficients.length; c++) {
      for (int i = 0; i < size; i++) {
        coefficients[c][i] = (float) model.coefficient(c, i);
      }
    }
    scratch =
        new ScratchPool<>(
            () ->
                new Scratch(
                    model.scaling(),
                    dimension,
                    count * WIDTH,
                    coefficients.length,
                    model.classes()));
    cells.forEach(part -> parts.put(part, new FloatModel(part, List.of())));
  }

  @Override
  public Task task() {
    return model.task();
  }

  @Override
  public Calibration calibration() {
    return model.calibration();
  }

  @Override
  public int classes() {
    return model.classes();
  }

  @Override
  public double label(int index) {
    return model.label(index);
  }

  @Override
  public int size() {
    return model.size();
  }

  private FloatModel local(FeatureVector x) {
    Model part = model.local(x);
    return part == model ? this : Objects.requireNonNull(parts.get(part));
  }

  @Override
  public double predict(FeatureVector x) {
    FloatModel part = local(x);
    Scratch mine = part.scratch.take();
    try {
      return Decision.predict(part, part.evaluate(x, mine), mine.columns.length);
    } finally {
      part.scratch.give(mine);
    }
  }

  @Override
  public double score(FeatureVector x) {
    FloatModel part = local(x);
    Scratch mine = part.scratch.take();
    try {
      double[] columns = part.evaluate(x, mine);
      if (part == this || task() == Task.REGRESSION) {
        return columns[Decision.argmax(columns, columns.length)];
      }
      Decision.spread(part, columns, columns.length, mine.spread);
      return Decision.score(mine.spread, model.places(part.model), classes());
    } finally {
      part.scratch.give(mine);
    }
  }

  @Override
  public void scores(FeatureVector x, double[] out) {
    FloatModel part = local(x);
    Scratch mine = part.scratch.take();
    try {
      double[] columns = part.evaluate(x, mine);
      if (part == this || task() == Task.REGRESSION) {
        Decision.spread(this, columns, columns.length, out);
      } else {
        Decision.spread(part, columns, columns.length, mine.spread);
        Decision.place(mine.spread, model.places(part.model), classes(), out);
      }
    } finally {
      part.scratch.give(mine);
    }
  }

  private double[] evaluate(FeatureVector raw, Scratch mine) {
    model.checkShape(raw);
    FeatureVector x = mine.scaler.scale(raw);
    if (x.isSparse() || x.count() != dimension) {
      distancesFromDots(x, mine);
    } else {
      distances(x, mine);
    }
    int n = size;
    if (n > 0 && !(mine.squared[0] < Float.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("x is not finite or too large for single precision: " + x);
    }
    if (coefficients.length == 1 && kernel instanceof Gaussian) {
      float factor = (float) -kernel.gamma();
      mine.columns[0] = OPS.weightedExp(mine.squared, factor, coefficients[0], mine.kernel, n);
      mine.columns[0] += model.intercept();
      return mine.columns;
    }
    kernelValues(mine, n);
    for (int c = 0; c < coefficients.length; c++) {
      mine.columns[c] = OPS.dot(coefficients[c], mine.kernel, n);
    }
    mine.columns[0] += model.intercept();
    return mine.columns;
  }

  private void distances(FeatureVector x, Scratch mine) {
    for (int j = 0; j < dimension; j++) {
      mine.x[j] = (float) x.values()[j];
    }
    for (int t = 0; t < tiles.length; t++) {
      OPS.squaredDistances(tiles[t], WIDTH, mine.x, dimension, mine.squared, t * WIDTH);
    }
  }

  /** ‖x‖² + ‖c‖² − 2x·c: loses digits when x is close to c and both are far from 0. */
  private void distancesFromDots(FeatureVector x, Scratch mine) {
    int count = 0;
    while (count < x.count() && index(x, count) < dimension) {
      mine.x[count] = (float) x.values()[count];
      count++;
    }
    if (x.isSparse()) {
      for (int t = 0; t < tiles.length; t++) {
        OPS.dots(tiles[t], WIDTH, x.indices(), mine.x, count, mine.squared, t * WIDTH);
      }
    } else {
      denseDots(mine, count);
    }
    OPS.squaredFromDots((float) x.squaredNorm(), squaredNorms, mine.squared, size);
  }

  private void denseDots(Scratch mine, int count) {
    for (int i = 0; i < size; i++) {
      float sum = 0;
      for (int j = 0; j < count; j++) {
        sum += mine.x[j] * tiles[i / WIDTH][j * WIDTH + i % WIDTH];
      }
      mine.squared[i] = sum;
    }
  }

  private static int index(FeatureVector x, int k) {
    return x.isSparse() ? x.indices()[k] : k;
  }

  private void kernelValues(Scratch mine, int n) {
    if (kernel instanceof Gaussian) {
      OPS.exp(mine.squared, (float) -kernel.gamma(), mine.kernel, n);
      return;
    }
    if (kernel instanceof Matern32) {
      maternValues(mine, n, (float) (Math.sqrt(3) * kernel.gamma()));
      return;
    }
    for (int i = 0; i < n; i++) {
      mine.kernel[i] = (float) kernel.value(mine.squared[i]);
    }
  }

  /** (1+a)·exp(−a), a being the distance times a factor. */
  private static void maternValues(Scratch mine, int n, float factor) {
    float[] a = mine.squared;
    for (int i = 0; i < n; i++) {
      a[i] = factor * (float) Math.sqrt(a[i]);
    }
    OPS.exp(a, -1, mine.kernel, n);
    for (int i = 0; i < n; i++) {
      mine.kernel[i] *= 1 + a[i];
    }
  }
}
