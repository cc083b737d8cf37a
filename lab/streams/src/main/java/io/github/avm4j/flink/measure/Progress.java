// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.measure;

import io.github.avm4j.flink.record.Prediction;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.apache.flink.api.common.functions.RichMapFunction;

/** Counts the predictions of each parallel task in this process. */
final class Progress extends RichMapFunction<Prediction, Prediction> {
  private static final long serialVersionUID = 1;
  private static final Map<String, Map<Integer, LongAdder>> COUNTS = new ConcurrentHashMap<>();

  private final String id = UUID.randomUUID().toString();
  private final int tasks;

  /** Of so many parallel tasks. */
  Progress(int tasks) {
    this.tasks = tasks;
  }

  private Map<Integer, LongAdder> counts() {
    return COUNTS.computeIfAbsent(id, none -> new ConcurrentHashMap<>());
  }

  long count() {
    return counts().values().stream().mapToLong(LongAdder::sum).sum();
  }

  /**
   * Waits until so many were counted, and each task has counted one: a task that is still being
   * started cannot be stopped with a savepoint.
   */
  void await(long count) throws InterruptedException {
    while (count() < count || counts().size() < tasks) {
      Thread.sleep(50);
    }
  }

  @Override
  public Prediction map(Prediction prediction) {
    int task = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
    counts().computeIfAbsent(task, index -> new LongAdder()).increment();
    return prediction;
  }
}
