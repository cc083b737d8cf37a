// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import io.github.avm4j.flink.cluster.Prometheus;
import io.github.avm4j.flink.cluster.Prometheus.Alarm;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * What a person on call would be told: the alarms that Prometheus raises by the rules of
 * examples/prometheus, looked at twice a second. Counts how often each was raised.
 */
final class ChaosAlarms implements AutoCloseable {
  private static final Set<String> BUSY = Set.of("AvmRequestsSlow", "AvmCheckpointsSlow");

  private final Prometheus prometheus;
  private final Thread thread = new Thread(this::watch, "alarms");
  private final Map<String, Integer> raised = new TreeMap<>();
  private volatile List<Alarm> now = List.of();

  ChaosAlarms(Prometheus prometheus) {
    this.prometheus = prometheus;
    thread.setDaemon(true);
    thread.start();
  }

  /** An alarm that a strike must raise; an empty subject stands for any. */
  record Expected(String name, String subject) {
    boolean fits(Alarm alarm) {
      return alarm.name().equals(name) && (subject.isEmpty() || alarm.subject().equals(subject));
    }

    @Override
    public String toString() {
      return subject.isEmpty() ? name : name + " of " + subject;
    }
  }

  /** Waits until it is raised because of something after {@code since}. */
  void awaitRaised(Expected alarm, Instant since, Duration patience) throws InterruptedException {
    await(
        alarm + " is not raised",
        alarms -> alarms.stream().anyMatch(a -> alarm.fits(a) && !a.since().isBefore(since)),
        patience);
  }

  /** Waits until it is not raised. */
  void awaitCleared(Expected alarm, Duration patience) throws InterruptedException {
    await(alarm + " is not cleared", alarms -> alarms.stream().noneMatch(alarm::fits), patience);
  }

  /** Waits until none is raised, but for those that only say how busy the machine is. */
  void awaitQuiet(Duration patience) throws InterruptedException {
    await(
        "there are alarms",
        alarms -> alarms.stream().allMatch(alarm -> BUSY.contains(alarm.name())),
        patience);
  }

  private void await(String problem, Predicate<List<Alarm>> condition, Duration patience)
      throws InterruptedException {
    long end = System.nanoTime() + patience.toNanos();
    while (!condition.test(now)) {
      if (System.nanoTime() > end) {
        throw new AssertionError(problem + " after " + patience + "; raised are " + now);
      }
      Thread.sleep(100);
    }
  }

  /** How often each alarm was raised. */
  synchronized Map<String, Integer> raised() {
    return new TreeMap<>(raised);
  }

  private void watch() {
    Set<Alarm> known = new HashSet<>();
    try {
      while (true) {
        List<Alarm> alarms = look();
        for (Alarm alarm : alarms) {
          if (known.add(alarm)) {
            count(alarm.name());
          }
        }
        now = alarms;
        Thread.sleep(500);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private List<Alarm> look() throws InterruptedException {
    try {
      return prometheus.alarms().stream().map(ChaosAlarms::withoutValue).toList();
    } catch (IOException e) {
      return now;
    }
  }

  /** A summary may hold a number that changes while the alarm is the same. */
  private static Alarm withoutValue(Alarm alarm) {
    return new Alarm(alarm.name(), alarm.subject(), alarm.since(), "");
  }

  private synchronized void count(String name) {
    raised.merge(name, 1, Integer::sum);
  }

  @Override
  public void close() {
    thread.interrupt();
    prometheus.close();
  }
}
