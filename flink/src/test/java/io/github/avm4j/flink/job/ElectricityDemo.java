// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.avm4j.data.ReaderOptions;
import io.github.avm4j.data.Readers;
import io.github.avm4j.data.RowReader;
import io.github.avm4j.feature.Row;
import io.github.avm4j.feature.RowEncoder;
import io.github.avm4j.flink.cluster.FlinkProcesses;
import io.github.avm4j.flink.cluster.JavaProcess;
import io.github.avm4j.flink.cluster.JobJar;
import io.github.avm4j.flink.cluster.KafkaBroker;
import io.github.avm4j.flink.cluster.Topic;
import io.github.avm4j.flink.cluster.Waiting;
import io.github.avm4j.pipeline.RowLearner;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;

/** What examples/electricity/run.sh shows; the only argument is the file of data. */
public final class ElectricityDemo {
  private static final int EVERY = 5000;

  private ElectricityDemo() {}

  /** Runs it and says what happens. */
  public static void main(String[] args) throws Exception {
    List<String> lines = lines(Path.of(args[0]));
    int n = lines.size() / EVERY * EVERY;
    Path folder = JavaProcess.freshFolder("electricity");
    say("starting a Kafka broker, ZooKeeper, a JobManager and two TaskManagers");
    try (KafkaBroker broker = new KafkaBroker(folder.resolve("kafka"));
        FlinkProcesses flink = new FlinkProcesses(folder.resolve("flink"), 2);
        KafkaProducer<byte[], byte[]> producer = Topic.producer(broker.address())) {
      for (String topic : List.of("", "-models", "-scores", "-bad")) {
        broker.topic("electricity" + topic, 1, Map.of());
      }
      StreamConfig config = config(folder, broker);
      String[] jars = JobJars.among(JobJar.classPath(folder.resolve("jars")));
      String job = StreamMain.submit(config, flink.address(), null, jars);
      say("job " + job + " on " + flink.address() + " (a browser shows it there)");
      try (Topic scores = new Topic(broker.address(), "electricity-scores");
          Topic models = new Topic(broker.address(), "electricity-models")) {
        for (int i = 0; i < n; i++) {
          var unused =
              producer.send(Topic.record("electricity", Integer.toString(i), lines.get(i)));
        }
        producer.flush();
        int[] shown = new int[1];
        show(scores, 2, shown);
        String worker = flink.workerOf(job, "learn");
        say("kill -9 " + worker + ", which runs the learner");
        flink.killTaskManager(worker);
        show(scores, n / EVERY, shown);
        byte[] model = model(models, n);
        say("model of " + n + " rows has arrived, " + model.length + " bytes");
        boolean same = Arrays.equals(plainLoop(config, lines.subList(0, n)), model);
        say("it is " + (same ? "bit for bit" : "NOT") + " the model of a plain loop");
        if (!same) {
          throw new IllegalStateException("the models differ");
        }
      }
    }
  }

  private static void say(String words) {
    System.out.println("== " + words);
  }

  private static List<String> lines(Path file) throws Exception {
    List<String> lines = new ArrayList<>();
    ReaderOptions options = ReaderOptions.defaults().withLabel("class");
    try (RowReader reader = Readers.open(options, file)) {
      Row row = new Row();
      while (reader.next(row)) {
        StringBuilder line = new StringBuilder();
        for (int c = 0; c < row.width(); c++) {
          line.append(row.number(c)).append(',');
        }
        lines.add(line.append(row.labelText()).toString());
      }
    }
    return lines;
  }

  private static StreamConfig config(Path folder, KafkaBroker broker) throws Exception {
    String yaml = Files.readString(Path.of("..", "examples", "electricity", "job.yaml"));
    return StreamConfig.parse(
        yaml.replace("BROKER", broker.address())
            .replace("FOLDER", folder.toUri().toString().replaceAll("/$", "")),
        null);
  }

  private static void show(Topic scores, int windows, int[] shown) throws Exception {
    ObjectMapper json = new ObjectMapper();
    Waiting.until(
        "score " + windows,
        () -> {
          int all = 0;
          for (ConsumerRecord<byte[], byte[]> record : scores.poll()) {
            JsonNode score = json.readTree(record.value());
            if (score.path("shard").asText().equals("all")) {
              all++;
              if (all > shown[0]) {
                shown[0] = all;
                System.out.printf(
                    "   %,7d rows: error %.4f so far, %.4f in the last %d%n",
                    score.path("instances").asLong(),
                    score.path("error").asDouble(),
                    score.path("windowError").asDouble(),
                    score.path("window").asLong());
              }
            }
          }
          return all >= windows;
        });
  }

  private static byte[] model(Topic models, int n) throws Exception {
    byte[][] found = new byte[1][];
    Waiting.until(
        "model of " + n,
        () -> {
          for (ConsumerRecord<byte[], byte[]> record : models.poll()) {
            if (Topic.header(record, "instances").equals(Integer.toString(n))) {
              found[0] = record.value();
            }
          }
          return found[0] != null;
        });
    return found[0];
  }

  private static byte[] plainLoop(StreamConfig config, List<String> lines) throws Exception {
    RowLearner rows = RowLearner.read(config.start().file());
    List<String> names = config.input().text().columns().subList(0, 6);
    RowEncoder encoder = rows.schema().encoder(names);
    Row row = new Row();
    for (String line : lines) {
      String[] cells = line.split(",");
      row.reset(names.size());
      for (int c = 0; c < names.size(); c++) {
        row.setNumber(c, Double.parseDouble(cells[c]));
      }
      row.setLabel(Double.parseDouble(cells[names.size()]));
      rows.learner().predictThenLearn(encoder.encode(row), rows.target(row), 1);
    }
    return rows.snapshot().toBytes();
  }
}
