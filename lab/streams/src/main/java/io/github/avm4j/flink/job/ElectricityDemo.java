// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.avm4j.fixtures.FlinkProcesses;
import io.github.avm4j.fixtures.JavaProcess;
import io.github.avm4j.fixtures.JobJar;
import io.github.avm4j.fixtures.KafkaBroker;
import io.github.avm4j.fixtures.Topic;
import io.github.avm4j.fixtures.Waiting;
import io.github.avm4j.pipeline.RowModel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.jspecify.annotations.Nullable;

/**
 * What examples/electricity/run.sh shows. A day's rows go to a topic and, to be predicted, to
 * {@code avm serve}; a day later their labels go back through its feedback. The job joins both,
 * learns and publishes models, which the server takes up.
 *
 * <p>Arguments: the file of data, the launcher of {@code avm}, and, if not all, how many days. With
 * {@code -Dstay=true} all goes on until Enter is pressed.
 */
public final class ElectricityDemo implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int DAYS_A_SECOND = 12;
  private static final int DAYS_A_MODEL = 10;
  private static final int DAYS_A_LINE = 50;

  /** A model waits for the last of its labels, and predicts until the next one is there. */
  private static final int OLDEST = 2 * DAYS_A_MODEL;

  /** In fewer, chance may favour the first version. */
  private static final int ENOUGH_DAYS = 200;

  private final ElectricityDaysDemo days;
  private final int count;
  private final StreamConfig config;
  private final KafkaBroker broker;
  private final FlinkProcesses flink;
  private final ServeDemo serve;
  private final KafkaProducer<byte[], byte[]> producer;
  private final Topic models;
  private final String job;
  private int predicted;
  private int wrong;
  private int wrongOfFirst;
  private @Nullable RowModel first;

  /** Starts everything. */
  private ElectricityDemo(ElectricityDaysDemo days, int count, Path avm) throws Exception {
    this.days = days;
    this.count = count;
    Path folder = JavaProcess.freshFolder("electricity");
    say("starting a Kafka broker, ZooKeeper, a JobManager and two TaskManagers");
    broker = new KafkaBroker(folder.resolve("kafka"));
    broker.topics("electricity", "electricity-labels", "electricity-scores", "electricity-bad");
    broker.topic("electricity-models", 1, Map.of("cleanup.policy", "compact"));
    flink = new FlinkProcesses(folder.resolve("flink"), 2);
    String yaml = Files.readString(Path.of("..", "..", "examples", "electricity", "job.yaml"));
    String place = folder.toUri().toString().replaceAll("/$", "");
    config =
        StreamConfig.parse(yaml.replace("BROKER", broker.address()).replace("FOLDER", place), null);
    String[] jars = JobJars.among(JobJar.classPath(folder.resolve("jars")));
    job = StreamMain.submit(config, flink.address(), Launch.NEW, jars);
    Waiting.until("running job", () -> flink.state(job).equals("RUNNING"));
    say("the job runs: http://" + flink.address() + "/");
    serve =
        new ServeDemo(
            avm,
            folder.resolve("serve"),
            broker.address(),
            "electricity-models",
            "electricity-labels");
    say("avm serve waits for a model; OPEN ITS PAGE to watch: " + serve.address() + "/");
    producer = Topic.producer(broker.address());
    models = new Topic(broker.address(), "electricity-models");
  }

  /** Runs it and says what happens. */
  public static void main(String[] args) throws Exception {
    ElectricityDaysDemo days = new ElectricityDaysDemo(Path.of(args[0]));
    int count = args.length > 2 ? Integer.parseInt(args[2]) : days.count();
    count = Math.min(count, days.count()) / DAYS_A_MODEL * DAYS_A_MODEL;
    if (count < 2 * DAYS_A_MODEL) {
      throw new IllegalArgumentException("at least 20 days are needed, there are " + count);
    }
    try (ElectricityDemo demo = new ElectricityDemo(days, count, Path.of(args[1]))) {
      demo.stream();
      demo.compare();
      if (Boolean.getBoolean("stay")) {
        say("the page stays until you press Enter");
        int unused = System.in.read();
      }
    }
  }

  private static void say(String words) {
    System.out.println("== " + words);
  }

  /** Of the figures before or after it. */
  private static void explain(String words) {
    System.out.println("   " + words);
  }

  private void stream() throws Exception {
    say(count + " days of 48 rows, " + DAYS_A_SECOND + " a second; labels come back a day later");
    int[] before = new int[3];
    long start = System.nanoTime();
    for (int day = 0; day < count; day++) {
      if (day == DAYS_A_MODEL + 1) {
        Waiting.until("a first model", () -> !serve.model().path("version").isMissingNode());
        start = System.nanoTime() - day * 1_000_000_000L / DAYS_A_SECOND;
        say("a first model has arrived, from now on rows are predicted");
        explain(
            "each line: the server's mistakes in the days since the line before, and those that");
        explain("version 1 would have made on the same rows");
      }
      if (day == count / 3) {
        String worker = flink.workerOf(job, "learn");
        say("kill -9 " + worker + ", which runs the learner; events and questions go on");
        flink.killTaskManager(worker);
      }
      live(day);
      if (day > 0) {
        serve.tell(days.labels(day - 1));
      }
      if ((day + 1) % DAYS_A_LINE == 0) {
        line(day + 1, before);
      }
      long due = start + (day + 1) * 1_000_000_000L / DAYS_A_SECOND;
      Thread.sleep(Math.max(0, (due - System.nanoTime()) / 1_000_000));
    }
    serve.tell(days.labels(count - 1));
  }

  /** A day's rows become events and questions. */
  private void live(int day) throws Exception {
    for (int r = 0; r < ElectricityDaysDemo.ROWS; r++) {
      var unused =
          producer.send(Topic.record("electricity", days.id(day, r), days.features(day, r)));
    }
    producer.flush();
    List<String> predictions = serve.ask("day-" + day, days.question(day));
    for (int r = 0; r < predictions.size(); r++) {
      predicted++;
      wrong += predictions.get(r).equals(days.label(day, r)) ? 0 : 1;
      wrongOfFirst += days.prediction(first(), day, r).equals(days.label(day, r)) ? 0 : 1;
    }
  }

  private RowModel first() throws Exception {
    RowModel model = first;
    if (model == null) {
      Waiting.until("a first model", () -> !models.poll().isEmpty());
      model = RowModel.read(models.poll().get(0).value());
      first = model;
    }
    return model;
  }

  private void line(int day, int[] before) throws Exception {
    int rows = predicted - before[0];
    System.out.printf(
        "   day %4d: version %3s predicts; wrong in these days: %4.1f %%, with version 1 still:"
            + " %4.1f %%%n",
        day,
        serve.model().path("version").asText(),
        100.0 * (wrong - before[1]) / rows,
        100.0 * (wrongOfFirst - before[2]) / rows);
    before[0] = predicted;
    before[1] = wrong;
    before[2] = wrongOfFirst;
  }

  private String percent(int part) {
    return String.format("%.1f %%", 100.0 * part / predicted);
  }

  /** The final model is that of a plain loop, and the server's own account is ours. */
  private void compare() throws Exception {
    int n = count * ElectricityDaysDemo.ROWS;
    byte[] model = model(n);
    say("the model of all " + n + " rows has arrived, " + model.length + " bytes");
    require(
        Arrays.equals(days.plainLoop(config, count), model),
        "it is bit for bit the model of a plain loop over the same rows");
    String version = Integer.toString(count / DAYS_A_MODEL);
    Waiting.until(
        "version " + version, () -> serve.model().path("version").asText().equals(version));
    JsonNode feedback = serve.model().path("feedback");
    require(
        feedback.path("judged").asInt() == predicted
            && Math.round(feedback.path("error").asDouble() * predicted) == wrong,
        "the server predicts with it, and its page's error is the one counted here: "
            + percent(wrong)
            + " of "
            + predicted
            + " predictions");
    explain("its models are up to %d days old, and prices change within a day".formatted(OLDEST));
    require(
        wrong < wrongOfFirst || count < ENOUGH_DAYS,
        "had version 1 predicted all the time: " + percent(wrongOfFirst));
    explain("the difference is what newer models are worth");
    error(n);
  }

  private static void require(boolean holds, String words) {
    say((holds ? "" : "NOT SO: ") + words);
    if (!holds) {
      throw new IllegalStateException(words);
    }
  }

  private byte[] model(int n) throws Exception {
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

  /** The learner's own error, each label known before the next row: what avm evaluate measures. */
  private void error(int n) throws Exception {
    try (Topic scores = new Topic(broker.address(), "electricity-scores")) {
      Waiting.until(
          "score of " + n,
          () -> {
            for (ConsumerRecord<byte[], byte[]> record : scores.poll()) {
              JsonNode score = JSON.readTree(record.value());
              if (score.path("instances").asInt() == n) {
                say(
                    "the job's own error, each label known before the next row is asked: "
                        + String.format("%.2f %%", 100 * score.path("error").asDouble()));
                explain(
                    "the same learner and rows as the server's: the difference is the age of"
                        + " models");
                return true;
              }
            }
            return false;
          });
    }
  }

  @Override
  public void close() {
    models.close();
    producer.close();
    serve.close();
    flink.close();
    broker.close();
  }
}
