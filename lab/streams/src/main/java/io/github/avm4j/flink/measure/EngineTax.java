// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.measure;

import io.github.avm4j.Avm;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.flink.operator.Schedule;
import io.github.avm4j.flink.operator.StartFiles;
import io.github.avm4j.flink.operator.StreamLearning;
import io.github.avm4j.flink.record.Example;
import io.github.avm4j.flink.record.Formats;
import io.github.avm4j.flink.record.Prediction;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.pipeline.RowLearner;
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
 * learner, against the learner's own time in a plain loop. Arguments: records a run, rounds, and
 * the dimension if only one is wanted.
 *
 * <p>Every time is (T(n) − T(n/4)) / (3n/4), which leaves the start and end of a job out. A round
 * is one such time of each kind, one after the other; the first round warms up and is not counted,
 * and medians are taken over the others. The loop's time is its own less that of making the
 * examples, as the job's is. The learner is the default one after 20,000 instances; a tenth of the
 * labels is wrong, so that there is always something to learn. The last columns are the
 * distribution of the rounds' ratios; of many rounds it shows whether a goal is met or was by
 * chance.
 */
public final class EngineTax {
  private static final double NOISE = 0.1;

  /** Instances after which a learner has chosen its parameters. */
  private static final int SETTLED = 20_000;

  /** Publishing is work of its own, and would fall into the longer of two runs alone. */
  private static final Schedule NEVER = Schedule.everyInstances(1L << 30);

  private static final int[] DIMENSIONS = {8, 22, 100};

  private final int d;
  private final int n;
  private final StartFiles start;

  private EngineTax(int d, int n) {
    this.d = d;
    this.n = n;
    this.start = start(d, n);
  }

  /** Prints a table: a row a dimension. */
  public static void main(String[] args) throws Exception {
    int n = args.length > 0 ? Integer.parseInt(args[0]) : 200_000;
    int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 5;
    System.out.println(
        "| d | plain loop µs | bare job µs | job µs | (job − bare)/loop | job/bare"
            + " | least | first quartile | third quartile | largest |");
    System.out.println("|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    int[] dimensions = args.length > 2 ? new int[] {Integer.parseInt(args[2])} : DIMENSIONS;
    for (int d : dimensions) {
      System.out.println(row(d, n, rounds));
    }
  }

  static String row(int d, int n, int rounds) throws Exception {
    return new EngineTax(d, n).row(rounds);
  }

  private String row(int rounds) throws Exception {
    double[] loops = new double[rounds];
    double[] bares = new double[rounds];
    double[] jobs = new double[rounds];
    double[] taxes = new double[rounds];
    for (int r = -1; r < rounds; r++) {
      double loop = slope(count -> loop(count, true) - loop(count, false));
      double bare = slope(count -> job(count, false));
      double full = slope(count -> job(count, true));
      if (r >= 0) {
        loops[r] = loop;
        bares[r] = bare;
        jobs[r] = full;
        taxes[r] = (full - bare) / loop;
      }
    }
    return String.format(
        Locale.ROOT,
        "| %d | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f |",
        d,
        median(loops),
        median(bares),
        median(jobs),
        median(taxes),
        median(jobs) / median(bares),
        quantile(taxes, 0),
        quantile(taxes, 0.25),
        quantile(taxes, 0.75),
        quantile(taxes, 1));
  }

  /** Seconds for so many records. */
  private interface Timed {
    double seconds(int count) throws Exception;
  }

  /** Microseconds a record. */
  private double slope(Timed run) throws Exception {
    double part = run.seconds(n / 4);
    return (run.seconds(n) - part) * 1e6 / (n - n / 4);
  }

  static double median(double[] values) {
    return quantile(values, 0.5);
  }

  /** The value that a share of the others are below, at most. */
  static double quantile(double[] values, double share) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[Math.min(sorted.length - 1, (int) (share * sorted.length))];
  }

  /**
   * A learner that has chosen its parameters, so that its cost is that of the steady state; one of
   * n instances where fewer are measured.
   */
  static StartFiles start(int d, int n) {
    Learner learner = Avm.classifier().build();
    for (long i = 0; i < Math.min(n, SETTLED); i++) {
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
    boolean wrong = random.nextDouble() < NOISE;
    double y = ((int) (2 * x[0]) + (int) (2 * x[1]) + (wrong ? 1 : 0)) % 2;
    return new Example("", "", FeatureVector.dense(x), y, 1, i);
  }

  private double loop(int count, boolean learn) throws Exception {
    Learner learner = Learner.fromBytes(start.file());
    double sum = 0;
    long before = System.nanoTime();
    for (long i = 0; i < count; i++) {
      Example example = example(i, d);
      sum += learn ? learner.predictThenLearn(example.x(), example.y(), 1) : example.y();
    }
    double seconds = (System.nanoTime() - before) / 1e9;
    if (Double.isNaN(sum)) {
      throw new IllegalStateException("no predictions");
    }
    return seconds;
  }

  private double job(int count, boolean learn) throws Exception {
    Configuration options = new Configuration();
    options.setString("pipeline.object-reuse", "true");
    options.setString("pipeline.generic-types", "false");
    options.setString("execution.checkpointing.interval", "10 s");
    options.setString("rest.port", "0");
    var env = StreamExecutionEnvironment.createLocalEnvironment(1, options);
    int features = d;
    DataStream<Example> examples =
        env.fromSource(
            new DataGeneratorSource<>(i -> example(i, features), count, Formats.EXAMPLE.type()),
            WatermarkStrategy.noWatermarks(),
            "examples");
    predictions(examples, learn).sinkTo(new DiscardingSink<>());
    return env.execute().getNetRuntime() / 1e3;
  }

  private DataStream<Prediction> predictions(DataStream<Example> examples, boolean learn) {
    if (!learn) {
      return examples
          .map(e -> new Prediction(e.id(), e.key(), 0, e.y(), 0, e.time()))
          .returns(Formats.PREDICTION.type());
    }
    StreamLearning learning =
        StreamLearning.on(
            examples, StreamLearning.settings("tax", start).publishing(NEVER).predicting(0));
    learning.models().sinkTo(new DiscardingSink<>()).setParallelism(1);
    return learning.predictions();
  }
}
