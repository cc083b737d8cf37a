// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.lab.baselines;

import java.util.List;
import java.util.function.ToIntFunction;

/**
 * A clusterer of streams of another library, found at run time as the learners of {@link
 * LearnerProvider} are. Nothing compiles against it.
 */
public interface ClustererProvider {
  /** A clusterer that learns one row at a time. */
  interface Clusterer {
    /**
     * Learns a row.
     *
     * @param x features, each within 0 and 1
     */
    void learn(double[] x);

    /** {@return the clusters as they are now: gives the number of a row's cluster, −1 for none} */
    ToIntFunction<double[]> clusters();
  }

  /** {@return what it is called in tables} */
  String title();

  /**
   * {@return a clusterer that has seen nothing, with its library's default settings}
   *
   * @param features number of features of a row
   * @param classes number of classes of the stream, for a clusterer that needs it
   */
  Clusterer create(int features, int classes);

  /** {@return the providers on the class path whose library is there} */
  static List<ClustererProvider> found() {
    return Providers.found(ClustererProvider.class);
  }
}
