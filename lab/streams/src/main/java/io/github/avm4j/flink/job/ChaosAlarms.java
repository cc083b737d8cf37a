// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import io.github.avm4j.flink.job.Prometheus.Alarm;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * What a person on call would be told: the alarms that Prometheus raises by the rules of
 * deploy/prometheus, looked at twice a second. Counts how often each was raised.
 */
final class ChaosAlarms implements AutoCloseable {
  private static final Set<String> BUSY = Set.of("AvmRequestsSlow", "AvmCheckpointsSlow");

  private final Prometheus prometheus;
  private final Thread thread = new Thread(this::watch, "alarms");
  private final Map<String, Integer> raised = new TreeMap<>();

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

  /** Waits until it is raised. */
  void awaitRaised(Expected alarm, Duration patience) throws InterruptedException {
    await(
        alarm + " is not raised",
        alarms -> alarms.stream().anyMatch(a -> alarm.fits(a) && a.raised()),
        patience);
  }

  /** Waits until it is not raised, nor about to be. */
  void awaitCleared(Expected alarm, Duration patience) throws InterruptedException {
    await(alarm + " is not cleared", alarms -> alarms.stream().noneMatch(alarm::fits), patience);
  }

  /** Waits until none is raised, but for those that only say how busy the machine is. */
  void awaitQuiet(Duration patience) throws InterruptedException {
    await(
        "there are alarms",
        alarms -> alarms.stream().allMatch(a -> !a.raised() || BUSY.contains(a.name())),
        patience);
  }

  private void await(String problem, Predicate<List<Alarm>> condition, Duration patience)
      throws InterruptedException {
    long end = System.nanoTime() + patience.toNanos();
    List<Alarm> alarms = poll();
    while (!condition.test(alarms)) {
      if (System.nanoTime() > end) {
        throw new AssertionError(problem + " after " + patience + "; there are " + alarms);
      }
      Thread.sleep(500);
      alarms = poll();
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
        for (Alarm alarm : poll()) {
          if (alarm.raised() && known.add(alarm)) {
            count(alarm.name());
          }
        }
        Thread.sleep(500);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Repeats the request until it gets a response: on a busy machine that may take a while. */
  private List<Alarm> poll() throws InterruptedException {
    while (true) {
      try {
        return prometheus.alarms();
      } catch (IOException e) {
        Thread.sleep(500);
      }
    }
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
