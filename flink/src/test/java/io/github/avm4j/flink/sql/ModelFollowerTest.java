// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.fixtures.TestStream;
import io.github.avm4j.learner.Learner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.metrics.SimpleCounter;
import org.apache.flink.table.types.logical.DoubleType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.TimeType;
import org.apache.flink.table.types.logical.VarCharType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said of models that cannot be used, and that the thread goes on. */
class ModelFollowerTest {
  private static final LogicalType DOUBLE = new DoubleType();

  @TempDir Path folder;

  private final SimpleCounter swapped = new SimpleCounter();
  private final SimpleCounter refused = new SimpleCounter();

  private ModelFollower follower(
      ModelSource source, List<OutputColumn> outputs, LogicalType... types) {
    SqlCells inputs = new SqlCells();
    for (int p = 0; p < types.length; p++) {
      inputs.add("c" + p, types[p], p);
    }
    return new ModelFollower(
        source, rows -> ModelFit.check(rows, inputs, outputs), swapped, refused);
  }

  private String refusal(Path path, OutputColumn output, LogicalType... types) {
    ModelFollower follower = follower(new ModelPath(path, null), List.of(output), types);
    String message =
        assertThrows(IOException.class, () -> follower.start(Duration.ofSeconds(10))).getMessage();
    assertEquals(1, refused.getCount());
    refused.dec();
    return message;
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
        "is no model file and no folder of models on this machine");
    regressor[regressor.length / 2] ^= 4;
    Path bad = Files.write(folder.resolve("bad.avm"), regressor);
    contains(refusal(bad, OutputColumn.NUMBER, DOUBLE, DOUBLE), "no model to predict with: " + bad);
    contains(refusal(folder, OutputColumn.NUMBER, DOUBLE), "say which with 'model' = 'NAME'");
    Path empty = Files.createDirectory(folder.resolve("empty"));
    contains(refusal(empty, OutputColumn.NUMBER, DOUBLE), "the folder holds no model yet");
    Files.writeString(folder.resolve("evil.latest"), "../numbers.avm");
    contains(refusal(folder, OutputColumn.NUMBER, DOUBLE), "names no .avm file of its folder");
    Path blank = Files.write(folder.resolve("blank.avm"), TestStream.blank().toBytes());
    contains(refusal(blank, OutputColumn.CLASS, DOUBLE), "knows no class yet");
    assertThrows(IllegalArgumentException.class, () -> new SqlCells().add("t", new TimeType(), 0));
  }

  /** Whatever a look throws, the next one comes, and the model stays meanwhile. */
  @Test
  void goesOnAfterAnything() throws Exception {
    byte[] file = regressor();
    AtomicInteger looks = new AtomicInteger();
    CountDownLatch done = new CountDownLatch(1);
    ModelSource source =
        taker -> {
          switch (looks.getAndIncrement()) {
            case 0 -> taker.take("first", () -> io.github.avm4j.pipeline.RowModel.read(file));
            case 1 -> throw new IOException("gone");
            case 2 -> throw new IOException("gone");
            case 3 -> throw new OutOfMemoryError("planned");
            case 4 ->
                taker.take(
                    "bad",
                    () -> {
                      throw new StackOverflowError("planned");
                    });
            case 5 -> taker.take("last", () -> io.github.avm4j.pipeline.RowModel.read(file));
            default -> done.countDown();
          }
        };
    try (ModelFollower follower = follower(source, List.of(OutputColumn.NUMBER), DOUBLE, DOUBLE)) {
      follower.start(Duration.ofMillis(1));
      done.await();
      assertEquals("last", follower.model().from());
    }
    assertEquals(1, swapped.getCount());
    assertEquals(3, refused.getCount());
  }
}
