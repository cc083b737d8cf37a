// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import static io.github.avm4j.learner.HostileFiles.checkLearnerAllocation;
import static io.github.avm4j.learner.HostileFiles.checkModelAllocation;
import static io.github.avm4j.learner.HostileFiles.classifier;
import static io.github.avm4j.learner.HostileFiles.distinct;
import static io.github.avm4j.learner.HostileFiles.labels;
import static io.github.avm4j.learner.HostileFiles.small;
import static io.github.avm4j.learner.HostileFiles.withModel;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.format.ModelFormat;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.paper.SuffixAverage;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Reading a file that is as it should be allocates no more than {@link ModelFormat} promises. */
class FileAllocationTest {
  @Test
  void manyLabelsCostWhatTheyWeigh() throws InvalidModelException {
    double[] many = distinct(100_000);
    byte[] file =
        withModel(classifier().output(new SuffixAverage(0.5, 0)).build(), out -> labels(out, many));
    assertEquals(100_000, Learner.fromBytes(file).classes());
    checkModelAllocation(file);
    checkLearnerAllocation(file);
    byte[] declared = classifier().labels(many).build().toBytes();
    checkModelAllocation(declared);
    checkLearnerAllocation(declared);
  }

  @Test
  void oneLongDensePoint() {
    Learner learner = classifier().build();
    learner.learn(new double[100_000], 1);
    checkModelAllocation(learner.toBytes());
    checkLearnerAllocation(learner.toBytes());
  }

  @Test
  void tilesOfEveryWidth() {
    for (int points : new int[] {1, 7, 8, 9, 16, 17, 31, 32, 33, 65}) {
      Learner learner = classifier().output(new SuffixAverage(0.5, 0)).build();
      double[] x = new double[1_000];
      for (int i = 0; i < points; i++) {
        x[i] = 10;
        learner.learn(x, i % 3);
        x[i] = 0;
      }
      assertEquals(points, learner.size());
      checkModelAllocation(learner.toBytes());
      checkLearnerAllocation(learner.toBytes());
    }
  }

  @Test
  void postingsOfDistinctFeatures() {
    for (int perPoint : new int[] {1, 3, 1_000, 60_000}) {
      Learner learner = classifier().build();
      for (int i = 0; i < Math.max(1, Math.min(3_000, 20_000 / perPoint)); i++) {
        int[] indices = new int[perPoint];
        int first = 10_000 + i * perPoint;
        Arrays.setAll(indices, k -> first + k);
        double[] values = new double[perPoint];
        Arrays.fill(values, 5);
        learner.learn(FeatureVector.sparse(indices, values), i % 2);
      }
      checkModelAllocation(learner.toBytes());
      checkLearnerAllocation(learner.toBytes());
    }
  }

  @Test
  void manyEmptyPoints() throws InvalidModelException {
    byte[] file =
        withModel(
            small(),
            out -> {
              out.i32(2);
              out.f64(0);
              out.f64(1);
              out.u8(1);
              out.i32(0);
              out.i32(30_000);
              out.raw(new byte[30_000]);
              out.i32(1);
              out.f64s(new double[30_000], 30_000);
            });
    assertEquals(30_000, ModelFormat.read(file).size());
    checkModelAllocation(file);
  }
}
