// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.export;

import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.paper.SplitMix64;
import java.util.List;

/**
 * A model that LIBSVM trained: C-SVC, ν-SVC, ε-SVR or ν-SVR with the Gaussian kernel. It predicts
 * as {@code svm-predict} does, and it can be the start of a learner.
 *
 * <p>Immutable, safe for any number of threads. A prediction costs O(n·nnz) for n support vectors.
 *
 * @since 0.1.0
 */
public final class LibsvmModel {
  private final double gamma;
  private final Task task;
  private final int[] labels;
  private final double[] rho;

  /** First support vector of each class, and the number of all at the end. */
  private final int[] groups;

  private final List<FeatureVector> vectors;
  private final List<double[]> coefficients;

  LibsvmModel(
      double gamma,
      Task task,
      int[] labels,
      double[] rho,
      int[] groups,
      List<FeatureVector> vectors,
      List<double[]> coefficients) {
    this.gamma = gamma;
    this.task = task;
    this.labels = labels;
    this.rho = rho;
    this.groups = groups;
    this.vectors = vectors;
    this.coefficients = coefficients;
  }

  /**
   * {@return the model in the bytes of a {@code .model} file}
   *
   * @param file bytes of a {@code .model} file
   * @throws IllegalArgumentException naming the line, if it is not one or of a kind not known here
   */
  public static LibsvmModel read(byte[] file) {
    return new LibsvmReader(file).read();
  }

  /** {@return the task: classification or regression} */
  public Task task() {
    return task;
  }

  /** {@return γ of exp(−γ‖x−y‖²)} */
  public double gamma() {
    return gamma;
  }

  /** {@return the number of support vectors} */
  public int size() {
    return vectors.size();
  }

  /**
   * {@return the label by the votes of all pairs of classes (the earliest on ties), or the number}
   *
   * @param x features of the instance
   */
  public double predict(FeatureVector x) {
    double[] kernel = kernel(x);
    if (task == Task.REGRESSION) {
      double sum = -rho[0];
      for (int i = 0; i < kernel.length; i++) {
        sum += coefficients.get(i)[0] * kernel[i];
      }
      return sum;
    }
    int[] votes = new int[labels.length];
    int pair = 0;
    for (int i = 0; i < labels.length; i++) {
      for (int j = i + 1; j < labels.length; j++) {
        double sum = partial(kernel, i, j - 1) + partial(kernel, j, i) - rho[pair++];
        votes[sum > 0 ? i : j]++;
      }
    }
    int winner = 0;
    for (int j = 1; j < votes.length; j++) {
      winner = votes[j] > votes[winner] ? j : winner;
    }
    return labels[winner];
  }

  private double partial(double[] kernel, int group, int row) {
    double sum = 0;
    for (int i = groups[group]; i < groups[group + 1]; i++) {
      sum += coefficients.get(i)[row] * kernel[i];
    }
    return sum;
  }

  private double[] kernel(FeatureVector x) {
    double[] kernel = new double[vectors.size()];
    double norm = x.squaredNorm();
    for (int i = 0; i < kernel.length; i++) {
      FeatureVector c = vectors.get(i);
      double dot = 0;
      for (int k = 0; k < c.count(); k++) {
        dot += c.values()[k] * x.get(c.indices()[k]);
      }
      kernel[i] = Math.exp(-gamma * Math.max(0, norm + c.squaredNorm() - 2 * dot));
    }
    return kernel;
  }

  /**
   * Lets {@code learner} begin where this model is: it learns every support vector once, in an
   * order drawn with {@code seed}, with this model's prediction as its target. The learner keeps
   * its own kernel and budget, so it comes near this model and is not equal to it; how near,
   * lab/results/interop.md measures. O(n²·nnz).
   *
   * @param learner a learner that has seen nothing
   * @param seed seed of the random draws
   * @throws IllegalArgumentException if the learner is for another task
   */
  public void teach(Learner learner, long seed) {
    if (learner.task() != task) {
      throw new IllegalArgumentException(
          "the learner must be for " + task + ", was for " + learner.task());
    }
    int[] order = new int[vectors.size()];
    SplitMix64 random = new SplitMix64(seed);
    for (int i = 0; i < order.length; i++) {
      int place = (int) (random.nextDouble() * (i + 1));
      order[i] = order[place];
      order[place] = i;
    }
    for (int i : order) {
      FeatureVector x = vectors.get(i);
      learner.learn(x, predict(x));
    }
  }
}
