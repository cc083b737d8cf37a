// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.flink.cluster.FlinkProcesses;
import io.github.avm4j.flink.cluster.JavaProcess;
import io.github.avm4j.flink.cluster.JobJar;
import io.github.avm4j.flink.cluster.KafkaBroker;
import io.github.avm4j.flink.cluster.Topic;
import io.github.avm4j.flink.cluster.Waiting;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.jspecify.annotations.Nullable;

/**
 * Kills at random: TaskManagers, the JobManager, the broker and {@code avm serve}, while three jobs
 * learn from one topic (one shard, two shards, a learner per key) and the server answers with the
 * first one's models. In the end every count is exact; on the way every job went on, every kill
 * raised its alarm and the server answered whenever it was up.
 *
 * <pre>
 * Chaos SECONDS [AVM] [SEED]      AVM is the launcher of a distribution; without it nothing is served
 * </pre>
 */
public final class Chaos implements AutoCloseable {
  private static final int WORKERS = 3;
  private static final Duration STALLED = Duration.ofMinutes(3);
  private static final Duration ALARM = Duration.ofSeconds(30);

  private final SplittableRandom random;
  private final Path folder = JavaProcess.freshFolder("chaos");
  private final @Nullable Path avm;
  private final KafkaBroker broker;
  private final FlinkProcesses flink;
  private final ChaosAlarms alarms;
  private final List<ChaosJob> jobs = new ArrayList<>();
  private final Map<String, Integer> kills = new TreeMap<>();
  private final KafkaProducer<byte[], byte[]> producer;
  private final Thread rows = new Thread(this::produce, "rows");
  private final Thread questions = new Thread(this::ask, "questions");
  private volatile boolean running = true;
  private volatile boolean asking = true;
  private volatile long produced;
  private volatile @Nullable ServeDemo serve;
  private volatile @Nullable Exception problem;
  private final AtomicLong answered = new AtomicLong();

  private Chaos(@Nullable Path avm, long seed) throws Exception {
    this.avm = avm;
    random = new SplittableRandom(seed);
    broker = new KafkaBroker(folder.resolve("kafka"));
    broker.topic(ChaosJob.ROWS, 1, Map.of());
    broker.topic("feedback", 1, Map.of());
    producer = Topic.producer(broker.address());
    flink = new FlinkProcesses(folder.resolve("flink"), WORKERS);
    alarms = new ChaosAlarms(flink.address(), WORKERS);
    String[] jars = JobJars.among(JobJar.classPath(folder.resolve("jars")));
    jobs.add(new ChaosJob("one", false, 1, broker));
    jobs.add(new ChaosJob("two", false, 2, broker));
    jobs.add(new ChaosJob("keys", true, 2, broker));
    for (ChaosJob job : jobs) {
      job.submit(broker, flink, folder, jars);
    }
    startServe();
  }

  /** Runs it; throws if anything was not as it should be. */
  public static void main(String[] args) throws Exception {
    Path avm = args.length > 1 && !args[1].isEmpty() ? Path.of(args[1]) : null;
    run(Long.parseLong(args[0]), avm, args.length > 2 ? Long.parseLong(args[2]) : 1);
    System.exit(0);
  }

  /** Chaos for so many seconds. */
  static void run(long seconds, @Nullable Path avm, long seed) throws Exception {
    try (Chaos chaos = new Chaos(avm, seed)) {
      chaos.loose(seconds);
      chaos.settle();
    }
  }

  private void loose(long seconds) throws Exception {
    rows.setDaemon(true);
    rows.start();
    questions.setDaemon(true);
    questions.start();
    List<String> victims = new ArrayList<>(List.of("taskmanager", "jobmanager", "broker"));
    if (avm != null) {
      victims.add("serve");
    }
    long end = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
    while (System.nanoTime() < end || kills.isEmpty()) {
      Thread.sleep(random.nextLong(5000, 20_000));
      String victim = victims.get(random.nextInt(victims.size()));
      long before = produced;
      long at = System.nanoTime();
      kill(victim);
      kills.merge(victim, 1, Integer::sum);
      awaitAlarm(victim, at);
      awaitProgress(before);
      say(
          "%s killed; all jobs went on after %d s",
          victim, (System.nanoTime() - at) / 1_000_000_000);
    }
  }

  private void kill(String victim) throws Exception {
    switch (victim) {
      case "taskmanager" -> {
        String worker = "tm-" + random.nextInt(WORKERS);
        flink.killTaskManager(worker);
        Thread.sleep(8000);
        flink.startTaskManager(worker);
      }
      case "jobmanager" -> {
        flink.killJobManager();
        Thread.sleep(3000);
        flink.startJobManager();
      }
      case "broker" -> {
        broker.kill();
        Thread.sleep(10_000);
        broker.start();
      }
      default -> {
        ServeDemo up = serve;
        serve = null;
        if (up != null) {
          up.close();
        }
        Thread.sleep(2000);
        startServe();
      }
    }
  }

  private void startServe() throws Exception {
    if (avm != null) {
      ServeDemo started =
          new ServeDemo(avm, folder.resolve("serve"), broker.address(), "one-models", "feedback");
      alarms.server(started.address());
      serve = started;
    }
  }

  /** Without a server nobody looks at the broker. */
  private void awaitAlarm(String victim, long since) throws Exception {
    if (victim.equals("broker") && avm == null) {
      return;
    }
    long end = since + ALARM.toNanos();
    while (alarms.last(victim) < since) {
      assertTrue(System.nanoTime() < end, "no alarm for " + victim + " within " + ALARM);
      Thread.sleep(100);
    }
  }

  /** No silent stop: every job learns from what came before the kill, and says so. */
  private void awaitProgress(long before) throws Exception {
    long target = before - before % ChaosJob.EVERY;
    long end = System.nanoTime() + STALLED.toNanos();
    for (ChaosJob job : jobs) {
      while (job.progress() < target) {
        assertTrue(
            System.nanoTime() < end,
            job.name() + " stands at " + job.progress() + " of " + before + " for " + STALLED);
        Thread.sleep(200);
      }
    }
    requireNoProblem();
  }

  private void requireNoProblem() throws Exception {
    Exception failed = problem;
    if (failed != null) {
      throw failed;
    }
  }

  private void produce() {
    try {
      while (running || produced % ChaosJob.EVERY != 0) {
        long i = produced;
        var unused =
            producer.send(
                Topic.record(ChaosJob.ROWS, Long.toString(i), ChaosJob.row(i)),
                (metadata, e) -> problem = e == null ? problem : e);
        produced = i + 1;
        if (i % 10 == 0) {
          Thread.sleep(25);
        }
      }
      producer.flush();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A question that fails although the server was up before and after it is a problem. */
  private void ask() {
    while (asking) {
      ServeDemo up = serve;
      try {
        Thread.sleep(100);
        if (up != null && !up.ask("q", "[{\"a\":0.1,\"b\":0.2,\"c\":0.3}]").isEmpty()) {
          answered.incrementAndGet();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      } catch (Exception e) {
        if (up == serve) {
          problem = e;
        }
      }
    }
  }

  private void settle() throws Exception {
    running = false;
    rows.join();
    for (ChaosJob job : jobs) {
      job.checkAnswers(produced);
      assertEquals("RUNNING", flink.state(job.id()));
      flink.drain(job.id(), folder.resolve("savepoints"));
      job.checkModels(produced);
    }
    ServeDemo up = serve;
    if (up != null) {
      String newest = jobs.get(0).newestVersion();
      Waiting.until("version " + newest + " served", () -> up.model().toString().contains(newest));
      Waiting.until("answers", () -> answered.get() > 0);
    }
    asking = false;
    questions.join();
    requireNoProblem();
    try (var files = Files.list(folder.resolve("models"))) {
      long models = files.filter(file -> file.toString().endsWith(".avm")).count();
      assertTrue(models <= 10, models + " files of two models");
    }
    say(
        "%d rows, each once in each of three jobs; kills %s; %d questions answered",
        produced, kills, answered.get());
  }

  private static void say(String text, Object... values) {
    System.out.printf("chaos: " + text + "%n", values);
  }

  @Override
  public void close() {
    running = false;
    asking = false;
    alarms.close();
    jobs.forEach(ChaosJob::close);
    producer.close(Duration.ZERO);
    ServeDemo up = serve;
    if (up != null) {
      up.close();
    }
    flink.close();
    broker.close();
  }
}
