// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.evaluation;

/**
 * Where an evaluation stands after some instances.
 *
 * @param instances number of instances predicted and learned
 * @param cumulative figures of all of them, beside the baselines'
 * @param window figures of the last ones
 * @param corePoints number of core points S
 * @param modelBytes approximate size of the learner's file; taken anew when S has changed or the
 *     number of instances has doubled
 * @param ramHours modelBytes in GB times hours of CPU, summed over the points so far
 * @param wallSeconds time since the start, the evaluation's own points not counted
 * @param cpuSeconds processor time since the start
 */
public record CurvePoint(
    long instances,
    Figures cumulative,
    Figures window,
    int corePoints,
    long modelBytes,
    double ramHours,
    double wallSeconds,
    double cpuSeconds) {

  /** {@return the percent of mistakes, or root mean squared error, so far} */
  public double error() {
    return cumulative.error();
  }

  /** {@return the error of the better baseline, so far} */
  public double baseline() {
    return cumulative.baseline();
  }
}
