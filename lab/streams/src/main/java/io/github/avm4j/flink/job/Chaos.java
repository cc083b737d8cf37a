// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.fixtures.FlinkProcesses;
import io.github.avm4j.fixtures.JavaProcess;
import io.github.avm4j.fixtures.JobJar;
import io.github.avm4j.fixtures.KafkaBroker;
import io.github.avm4j.fixtures.MetricPorts;
import io.github.avm4j.fixtures.Topic;
import io.github.avm4j.fixtures.Waiting;
import io.github.avm4j.flink.job.ChaosAlarms.Expected;
import io.github.avm4j.flink.job.ChaosStrikes.Strike;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.jspecify.annotations.Nullable;

/**
 * Strikes at random: kills TaskManagers, the JobManager, the broker and {@code avm serve}, or makes
 * the folder of checkpoints unwritable, while two jobs learn from one topic (one learner, a learner
 * per key) and the server predicts with the first one's models. Prometheus watches with the rules
 * of deploy/prometheus. In the end every count is exact and no alarm is raised; on the way every
 * job went on, every strike raised its alarms and the server responded whenever it was up.
 *
 * <pre>
 * Chaos SECONDS [AVM] [SEED]      AVM is the launcher of a distribution; without it nothing is served
 * </pre>
 */
public final class Chaos implements AutoCloseable {
  private static final int WORKERS = 3;

  /** How much faster than its rules say Prometheus works. */
  private static final int FASTER = 10;

  private static final Duration STALLED = Waiting.PATIENCE;
  private static final Duration RAISED = Waiting.PATIENCE.dividedBy(3);
  private static final Duration CLEARED = Waiting.PATIENCE.multipliedBy(2);

  private final SplittableRandom random;
  private final Path folder = JavaProcess.freshFolder("chaos");
  private final KafkaBroker broker;
  private final MetricPorts ports = new MetricPorts(WORKERS);
  private final FlinkProcesses flink;
  private final @Nullable ChaosServing serving;
  private final ChaosStrikes strikes;
  private final ChaosAlarms alarms;
  private final List<ChaosJob> jobs = new ArrayList<>();
  private final Map<String, Integer> struck = new TreeMap<>();
  private final KafkaProducer<byte[], byte[]> producer;
  private final Thread rows = new Thread(this::produce, "rows");
  private volatile boolean running = true;
  private volatile long produced;
  private volatile @Nullable Exception problem;

  private Chaos(@Nullable Path avm, long seed) throws Exception {
    random = new SplittableRandom(seed);
    broker = new KafkaBroker(folder.resolve("kafka"));
    broker.topics(ChaosJob.ROWS, "feedback");
    producer = Topic.producer(broker.address());
    flink = new FlinkProcesses(folder.resolve("flink"), WORKERS, ports);
    String[] jars = JobJars.among(JobJar.classPath(folder.resolve("jars")));
    jobs.add(new ChaosJob("one", false, broker));
    jobs.add(new ChaosJob("keys", true, broker));
    for (ChaosJob job : jobs) {
      job.submit(broker, flink, folder, jars);
    }
    serving = avm == null ? null : new ChaosServing(avm, folder.resolve("serve"), broker.address());
    strikes =
        new ChaosStrikes(
            random, WORKERS, flink, ports, broker, folder.resolve("checkpoints"), serving);
    Map<String, List<String>> targets = new TreeMap<>();
    targets.put("flink", ports.targets());
    if (serving != null) {
      targets.put("avm-serve", List.of(serving.address()));
    }
    alarms = new ChaosAlarms(new Prometheus(folder.resolve("prometheus"), FASTER, targets));
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
    Waiting.until("rows", () -> produced >= 2 * ChaosJob.EVERY);
    awaitProgress(produced);
    alarms.awaitQuiet(CLEARED);
    say("two jobs learn, no alarm is raised");
    long end = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
    while (System.nanoTime() < end || struck.isEmpty()) {
      Thread.sleep(random.nextLong(2000, 15_000));
      strike(strikes.next());
    }
  }

  /**
   * What says that the victim is gone must not be raised before. What says that jobs were started
   * again may be, from the strike before, every other time.
   */
  private void strike(Strike strike) throws Exception {
    boolean calm = random.nextBoolean();
    for (Expected alarm : strike.raised()) {
      alarms.awaitCleared(alarm, CLEARED);
    }
    if (calm) {
      for (Expected alarm : strike.after()) {
        alarms.awaitCleared(alarm, CLEARED);
      }
    }
    Instant at = Instant.now();
    strike.takeAway().run();
    struck.merge(strike.victim(), 1, Integer::sum);
    Thread.sleep(random.nextLong(1000, 6000));
    for (Expected alarm : strike.raised()) {
      alarms.awaitRaised(alarm, RAISED);
    }
    long raised = seconds(at);
    strike.giveBack().run();
    long back = produced;
    for (Expected alarm : strike.after()) {
      alarms.awaitRaised(alarm, RAISED);
    }
    awaitProgress(back);
    say(
        "%s taken away; alarms %s within %d s; all jobs went on after %d s",
        strike.victim(), strike.raised(), raised, seconds(at));
  }

  private static long seconds(Instant since) {
    return Duration.between(since, Instant.now()).toSeconds();
  }

  /** No silent stop: every job learns from rows that came after {@code rows}, and says so. */
  private void awaitProgress(long rows) throws Exception {
    long target = (rows / ChaosJob.EVERY + 1) * ChaosJob.EVERY;
    long end = System.nanoTime() + STALLED.toNanos();
    for (ChaosJob job : jobs) {
      while (job.progress() < target) {
        assertTrue(
            System.nanoTime() < end,
            job.name() + " stands at " + job.progress() + " of " + target + " for " + STALLED);
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
    if (serving != null) {
      serving.predicted();
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

  private void settle() throws Exception {
    running = false;
    rows.join();
    for (ChaosJob job : jobs) {
      job.checkPredictions(produced);
      assertEquals("RUNNING", flink.state(job.id()));
    }
    alarms.awaitQuiet(CLEARED);
    say("all alarms are cleared");
    for (ChaosJob job : jobs) {
      flink.drain(job.id(), folder.resolve("savepoints"));
      job.checkModels(produced);
    }
    alarms.awaitRaised(new Expected("AvmJobGone", ""), RAISED);
    long predicted = 0;
    ChaosServing server = serving;
    if (server != null) {
      String newest = jobs.get(0).newestVersion();
      Waiting.until("version " + newest + " served", () -> server.serves(newest));
      Waiting.until("predictions", () -> server.predicted() > 0);
      server.stopAsking();
      predicted = server.predicted();
    }
    requireNoProblem();
    try (var files = Files.list(folder.resolve("models"))) {
      long models = files.filter(file -> file.toString().endsWith(".avm")).count();
      assertTrue(models <= 10, models + " files of two models");
    }
    say(
        "%d rows, each once in each of two jobs; taken away: %s; %d rows predicted",
        produced, struck, predicted);
    say("alarms raised: %s", alarms.raised());
  }

  private static void say(String text, Object... values) {
    System.out.printf("chaos: " + text + "%n", values);
  }

  @Override
  public void close() {
    running = false;
    alarms.close();
    jobs.forEach(ChaosJob::close);
    producer.close(Duration.ZERO);
    if (serving != null) {
      serving.close();
    }
    flink.close();
    broker.close();
  }
}
