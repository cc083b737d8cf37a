// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.model;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Scaling;
import io.github.avm4j.internal.coreset.CoreDistances;
import io.github.avm4j.internal.coreset.CoreSet;
import io.github.avm4j.internal.coreset.ScratchPool;

/**
 * Cells around centres: an instance belongs to the nearest, the first of equals. Finding it costs
 * one distance per centre.
 */
public final class Centres implements Partition {
  private final Scaling scaling;
  private final CoreSet points;
  private final ScratchPool<Scratch> scratch;

  private static final class Scratch {
    final CoreDistances distances = new CoreDistances();
    final Scaling.Scaler scaler;

    Scratch(Scaling scaling) {
      this.scaler = new Scaling.Scaler(scaling);
    }
  }

  /**
   * Takes ownership of the centres.
   *
   * @param scaling applied to an instance before its distances are measured
   * @param points the centres, scaled as the features
   * @throws IllegalArgumentException if there is no centre
   */
  public Centres(Scaling scaling, CoreSet points) {
    if (points.size() == 0) {
      throw new IllegalArgumentException("there must be at least one centre");
    }
    this.scaling = scaling;
    this.points = points;
    this.scratch = new ScratchPool<>(() -> new Scratch(scaling));
  }

  @Override
  public int size() {
    return points.size();
  }

  @Override
  public int indexOf(FeatureVector x) {
    Scratch mine = scratch.take();
    try {
      mine.distances.measure(points, mine.scaler.scale(x));
      return mine.distances.nearest();
    } finally {
      scratch.give(mine);
    }
  }

  @Override
  public int dimension() {
    return points.dimension();
  }

  @Override
  public boolean isOpenEnded() {
    return points.isOpenEnded();
  }

  /** {@return what is done to an instance before its distances to the centres are measured} */
  public Scaling scaling() {
    return scaling;
  }

  /**
   * {@return a copy of the centre of cell i, scaled}
   *
   * @param i index of the cell, from 0
   */
  public FeatureVector point(int i) {
    return points.point(i);
  }

  /** {@return the centres; not to be changed} */
  public CoreSet points() {
    return points;
  }
}
