// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.github.avm4j.fixtures.FlinkProcesses;
import io.github.avm4j.fixtures.JavaProcess;
import io.github.avm4j.fixtures.KafkaBroker;
import io.github.avm4j.fixtures.Relay;
import io.github.avm4j.fixtures.TestStream;
import io.github.avm4j.fixtures.Waiting;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Every fault once, in random order and at random moments, on a job of one learner and a job of
 * cells that read the same rows. After each fault both go on; in the end every count is exact and
 * what both published is, bit for bit, that of plain loops over the same records.
 */
final class FaultRound implements AutoCloseable {
  private static final List<String> POISON =
      List.of("not a row at all", "1 1:nan", "", "7 1:0.5", "1 3:1 2:1", "1 1:1\n1 1:2");

  private final String name;
  private final Random random;
  private final KafkaBroker broker;
  private final FlinkProcesses flink;
  private final Path folder;
  private final SmallDisk checkpoints;
  private final SmallDisk models;
  private final FaultRun learner;
  private final FaultRows rows;
  private final FaultCells cells;
  private final long begin = System.nanoTime();

  /** Something that is done to a process, a network or a disk. */
  private interface Action {
    void run() throws Exception;
  }

  FaultRound(
      String name,
      long seed,
      Path folder,
      KafkaBroker broker,
      FlinkProcesses flink,
      List<String> classPath)
      throws Exception {
    this.name = name;
    this.random = new Random(seed);
    this.broker = broker;
    this.flink = flink;
    this.folder = folder.resolve(name);
    checkpoints = new SmallDisk(this.folder.resolve("checkpoints"));
    models = new SmallDisk(this.folder.resolve("models"));
    learner = new FaultRun(name, this.folder, broker, flink, JobJars.among(classPath));
    learner.checkpointsTo(checkpoints.folder());
    learner.modelsTo(models.folder());
    rows = learner.rows();
    cells =
        new FaultCells(
            name + "-cells", rows, this.folder, checkpoints.folder(), broker, flink, classPath);
  }

  /** Whether disks could be filled. */
  boolean hadDisks() {
    return checkpoints.mounted() && models.mounted();
  }

  /**
   * Strikes.
   *
   * @param all or only with what the jobs' own state must survive
   */
  void run(boolean all) throws Exception {
    learner.submit(null);
    say("a job of one learner runs");
    if (all) {
      killWhoMakesThePlan();
    } else {
      rows.produceTo(2 * FaultCells.PLAN);
    }
    cells.submit();
    say("a job of cells runs");
    List<Action> faults = new ArrayList<>(List.of(this::killTaskManager, this::poison));
    if (all) {
      faults.addAll(ofOthers());
    }
    Collections.shuffle(faults, random);
    for (Action fault : faults) {
      fault.run();
    }
    end();
  }

  /** Faults of the cluster, the broker, networks and disks. */
  private List<Action> ofOthers() {
    List<Action> faults =
        new ArrayList<>(
            List.of(
                () ->
                    strike(
                        "JobManager killed", next(), flink::killJobManager, flink::startJobManager),
                () -> strike("broker killed", next(), broker::kill, broker::start),
                () -> cut("network to the broker cut", next(), broker.network()),
                () -> cut("network to the JobManager cut", next(), flink.network())));
    if (hadDisks()) {
      faults.addAll(List.of(this::fillCheckpoints, this::fillModels));
    }
    return faults;
  }

  /** Kills it while it waits for rows, while it makes the plan, and when the plan is there. */
  private void killWhoMakesThePlan() throws Exception {
    rows.produceTo(100 + random.nextInt(800));
    JavaProcess waiting = cells.start();
    waiting.awaitLog("waits for more rows");
    pause(500);
    waiting.kill();
    struck("submitter killed while it waits for rows");
    assertFalse(Files.exists(cells.plan()), "no plan of too few rows");

    JavaProcess making = cells.start();
    making.awaitLog("waits for more rows");
    if (random.nextBoolean()) {
      strike("broker killed, plan phase", FaultRun.EVERY, broker::kill, broker::start);
    } else {
      cut("network to the broker cut, plan phase", FaultRun.EVERY, broker.network());
    }
    making.requireAlive();
    rows.poison(anyPoison());
    CompletableFuture<Void> killed = async("submitter", () -> kill(making, random.nextInt(1500)));
    rows.produceSlowlyTo(2 * FaultCells.PLAN);
    killed.get();
    boolean made = Files.exists(cells.plan());
    struck("submitter killed " + (made ? "just after the plan" : "while it reads or plans"));
    if (made) {
      cells.checkPlan();
      Files.delete(cells.plan());
    }

    kill(cells.start(), Integer.MAX_VALUE);
    struck("submitter killed after the plan was written");
    cells.checkPlan();
  }

  /** Kills after so many milliseconds, or as soon as there is a plan. */
  private void kill(JavaProcess submitter, int after) throws Exception {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(after);
    while (System.nanoTime() < end && !Files.exists(cells.plan())) {
      submitter.requireAlive();
      Thread.sleep(2);
    }
    submitter.kill();
  }

  private void killTaskManager() throws Exception {
    String worker =
        random.nextBoolean()
            ? flink.workerOf(learner.job(), "learn")
            : flink.workerOf(cells.job(), "learn-cells");
    strike(
        "TaskManager killed",
        next(),
        () -> flink.killTaskManager(worker),
        () -> flink.startTaskManager(worker));
  }

  private void cut(String kind, long to, Relay network) throws Exception {
    boolean silent = random.nextBoolean();
    strike(
        kind + (silent ? ", silent" : ", broken"),
        to,
        silent ? network::silence : network::breakConnections,
        network::heal);
  }

  /**
   * A checkpoint that was nearly done when the disk filled up may delete the one before, which
   * leaves room for the next, and so on: what is given back is taken, until one has failed.
   */
  private void fillCheckpoints() throws Exception {
    long learned = flink.checkpoints(learner.job(), "failed");
    long ofCells = flink.checkpoints(cells.job(), "failed");
    strike(
        "disk of checkpoints full",
        next(),
        checkpoints::fill,
        () -> {
          Waiting.until(
              "failed checkpoints",
              () -> {
                checkpoints.fill();
                return flink.checkpoints(learner.job(), "failed") > learned
                    && flink.checkpoints(cells.job(), "failed") > ofCells;
              });
          requireNotFailedForSpace();
          checkpoints.free();
        });
  }

  private void requireNotFailedForSpace() throws Exception {
    for (String job : List.of(learner.job(), cells.job())) {
      assertFalse(flink.failedFor(job, "No space left"), "a full disk fails no job");
    }
  }

  /** Models go on to the topic, and no job is restarted. */
  private void fillModels() throws Exception {
    models.fill();
    rows.produceTo(next());
    awaitExact();
    requireNotFailedForSpace();
    models.free();
    struck("disk of models full");
  }

  private String anyPoison() {
    return POISON.get(random.nextInt(POISON.size()));
  }

  private void poison() throws Exception {
    long to = next();
    while (rows.produced() < to) {
      rows.poison(anyPoison());
      rows.produceTo(Math.min(to, rows.produced() + 1 + random.nextInt(1000)));
    }
    awaitExact();
    struck("poison records");
  }

  /** Takes something away and gives it back while rows up to {@code to} come. */
  private void strike(String kind, long to, Action takeAway, Action giveBack) throws Exception {
    long[] at = new long[2];
    CompletableFuture<Void> done =
        async(
            kind,
            () -> {
              pause(1500);
              at[0] = rows.produced();
              at[1] = System.nanoTime();
              takeAway.run();
              pause(4000);
              giveBack.run();
            });
    rows.produceSlowlyTo(to);
    // What it waits for itself is to be told first.
    done.get(2 * Waiting.PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    awaitExact();
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - at[1]);
    struck(kind, " at row %d, exact %d s later".formatted(at[0], seconds));
  }

  private static CompletableFuture<Void> async(String what, Action action) {
    return CompletableFuture.runAsync(
        () -> {
          try {
            action.run();
          } catch (Exception e) {
            throw new IllegalStateException(what, e);
          }
        });
  }

  /** A number of rows after which a model is published. */
  private long next() {
    return (rows.produced() / FaultRun.EVERY + 3 + random.nextInt(3)) * FaultRun.EVERY;
  }

  private void awaitExact() throws Exception {
    long n = rows.produced();
    assertArrayEquals(TestStream.expected(n), learner.awaitModel(n).value());
    if (!cells.job().isEmpty()) {
      cells.awaitPredictions(n);
    }
  }

  private void pause(int most) throws InterruptedException {
    Thread.sleep(random.nextInt(most));
  }

  private void struck(String kind) {
    struck(kind, "");
  }

  private void struck(String kind, String how) {
    say("%s%s, %d rows so far".formatted(kind, how, rows.produced()));
  }

  private void say(String what) {
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin);
    System.out.printf("faults: %s, %d s: %s%n", name, seconds, what);
  }

  private void end() throws Exception {
    long n = next();
    rows.produceTo(n);
    learner.check(n);
    learner.checkBad();
    String newest = "-%06d.avm%n".formatted(n / FaultRun.EVERY);
    Waiting.until(
        "the newest version in the folder",
        () -> Files.readString(models.folder().resolve(name + ".latest")).endsWith(newest));
    cells.check(n, folder.resolve("savepoints"));
    say("all is exact after %d rows".formatted(n));
  }

  @Override
  public void close() {
    cells.close();
    learner.close();
    checkpoints.close();
    models.close();
  }
}
