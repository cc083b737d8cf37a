// Copyright avm4j contributors. SPDX-License-Identifier: GPL-3.0-or-later
package io.github.avm4j.lab.moa;

import io.github.avm4j.lab.baselines.ClustererProvider;
import moa.clusterers.denstream.WithDBSCAN;

/**
 * MOA's DenStream (Cao, Ester, Qian and Zhou, 2006) with MOA's default settings.
 *
 * @since 0.1.0
 */
public final class DenStream implements ClustererProvider {

  /** Called by {@link java.util.ServiceLoader}. */
  public DenStream() {}

  @Override
  public String title() {
    return "DenStream";
  }

  @Override
  public Clusterer create(int features, int classes) {
    return new MoaClusterer(new WithDBSCAN(), features);
  }
}
