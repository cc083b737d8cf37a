// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.record;

import io.github.avm4j.config.Task;
import java.io.IOException;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Prequential counts: instances and their loss, in all and in the open window. Mutable; one thread.
 *
 * <p>Invariant: {@code 0 <= windowInstances <= instances}.
 */
final class Tally {
  private long instances;
  private double loss;
  private long windowInstances;
  private double windowLoss;

  /** Counts one prediction: 1 for a wrong class, the squared error for a number. */
  void add(Task task, double prediction, double y) {
    double error;
    if (task == Task.CLASSIFICATION) {
      error = prediction == y ? 0 : 1;
    } else {
      // no prediction yet counts as 0
      double difference = (Double.isNaN(prediction) ? 0 : prediction) - y;
      error = difference * difference;
    }
    instances++;
    windowInstances++;
    loss += error;
    windowLoss += error;
  }

  /** The score of the window that ends here; the next one begins. */
  WindowScore closeWindow(int cell, int size, long time) {
    WindowScore score =
        new WindowScore(cell, instances, loss, windowInstances, windowLoss, size, time);
    windowInstances = 0;
    windowLoss = 0;
    return score;
  }

  void write(DataOutputView out) throws IOException {
    out.writeLong(instances);
    out.writeDouble(loss);
    out.writeLong(windowInstances);
    out.writeDouble(windowLoss);
  }

  static Tally read(DataInputView in) throws IOException {
    Tally tally = new Tally();
    tally.instances = in.readLong();
    tally.loss = in.readDouble();
    tally.windowInstances = in.readLong();
    tally.windowLoss = in.readDouble();
    if (tally.windowInstances < 0 || tally.windowInstances > tally.instances) {
      throw new IOException(
          "the counts of a learner's state do not fit together: "
              + tally.windowInstances
              + " of "
              + tally.instances
              + " in the window");
    }
    return tally;
  }

  long instances() {
    return instances;
  }

  double loss() {
    return loss;
  }

  long windowInstances() {
    return windowInstances;
  }
}
