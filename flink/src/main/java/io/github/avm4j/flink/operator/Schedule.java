// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import java.io.Serializable;

/**
 * When a model is published: by instances or by time, one of the two.
 *
 * @param instances after this many; 0 if by time
 * @param millis after this much processing time; 0 if by instances
 */
public record Schedule(long instances, long millis) implements Serializable {

  /**
   * Checks that exactly one is given.
   *
   * @param instances after this many; 0 if by time
   * @param millis after this much processing time; 0 if by instances
   */
  public Schedule {
    if (instances < 0 || millis < 0 || (instances == 0) == (millis == 0)) {
      throw new IllegalArgumentException(
          "a schedule has instances > 0 or millis > 0 and not both, were "
              + instances
              + " and "
              + millis);
    }
  }

  /**
   * {@return a schedule of every so many instances}
   *
   * @param count number of instances, ≥ 1
   */
  public static Schedule everyInstances(long count) {
    return new Schedule(count, 0);
  }

  /**
   * {@return a schedule of every so many milliseconds}
   *
   * @param millis milliseconds
   */
  public static Schedule everyMillis(long millis) {
    return new Schedule(0, millis);
  }
}
