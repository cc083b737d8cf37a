// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.export;

import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.kernel.Gaussian;
import io.github.avm4j.model.Model;
import io.github.avm4j.pipeline.RowModel;
import java.nio.charset.StandardCharsets;

/**
 * Models as LIBSVM's {@code .model} text, for {@code svm-predict} and all that read it. Gaussian
 * kernel, no cells, no scaling, classes named by whole numbers.
 *
 * <p>A row that lies far outside of what was learned is an exception: the model cuts its features
 * to their ranges, and {@code svm-predict} does not.
 *
 * <p>LIBSVM decides between classes i and j by a sum of its own, over the support vectors of both.
 * Here that sum is f_i − f_j: the group of class i holds every core point with its coefficient w_i
 * in each of its pairs (−w_i where i comes second). So the class of the largest score wins all its
 * pairs, and the labels are equal; the price is one copy of the core points a class. Two classes
 * need one copy.
 *
 * @since 0.1.0
 */
public final class LibsvmWriter {
  private LibsvmWriter() {}

  /**
   * {@return the file of a model of plain vectors}
   *
   * @param model the model
   */
  public static byte[] write(Model model) {
    return write(Exportable.named(model));
  }

  /**
   * {@return the file of a model of numbered features, or of columns that are all numbers (feature
   * j is then the j-th column that was not dropped)} O(S·d·classes).
   *
   * @param rows the model of rows
   * @throws NotExpressibleException if LIBSVM cannot say what the model says
   */
  public static byte[] write(RowModel rows) {
    Exportable source = new Exportable(rows, 0);
    check(source);
    StringBuilder out = new StringBuilder();
    double gamma = source.model.config().kernel().gamma();
    String type = source.isClassification() ? "c_svc" : "epsilon_svr";
    out.append("svm_type ").append(type).append("\nkernel_type rbf\ngamma ").append(gamma);
    if (source.isClassification()) {
      classes(source, out);
    } else {
      out.append("\nnr_class 2\ntotal_sv ").append(source.model.size());
      out.append("\nrho ").append(0.0 - source.model.intercept()).append("\nSV\n");
      group(source, 0, 0, 1, out);
    }
    return out.toString().getBytes(StandardCharsets.US_ASCII);
  }

  private static void check(Exportable source) {
    if (!(source.model.config().kernel() instanceof Gaussian)) {
      throw new NotExpressibleException(
          "LIBSVM has no kernel "
              + source.model.config().kernel()
              + ", of ours only the Gaussian: export to ONNX, or train with a Gaussian kernel"
              + " (--kernel gaussian)");
    }
    source.requireOneExpansion("LIBSVM");
    if (!source.scaling.isIdentity()) {
      throw new NotExpressibleException(
          "the model scales features first, which a LIBSVM model cannot: export to ONNX or PMML, or"
              + " train without scaling");
    }
    if (!source.isNumeric()) {
      throw new NotExpressibleException(
          "LIBSVM has numbered features only, and the model has columns that are no numbers: export"
              + " to ONNX or PMML");
    }
    if (source.model.task() == Task.CLASSIFICATION && source.model.classes() < 2) {
      throw new NotExpressibleException("LIBSVM needs two classes, the model has seen one");
    }
  }

  private static int label(Exportable source, int j) {
    String name = source.className(j);
    try {
      return Integer.parseInt(name);
    } catch (NumberFormatException e) {
      throw new NotExpressibleException(
          "LIBSVM's labels are whole numbers, and a class is named '" + name + "': rename classes");
    }
  }

  private static void classes(Exportable source, StringBuilder out) {
    int k = source.model.classes();
    int s = source.model.size();
    boolean two = k == 2;
    int pairs = k * (k - 1) / 2;
    out.append("\nnr_class ").append(k).append("\ntotal_sv ").append(two ? s : (long) s * k);
    out.append("\nrho").append(" 0".repeat(pairs)).append("\nlabel");
    for (int j = 0; j < k; j++) {
      // Of two, a positive sum means LIBSVM's first: it is our second.
      out.append(' ').append(label(source, two ? 1 - j : j));
    }
    out.append("\nnr_sv");
    for (int j = 0; j < k; j++) {
      out.append(' ').append(two && j > 0 ? 0 : s);
    }
    out.append("\nSV\n");
    if (two) {
      group(source, 0, 0, 1, out);
      return;
    }
    for (int j = 0; j < k; j++) {
      group(source, j, j, k - 1 - j, out);
    }
  }

  /** Every core point with −w in {@code second} pairs and then w in {@code first} pairs. */
  private static void group(
      Exportable source, int column, int second, int first, StringBuilder out) {
    for (int i = 0; i < source.model.size(); i++) {
      double w = source.model.coefficient(column, i);
      for (int p = 0; p < second; p++) {
        out.append(0.0 - w).append(' ');
      }
      for (int p = 0; p < first; p++) {
        out.append(w).append(' ');
      }
      FeatureVector point = source.model.corePoint(i);
      for (int n = 0; n < point.count(); n++) {
        if (point.values()[n] != 0) {
          int index = point.isSparse() ? point.indices()[n] : n;
          out.append(index + 1).append(':').append(point.values()[n]).append(' ');
        }
      }
      out.append('\n');
    }
  }
}
