// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.model;

import io.github.avm4j.feature.FeatureVector;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One division of a model's input space into cells. A cell may have a model of its own.
 *
 * <p>Immutable and safe for any number of threads.
 */
public final class Cells {
  private final Partition partition;
  private final List<@Nullable Model> models;

  /**
   * Cells with models.
   *
   * @param partition which cell an instance belongs to
   * @param models one per cell; null where the cell has none
   * @throws IllegalArgumentException if there is not one model or null for each cell
   */
  public Cells(Partition partition, List<@Nullable Model> models) {
    if (partition.size() != models.size()) {
      throw new IllegalArgumentException(
          "there must be one model or null for each of %d cells, were %d"
              .formatted(partition.size(), models.size()));
    }
    this.partition = partition;
    this.models = Collections.unmodifiableList(new ArrayList<>(models));
  }

  /** {@return the number of cells} */
  public int size() {
    return models.size();
  }

  /** {@return which cell an instance belongs to} */
  public Partition partition() {
    return partition;
  }

  /**
   * {@return the cell of x}
   *
   * @param x features of the instance
   */
  public int indexOf(FeatureVector x) {
    return partition.indexOf(x);
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
    return new Cells(partition, changed);
  }
}
