// Copyright avm4j contributors. SPDX-License-Identifier: GPL-3.0-or-later
package io.github.avm4j.lab.moa;

import io.github.avm4j.lab.baselines.ClustererProvider;
import moa.clusterers.clustream.WithKmeans;

/**
 * MOA's CluStream (Aggarwal, Han, Wang and Yu, 2003) with MOA's default settings, except that its
 * k-means is given the number of classes.
 *
 * @since 0.1.0
 */
public final class CluStream implements ClustererProvider {

  /** Called by {@link java.util.ServiceLoader}. */
  public CluStream() {}

  @Override
  public String title() {
    return "CluStream, k given";
  }

  @Override
  public Clusterer create(int features, int classes) {
    WithKmeans clusterer = new WithKmeans();
    clusterer.kOption.setValue(classes);
    return new MoaClusterer(clusterer, features);
  }
}
