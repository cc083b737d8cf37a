// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.measure;

import io.github.avm4j.Avm;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.flink.operator.LearnShard;
import io.github.avm4j.flink.operator.Schedule;
import io.github.avm4j.flink.operator.StartFiles;
import io.github.avm4j.flink.record.Answer;
import io.github.avm4j.flink.record.AnswerSerializer;
import io.github.avm4j.flink.record.Example;
import io.github.avm4j.flink.record.ExampleSerializer;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.learner.LearnerFormat;
import io.github.avm4j.pipeline.RowLearner;
import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/**
 * What Flink costs a record beyond learning it: the job's time less the same job's without the
 * learner, against the learner's own time in a plain loop. Arguments: records a run, rounds.
 *
 * <p>Each figure is the median over rounds of (T(n) − T(n/4)) / (3n/4), which leaves the start and
 * end of a job out; the three kinds of run alternate within a round.
 */
public final class EngineTax {
  private static final int BUDGET = 100;

  private EngineTax() {}

  /** Prints one line a dimension and parallelism. */
  public static void main(String[] args) throws Exception {
    int n = args.length > 0 ? Integer.parseInt(args[0]) : 200_000;
    int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 3;
    System.out.println("d, shards: loop, bare job, job [µs/record]; (job - bare)/loop; job/bare");
    for (int d : new int[] {8, 22, 100}) {
      for (int shards = 1; shards <= 2; shards++) {
        System.out.println(line(d, shards, n, rounds));
      }
    }
  }

  static String line(int d, int shards, int n, int rounds) throws Exception {
    double[][] seconds = new double[3][rounds];
    StartFiles start = start(d);
    for (int r = 0; r < rounds; r++) {
      seconds[0][r] = loop(start, d, n) - loop(start, d, n / 4);
      seconds[1][r] = job(null, d, n, shards) - job(null, d, n / 4, shards);
      seconds[2][r] = job(start, d, n, shards) - job(start, d, n / 4, shards);
    }
    double scale = 1e6 / (n - n / 4);
    double loop = scale * median(seconds[0]);
    double bare = scale * median(seconds[1]);
    double full = scale * median(seconds[2]);
    // Shards share the records, so a record costs a shard's time divided by their number.
    double tax = (full - bare) / (loop / shards);
    return String.format(
        Locale.ROOT,
        "d=%d shards=%d: %.2f %.2f %.2f; %.2f; %.2f",
        d,
        shards,
        loop,
        bare,
        full,
        tax,
        full / bare);
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  /** A learner past its estimation, so that its cost is that of the steady state. */
  private static StartFiles start(int d) {
    Learner learner = Avm.classifier().budget(BUDGET).estimation(1000).build();
    for (long i = 0; i < 3000; i++) {
      Example example = example(i, d);
      learner.learn(example.x(), example.y());
    }
    RowLearner rows = new RowLearner(Schema.numbered(), "y", learner);
    rows.names().add("0");
    rows.names().add("1");
    return new StartFiles(rows);
  }

  static Example example(long i, int d) {
    SplittableRandom random = new SplittableRandom(i);
    double[] x = new double[d];
    for (int j = 0; j < d; j++) {
      x[j] = random.nextDouble();
    }
    double y = ((int) (2 * x[0]) + (int) (2 * x[1])) % 2;
    return new Example("", "", FeatureVector.dense(x), y, 1, i);
  }

  private static double loop(StartFiles start, int d, int n) throws IOException {
    Learner learner = LearnerFormat.read(start.file());
    double sum = 0;
    long spent = 0;
    for (long i = 0; i < n; i++) {
      Example example = example(i, d);
      long before = System.nanoTime();
      sum += learner.predictThenLearn(example.x(), example.y(), 1);
      spent += System.nanoTime() - before;
    }
    if (Double.isNaN(sum)) {
      throw new IllegalStateException("no answers");
    }
    return spent / 1e9;
  }

  private static double job(StartFiles start, int d, int n, int shards) throws Exception {
    Configuration options = new Configuration();
    options.setString("pipeline.object-reuse", "true");
    options.setString("pipeline.generic-types", "false");
    options.setString("execution.checkpointing.interval", "10 s");
    options.setString("rest.port", "0");
    var env = StreamExecutionEnvironment.createLocalEnvironment(shards, options);
    DataStream<Example> examples =
        env.fromSource(
            new DataGeneratorSource<>(i -> example(i, d), n, ExampleSerializer.TYPE),
            WatermarkStrategy.noWatermarks(),
            "examples");
    DataStream<Answer> answers =
        start == null
            ? examples
                .map(e -> new Answer(e.id(), e.key(), 0, e.y(), 0, e.time()))
                .returns(AnswerSerializer.TYPE)
            : examples.transform(
                "learn",
                AnswerSerializer.TYPE,
                new LearnShard(
                    start.file(), start.file(), Schedule.everyInstances(100_000), 1000, true));
    answers.sinkTo(new DiscardingSink<>());
    return env.execute().getNetRuntime() / 1e3;
  }
}
