// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.config.AvmConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.learner.Learner;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Real data: a merge of shards beside one learner of everything, on rows that none has seen. */
@Tag("once")
class MergeRealDataTest {

  /** Mistakes or RMSE of one learner of all rows, of the mean shard, and of the merge. */
  private record Errors(double one, double shard, double merged) {}

  private static double error(Learner learner, List<Instance> test) {
    boolean classifies = learner.task() == Task.CLASSIFICATION;
    double sum = 0;
    for (Instance row : test) {
      double miss = learner.predict(row.x()) - row.y();
      sum += classifies ? (miss == 0 ? 0 : 1) : miss * miss;
    }
    return classifies ? sum / test.size() : Math.sqrt(sum / test.size());
  }

  private static Errors measure(
      String name,
      AvmConfig.Builder<Learner> builder,
      List<Instance> train,
      List<Instance> test,
      int count) {
    List<Instance> rows = new ArrayList<>(train);
    Collections.shuffle(rows, new Random(1));
    Learner one = builder.build();
    List<Learner> shards = new ArrayList<>();
    for (int s = 0; s < count; s++) {
      shards.add(builder.build());
    }
    for (int i = 0; i < rows.size(); i++) {
      Instance row = rows.get(i);
      one.learn(row.x(), row.y());
      shards.get(i % count).learn(row.x(), row.y());
    }
    Learner merged = Avm.merge(shards);
    assertEquals(rows.size(), merged.instances());
    double shard = shards.stream().mapToDouble(s -> error(s, test)).average().orElseThrow();
    Errors errors = new Errors(error(one, test), shard, error(merged, test));
    System.out.printf(
        "%s, %d shards: one learner %.4f (%d points), mean shard %.4f (%.0f), merged %.4f (%d)%n",
        name,
        count,
        errors.one,
        one.size(),
        errors.shard,
        shards.stream().mapToInt(Learner::size).average().orElseThrow(),
        errors.merged,
        merged.size());
    return errors;
  }

  @Test
  void a9a() {
    List<Instance> train = RealData.libsvm("a9a/a9a");
    List<Instance> test = RealData.libsvm("a9a/a9a.t");
    AvmConfig.Builder<Learner> builder =
        Avm.paperClassifier().gamma(0x1p-4).delta(7).lambda(16.0 / train.size());
    for (int count : new int[] {2, 4, 16}) {
      Errors errors = measure("a9a", builder, train, test, count);
      assertTrue(errors.merged <= errors.shard, errors.toString());
      assertTrue(errors.merged <= errors.one + 0.015, errors.toString());
    }
  }

  @Test
  void ijcnn1() {
    List<Instance> train = RealData.libsvm("ijcnn1/ijcnn1");
    List<Instance> test = RealData.libsvm("ijcnn1/ijcnn1.t");
    AvmConfig.Builder<Learner> builder =
        Avm.paperClassifier().gamma(1).delta(1).lambda(1.786e-5).budget(500);
    for (int count : new int[] {2, 4, 16}) {
      Errors errors = measure("ijcnn1", builder, train, test, count);
      assertTrue(errors.merged <= errors.shard, errors.toString());
    }
  }

  @Test
  void casp() {
    double[][] table = RealData.csv("casp/CASP.csv", true);
    RealData.minMax(table, 0, 1);
    RealData.zScore(table, 1, 10);
    List<Instance> rows = new ArrayList<>();
    for (double[] row : table) {
      rows.add(Instance.of(row[0], Arrays.copyOfRange(row, 1, 10)));
    }
    Collections.shuffle(rows, new Random(2));
    List<Instance> test = rows.subList(0, 10_000);
    List<Instance> train = rows.subList(10_000, rows.size());
    AvmConfig.Builder<Learner> builder =
        Avm.paperRegressor().gamma(0x1p-4).delta(4).lambda(4096.0 / rows.size());
    for (int count : new int[] {2, 4, 16}) {
      Errors errors = measure("casp", builder, train, test, count);
      assertTrue(errors.merged <= errors.shard + 0.002, errors.toString());
    }
  }
}
