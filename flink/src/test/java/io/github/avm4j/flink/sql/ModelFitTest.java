// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.sql;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.fixtures.TestStream;
import io.github.avm4j.follow.FollowedFolder;
import io.github.avm4j.follow.NewestModel;
import io.github.avm4j.learner.Learner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.table.types.logical.DoubleType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.TimeType;
import org.apache.flink.table.types.logical.VarCharType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said of models that cannot be used. */
class ModelFitTest {
  private static final LogicalType DOUBLE = new DoubleType();

  @TempDir Path folder;

  private static String refusal(Path path, OutputColumn output, LogicalType... types) {
    SqlCells inputs = new SqlCells();
    for (int p = 0; p < types.length; p++) {
      inputs.add("c" + p, types[p], p);
    }
    NewestModel newest =
        new NewestModel(
            null,
            rows -> ModelFit.check(rows, inputs, List.of(output)),
            new PredictRows.Told(new UnregisteredMetricsGroup()));
    return String.valueOf(
        assertThrows(
                IOException.class,
                () -> newest.follow(new FollowedFolder(path, newest), Duration.ofSeconds(10)))
            .getMessage());
  }

  private static void contains(String all, String part) {
    assertTrue(all.contains(part), all);
  }

  private static byte[] regressor() {
    Learner learner = Avm.regressor().build();
    for (int i = 0; i < 20; i++) {
      learner.predictThenLearn(FeatureVector.dense(i % 3, i % 5), i % 7, 1);
    }
    return learner.toBytes();
  }

  @Test
  void saysWhatToDo() throws Exception {
    byte[] regressor = regressor();
    Path numbers = Files.write(folder.resolve("numbers.avm"), regressor);
    contains(
        refusal(numbers, OutputColumn.NUMBER, DOUBLE),
        "the model has 2 numbered features and INPUT 1 columns; declare one for each, in order");
    contains(
        refusal(numbers, OutputColumn.NUMBER, DOUBLE, new VarCharType()),
        "the model has numbered features, which are numbers; INPUT column c1 is none");
    contains(
        refusal(numbers, OutputColumn.CLASS, DOUBLE, DOUBLE),
        "the model predicts numbers: declare the prediction as DOUBLE");
    contains(
        refusal(folder.resolve("none.avm"), OutputColumn.NUMBER, DOUBLE),
        "no such file or folder; create a model with avm train");
    regressor[regressor.length / 2] ^= 4;
    Path bad = Files.write(folder.resolve("bad.avm"), regressor);
    contains(refusal(bad, OutputColumn.NUMBER, DOUBLE, DOUBLE), "no model to predict with: " + bad);
    Path blank = Files.write(folder.resolve("blank.avm"), TestStream.blank().toBytes());
    contains(refusal(blank, OutputColumn.CLASS, DOUBLE), "knows no class yet");
    assertThrows(IllegalArgumentException.class, () -> new SqlCells().add("t", new TimeType(), 0));
  }
}
