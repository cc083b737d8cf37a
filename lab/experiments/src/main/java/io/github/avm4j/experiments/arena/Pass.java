// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments.arena;

import io.github.avm4j.config.Task;
import io.github.avm4j.experiments.defaults.StreamData;
import io.github.avm4j.learner.OnlineLearner;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/**
 * One prequential pass with a limit of processor time.
 *
 * @param status how it ended
 * @param seen rows that were predicted and learned
 * @param error mistakes in %, or the root of the mean squared error, of these rows
 * @param cpuSeconds processor time of the learning thread
 * @param parts the error after each twentieth of the rows that was reached
 */
record Pass(Status status, int seen, double error, double cpuSeconds, List<Double> parts) {
  static final int PARTS = 20;
  private static final int CHECK_EVERY = 16;

  /** How a pass ended. */
  enum Status {
    /** With the last row. */
    DONE("done"),
    /** With the processor time. */
    OUT_OF_TIME("out of time"),
    /** With the memory. */
    OUT_OF_MEMORY("out of memory");

    final String text;

    Status(String text) {
      this.text = text;
    }
  }

  Pass {
    parts = List.copyOf(parts);
  }

  /** Predicts and learns the first {@code rows} of an order. */
  static Pass of(
      StreamData data, int[] order, int rows, OnlineLearner learner, double mostSeconds) {
    Status status = Status.DONE;
    boolean classes = data.task() == Task.CLASSIFICATION;
    List<Double> parts = new ArrayList<>();
    double sum = 0;
    int seen = 0;
    long begin = cpu();
    try {
      while (seen < rows && status == Status.DONE) {
        int row = order[seen];
        double y = data.y().get(row);
        double answer = learner.predictThenLearn(data.x().get(row), y, 1);
        sum += classes ? (answer == y ? 0 : 1) : (answer - y) * (answer - y);
        seen++;
        if (seen == (parts.size() + 1L) * rows / PARTS) {
          parts.add(error(classes, sum, seen));
        }
        if (seen % CHECK_EVERY == 0 && (cpu() - begin) / 1e9 > mostSeconds && seen < rows) {
          status = Status.OUT_OF_TIME;
        }
      }
    } catch (OutOfMemoryError e) {
      status = Status.OUT_OF_MEMORY;
    }
    double seconds = (cpu() - begin) / 1e9;
    return new Pass(status, seen, error(classes, sum, seen), seconds, parts);
  }

  private static double error(boolean classes, double sum, int seen) {
    double mean = sum / Math.max(1, seen);
    return classes ? 100 * mean : Math.sqrt(mean);
  }

  private static long cpu() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }
}
