// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.examples;

import io.github.avm4j.Avm;
import io.github.avm4j.export.OnnxOptions;
import io.github.avm4j.export.OnnxWriter;
import io.github.avm4j.export.Precision;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.model.Model;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/** Learn from a stream, save, go on, and hand the model to another tool. */
public final class LearnSaveExport {
  private LearnSaveExport() {}

  /** Writes {@code model.avm} and {@code model.onnx} into the folder named first. */
  public static void main(String[] args) throws IOException {
    Path folder = Path.of(args.length > 0 ? args[0] : ".");
    Learner learner = Avm.classifier().build();
    Random random = new Random(1);
    System.out.printf("first half: %.1f %% mistakes%n", 100 * learn(learner, random, 5000));

    Path file = folder.resolve("model.avm");
    Avm.save(learner, file);
    Learner again = Avm.loadLearner(file); // goes on as if it had never stopped
    System.out.printf("second half: %.1f %% mistakes%n", 100 * learn(again, random, 5000));

    Model model = again.snapshot(); // immutable, for any number of threads
    byte[] onnx = OnnxWriter.write(model, OnnxOptions.of(Precision.FLOAT));
    Files.write(folder.resolve("model.onnx"), onnx);
  }

  /** The share of mistakes on so many instances, each predicted and then learned. */
  static double learn(Learner learner, Random random, int instances) {
    int mistakes = 0;
    for (int t = 0; t < instances; t++) {
      double[] x = {random.nextGaussian(), random.nextGaussian()};
      double y = x[0] * x[1] > 0 ? 1 : 0;
      if (learner.predict(x) != y) {
        mistakes++;
      }
      learner.learn(x, y);
    }
    return (double) mistakes / instances;
  }
}
