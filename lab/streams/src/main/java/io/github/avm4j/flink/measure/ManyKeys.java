// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.measure;

import io.github.avm4j.Avm;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.flink.job.KeyState;
import io.github.avm4j.flink.operator.LearnKeys;
import io.github.avm4j.flink.operator.ScoreExamples;
import io.github.avm4j.flink.operator.StartFiles;
import io.github.avm4j.flink.record.Example;
import io.github.avm4j.flink.record.Formats;
import io.github.avm4j.flink.record.ModelVersion;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.pipeline.RowLearner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/**
 * Many keyed learners (the paper's, of at most 8 core points) in RocksDB state: rate, bytes a key,
 * time of a full snapshot. Arguments: keys, instances a key, folder, another state backend, and
 * settings of Flink as name=value. Run with -Xmx4g.
 */
public final class ManyKeys {
  private static final int FEATURES = 8;
  private static final int TASKS = 2;

  private ManyKeys() {}

  /** Prints what was measured. */
  public static void main(String[] args) throws Exception {
    long keys = args.length > 0 ? Long.parseLong(args[0]) : 1_000_000;
    int each = args.length > 1 ? Integer.parseInt(args[1]) : 4;
    Path folder = args.length > 2 ? Path.of(args[2]) : Files.createTempDirectory("avm4j-keys");
    Map<String, String> settings = KeyState.settings(args.length > 3 ? args[3] : "rocksdb");
    for (int i = 4; i < args.length; i++) {
      String[] setting = args[i].split("=", 2);
      settings.put(setting[0], setting[1]);
    }
    System.out.println(measure(keys, each, folder, settings));
  }

  private static Example example(long i, long keys) {
    SplittableRandom random = new SplittableRandom(i);
    double[] x = new double[FEATURES];
    for (int j = 0; j < FEATURES; j++) {
      x[j] = random.nextDouble();
    }
    String key = Long.toString(i % keys);
    return new Example("", key, FeatureVector.dense(x), x[0] > x[1] ? 1 : 0, 1, i);
  }

  static String measure(long keys, int each, Path folder, Map<String, String> settings)
      throws Exception {
    Configuration options = Configuration.fromMap(settings);
    options.setString("pipeline.object-reuse", "true");
    options.setString("pipeline.generic-types", "false");
    options.setString("execution.checkpointing.incremental", "true");
    options.setString(
        "execution.checkpointing.dir", folder.resolve("checkpoints").toUri().toString());
    options.setString("taskmanager.memory.managed.size", "512m");
    options.setString("rest.port", "0");
    var env = StreamExecutionEnvironment.createLocalEnvironment(TASKS, options);
    Learner small = Avm.paperClassifier().gamma(1).delta(1).lambda(0.01).budget(8).build();
    RowLearner rows = new RowLearner(Schema.numbered(), "y", small);
    rows.names().add("0");
    rows.names().add("1");
    DataStream<Example> examples =
        env.fromSource(
            new DataGeneratorSource<>(
                i -> example(i, keys), Long.MAX_VALUE, Formats.EXAMPLE.type()),
            WatermarkStrategy.noWatermarks(),
            "examples");
    DataStream<ModelVersion> none =
        examples.<ModelVersion>flatMap((e, out) -> {}).returns(Formats.MODEL_VERSION.type());
    Progress progress = new Progress(TASKS);
    examples
        .keyBy(Example::key, Types.STRING)
        .connect(none.broadcast(ScoreExamples.MODELS))
        .process(
            new LearnKeys(new StartFiles(rows).file(), "none", Duration.ZERO),
            Formats.PREDICTION.type())
        .map(progress)
        .returns(Formats.PREDICTION.type())
        .sinkTo(new DiscardingSink<>());
    JobClient job = env.executeAsync();
    progress.await(1);
    long begin = System.nanoTime();
    progress.await(keys);
    long created = System.nanoTime();
    long first = progress.count();
    progress.await(keys * each);
    long learned = progress.count();
    double seconds = (System.nanoTime() - created) / 1e9;
    long before = System.nanoTime();
    String savepoint =
        job.stopWithSavepoint(false, folder.toUri().toString(), SavepointFormatType.NATIVE).get();
    double snapshot = (System.nanoTime() - before) / 1e9;
    long bytes = size(Path.of(java.net.URI.create(savepoint)));
    return String.format(
        Locale.ROOT,
        "%d keys, %.1f instances each: %.0f new keys/s, then %.0f records/s; savepoint %.1f s,"
            + " %.1f MB, %.0f bytes/key; heap limit %d MB, at most %s resident",
        keys,
        (double) learned / keys,
        first / ((created - begin) / 1e9),
        (learned - first) / seconds,
        snapshot,
        bytes / 1e6,
        (double) bytes / keys,
        Runtime.getRuntime().maxMemory() >> 20,
        resident());
  }

  /** The process's largest resident size so far, with RocksDB's memory, as Linux tells it. */
  private static String resident() throws IOException {
    Path status = Path.of("/proc/self/status");
    if (Files.isReadable(status)) {
      for (String line : Files.readAllLines(status)) {
        if (line.startsWith("VmHWM:")) {
          return line.substring("VmHWM:".length()).strip();
        }
      }
    }
    return "unknown";
  }

  private static long size(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      long sum = 0;
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        sum += Files.size(file);
      }
      return sum;
    }
  }
}
