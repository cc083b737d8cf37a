// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.model;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Scaling;
import io.github.avm4j.internal.coreset.CoreDistances;
import io.github.avm4j.internal.coreset.CoreSet;
import io.github.avm4j.internal.coreset.ScratchPool;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One division of a model's input space into cells: an instance belongs to the cell of the nearest
 * centre. A cell may have a model of its own.
 *
 * <p>Immutable and safe for any number of threads. Finding a cell costs one distance per centre and
 * allocates nothing once as many threads have done so at once before.
 */
public final class Cells {
  private final Scaling scaling;
  private final CoreSet centres;
  private final List<@Nullable Model> models;
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
   * @param centres centres of the cells, scaled as the features
   * @param models one per centre; null where the cell has none
   * @throws IllegalArgumentException if there is no centre, or not one model or null for each
   */
  public Cells(Scaling scaling, CoreSet centres, List<@Nullable Model> models) {
    if (centres.size() == 0 || centres.size() != models.size()) {
      throw new IllegalArgumentException(
          "there must be at least one cell and one centre per cell, were %d cells and %d centres"
              .formatted(models.size(), centres.size()));
    }
    this.scaling = scaling;
    this.centres = centres;
    this.models = Collections.unmodifiableList(new ArrayList<>(models));
    this.scratch = new ScratchPool<>(() -> new Scratch(scaling));
  }

  /** {@return the number of cells} */
  public int size() {
    return models.size();
  }

  /**
   * {@return the cell of x: that of the nearest centre, the first of equals}
   *
   * @param x features of the instance
   */
  public int indexOf(FeatureVector x) {
    Scratch mine = scratch.take();
    try {
      mine.distances.measure(centres, mine.scaler.scale(x));
      return mine.distances.nearest();
    } finally {
      scratch.give(mine);
    }
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
  public FeatureVector centre(int i) {
    return centres.point(i);
  }

  /** {@return the centres; not to be changed} */
  public CoreSet centres() {
    return centres;
  }

  /**
   * {@return the model of cell i; null if it has none}
   *
   * @param i index of the cell, from 0
   */
  public @Nullable Model model(int i) {
    return models.get(i);
  }

  /** {@return the models that cells have} */
  public List<Model> models() {
    return models.stream().filter(Objects::nonNull).toList();
  }

  /** The same cells with every model of them changed. */
  Cells map(UnaryOperator<Model> change) {
    List<@Nullable Model> changed = new ArrayList<>();
    for (Model model : models) {
      changed.add(model == null ? null : change.apply(model));
    }
    return new Cells(scaling, centres, changed);
  }
}
