// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.fixtures.TestStream;
import io.github.avm4j.fixtures.Waiting;
import io.github.avm4j.flink.CollectSink;
import io.github.avm4j.flink.LocalCluster;
import io.github.avm4j.flink.OpenModels;
import io.github.avm4j.flink.TestRecords;
import io.github.avm4j.flink.record.Example;
import io.github.avm4j.flink.record.Formats;
import io.github.avm4j.flink.record.ModelVersion;
import io.github.avm4j.flink.record.Prediction;
import io.github.avm4j.learner.LabelBudget;
import io.github.avm4j.learner.Learner;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.OperatorStateStore;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Marks are those of a plain loop with one budget, also after a savepoint. */
class LabelMarksTest {
  private static final double SHARE = 0.05;
  private static final int SUBTASKS = 2;
  private static LocalCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    cluster = new LocalCluster(SUBTASKS);
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  /** Example i of key i mod 5; one in three has a label. */
  private static Example example(long i) {
    SplittableRandom random = new SplittableRandom(i);
    double a = random.nextDouble();
    double b = random.nextDouble();
    double y = i % 3 == 0 ? (a > b ? 1 : 0) : Double.NaN;
    return new Example(Long.toString(i), "k" + i % 5, FeatureVector.dense(a, b), y, 1, i);
  }

  private static CollectSink<Prediction> keyed(StreamExecutionEnvironment env) throws IOException {
    CollectSink<Prediction> predictions = new CollectSink<>();
    env.fromSource(
            new DataGeneratorSource<>(
                LabelMarksTest::example,
                1_000_000L,
                RateLimiterStrategy.perSecond(2000),
                Formats.EXAMPLE.type()),
            WatermarkStrategy.noWatermarks(),
            "examples")
        .uid("examples")
        .setParallelism(1)
        .keyBy(Example::key, Types.STRING)
        .connect(
            OpenModels.of(
                    env, List.of(new ModelVersion("another", "", 1, 0, TestRecords.start().file())))
                .broadcast(ScoreExamples.MODELS))
        .process(
            new LearnKeys(TestRecords.start().file(), "global", Duration.ZERO, 0, SHARE),
            Formats.PREDICTION.type())
        .uid("keys")
        .setParallelism(SUBTASKS)
        .setMaxParallelism(128)
        .sinkTo(predictions)
        .uid("predictions");
    return predictions;
  }

  /** The loop that the job must equal. */
  private static final class Loop {
    private final Map<String, Learner> learners = new HashMap<>();
    private final Map<Integer, LabelBudget> budgets = new HashMap<>();
    private long next;

    void check(List<Prediction> predictions) {
      Map<String, Prediction> byId = new HashMap<>();
      predictions.forEach(one -> byId.put(one.id(), one));
      for (long end = next + predictions.size(); next < end; next++) {
        Example example = example(next);
        Prediction one = byId.get(example.id());
        assertNotNull(one, "each once: " + next);
        Learner learner = learners.computeIfAbsent(example.key(), k -> TestStream.blank());
        assertEquals(learner.instances(), one.version());
        if (example.isLabelled()) {
          assertNull(one.wantsLabel());
          double expected = learner.predictThenLearn(example.x(), example.y(), 1);
          assertEquals(expected, one.value(), "prediction " + next);
        } else {
          assertEquals(learner.predict(example.x()), one.value(), "prediction " + next);
          int subtask =
              KeyGroupRangeAssignment.assignKeyToParallelOperator(example.key(), 128, SUBTASKS);
          LabelBudget budget = budgets.computeIfAbsent(subtask, k -> LabelBudget.of(SHARE, k + 1L));
          assertEquals(budget.wants(learner, example.x()), one.wantsLabel(), "mark " + next);
        }
      }
    }

    long asked() {
      return budgets.values().stream().mapToLong(LabelBudget::asked).sum();
    }
  }

  @Test
  void keysAreMarkedAsInAPlainLoopAndGoOnAfterASavepoint(@TempDir Path folder) throws Exception {
    StreamExecutionEnvironment env = LocalCluster.environment();
    CollectSink<Prediction> first = keyed(env);
    JobID job = cluster.submit(env);
    Waiting.until("predictions", () -> first.values().size() > 1200);
    String savepoint = cluster.stop(job, folder);
    Loop loop = new Loop();
    loop.check(first.values());
    StreamExecutionEnvironment again =
        LocalCluster.environment("execution.state-recovery.path", savepoint);
    CollectSink<Prediction> second = keyed(again);
    JobID resumed = cluster.submit(again);
    Waiting.until("predictions", () -> second.values().size() > 600);
    cluster.stop(resumed, folder);
    long before = loop.asked();
    loop.check(second.values());
    assertTrue(loop.asked() > before, "none is asked for after " + before);
  }

  private static DataStream<Example> timed(
      StreamExecutionEnvironment env, List<Example> all, String name) {
    return env.fromData(all, Formats.EXAMPLE.type())
        .name(name)
        .setParallelism(1)
        .assignTimestampsAndWatermarks(
            WatermarkStrategy.<Example>forMonotonousTimestamps()
                .withTimestampAssigner((example, before) -> example.time()))
        .setParallelism(1);
  }

  @Test
  void labelsThatComeLaterAreLearnedAndOthersAreNoBadRecords() throws Exception {
    StreamExecutionEnvironment env = LocalCluster.environment();
    List<Example> xs = new ArrayList<>();
    List<Example> ys = new ArrayList<>();
    for (long i = 0; i < 60; i++) {
      Example one = example(i);
      xs.add(one.withLabel(Double.NaN));
      if (one.isLabelled()) {
        ys.add(one);
      }
    }
    var joined =
        timed(env, xs, "xs")
            .keyBy(Example::id, Types.STRING)
            .connect(timed(env, ys, "ys").keyBy(Example::id, Types.STRING))
            .process(new JoinLabels(Duration.ofSeconds(5), true), Formats.EXAMPLE.type())
            .setParallelism(1);
    StreamLearning learning =
        StreamLearning.on(
            joined,
            StreamLearning.settings("asked", TestRecords.start()).predicting(0).asking(0.5));
    CollectSink<Prediction> predictions = new CollectSink<>();
    CollectSink<ModelVersion> models = new CollectSink<>();
    CollectSink<Example> unlabelled = new CollectSink<>();
    learning.predictions().sinkTo(predictions);
    learning.models().sinkTo(models);
    joined.getSideOutput(JoinLabels.UNLABELLED).sinkTo(unlabelled);
    cluster.run(env);
    assertEquals(List.of(), unlabelled.values());
    List<ModelVersion> versions = models.values();
    assertEquals(20, versions.get(versions.size() - 1).instances());
    int labelled = 0;
    int open = 0;
    for (Prediction one : predictions.values()) {
      assertEquals(Double.isNaN(one.label()), one.wantsLabel() != null, one.toString());
      labelled += one.wantsLabel() == null ? 1 : 0;
      open += one.wantsLabel() == null ? 0 : 1;
    }
    assertEquals(20, labelled);
    assertTrue(open >= 40 && open <= 60, open + " predicted before their labels came");
  }

  /** The one list of an operator's state. */
  private static OperatorStateStore store(List<long[]> kept) {
    ListState<?> list =
        (ListState<?>)
            Proxy.newProxyInstance(
                LabelMarksTest.class.getClassLoader(),
                new Class<?>[] {ListState.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("update")) {
                    kept.clear();
                    ((List<?>) arguments[0]).forEach(one -> kept.add((long[]) one));
                    return null;
                  }
                  return new ArrayList<>(kept);
                });
    return (OperatorStateStore)
        Proxy.newProxyInstance(
            LabelMarksTest.class.getClassLoader(),
            new Class<?>[] {OperatorStateStore.class},
            (proxy, method, arguments) -> list);
  }

  private static Learner regressor() {
    Learner learner = Avm.regressor().budget(30).estimation(100).build();
    for (long i = 0; i < 300; i++) {
      FeatureVector x = example(i).x();
      learner.learn(x, x.get(0) - x.get(1));
    }
    return learner;
  }

  @Test
  void aRestoredBudgetGoesOnExactly() throws Exception {
    Learner learner = regressor();
    LabelBudget plain = LabelBudget.of(SHARE, 1);
    List<long[]> kept = new ArrayList<>();
    LabelMarks marks = LabelMarks.of(store(kept), SHARE, 0);
    for (long i = 0; i < 1000; i++) {
      if (i % 250 == 249) {
        marks.save();
        marks = LabelMarks.of(store(kept), SHARE, 0);
      }
      Example one = example(i).withLabel(Double.NaN);
      Prediction marked = marks.mark(learner, one, 0.9);
      assertEquals(plain.wants(learner, one.x()), marked.wantsLabel(), "mark " + i);
      assertEquals(learner.predict(one.x()), marked.value());
      assertEquals(2, marked.range().size());
    }
    assertEquals(plain.asked(), marks.asked());
    LabelMarks last = marks;
    Example bad = new Example("", "", FeatureVector.dense(1, 2, 3), Double.NaN, 1, 0);
    assertThrows(IllegalArgumentException.class, () -> last.mark(learner, bad, 0));
    assertEquals(plain.asked(), last.asked());
  }

  @Test
  void budgetsOfSeveralSubtasksAreAddedAndAnotherShareBeginsAnew() throws Exception {
    Learner learner = regressor();
    List<long[]> all = new ArrayList<>();
    long asked = 0;
    for (int subtask = 0; subtask < 3; subtask++) {
      List<long[]> kept = new ArrayList<>();
      LabelMarks marks = LabelMarks.of(store(kept), SHARE, subtask);
      for (long i = 0; i < 200; i++) {
        marks.mark(learner, example(i).withLabel(Double.NaN), 0);
      }
      marks.save();
      asked += marks.asked();
      all.addAll(kept);
    }
    assertEquals(asked, LabelMarks.of(store(all), SHARE, 0).asked());
    assertEquals(0, LabelMarks.of(store(all), 0.1, 0).asked());
    assertNull(LabelMarks.of(store(all), 0, 0));
    List<long[]> damaged = new ArrayList<>(List.of(new long[4]));
    assertThrows(IllegalStateException.class, () -> LabelMarks.of(store(damaged), SHARE, 0));
  }
}
