// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.model;

import io.github.avm4j.feature.FeatureVector;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The levels of cells of a model, and for the model of each cell the index that its classes have in
 * the whole. Immutable.
 */
final class Division {
  private final List<Cells> levels;
  private final IdentityHashMap<Model, int[]> places = new IdentityHashMap<>();

  /**
   * Of {@code whole}, whose classes must be known already.
   *
   * @param levels oldest first
   * @throws IllegalArgumentException if the model of a cell has another task, shape or class
   */
  Division(Model whole, List<Cells> levels) {
    this.levels = List.copyOf(levels);
    for (Cells cells : levels) {
      cells.models().forEach(model -> places.put(model, placesOf(model, whole)));
    }
  }

  private static int[] placesOf(Model model, Model whole) {
    boolean fits =
        model.task() == whole.task()
            && model.levels().isEmpty()
            && model.isOpenEnded() == whole.isOpenEnded()
            && (whole.isOpenEnded() || model.dimension() == whole.dimension());
    int[] found = new int[model.classes()];
    for (int j = 0; j < found.length; j++) {
      found[j] = indexOf(whole, model.label(j));
      fits &= found[j] >= 0;
    }
    if (!fits) {
      throw new IllegalArgumentException(
          "the model of a cell has another task, shape or class than the whole: " + model);
    }
    return found;
  }

  private static int indexOf(Model model, double label) {
    for (int j = 0; j < model.classes(); j++) {
      if (model.label(j) == label) {
        return j;
      }
    }
    return -1;
  }

  /**
   * The index of a class.
   *
   * @throws IllegalArgumentException if the label is none of the model's classes
   */
  static double requireIndexOf(Model model, double label) {
    int index = indexOf(model, label);
    if (index < 0) {
      throw new IllegalArgumentException(
          "label " + label + " was known in advance and is not a class");
    }
    return index;
  }

  /** The model with labels replaced by the index that they have in {@code whole}. */
  static Model relabelled(Model model, Model whole) {
    List<Double> known =
        model.config().labels().stream().map(label -> requireIndexOf(whole, label)).toList();
    return new Model(
        model.config().withLabels(known),
        model.provenance(),
        IntStream.range(0, model.classes())
            .mapToDouble(j -> requireIndexOf(whole, model.label(j)))
            .toArray(),
        model.expansion,
        model.levels().stream().map(cells -> cells.map(part -> relabelled(part, whole))).toList(),
        model.bounds());
  }

  List<Cells> levels() {
    return levels;
  }

  /** The model of the cell of x in the newest level where that has one; null if none has. */
  @Nullable Model model(FeatureVector x) {
    for (int i = levels.size() - 1; i >= 0; i--) {
      Cells cells = levels.get(i);
      Model model = cells.model(cells.indexOf(x));
      if (model != null) {
        return model;
      }
    }
    return null;
  }

  /** The index in the whole of each class of a cell's model. */
  int[] places(Model model) {
    return Objects.requireNonNull(places.get(model));
  }

  /** Core points of all cells. */
  int size() {
    int sum = 0;
    for (Cells cells : levels) {
      for (int i = 0; i < cells.size(); i++) {
        Model model = cells.model(i);
        sum += model == null ? 0 : model.expansionSize();
      }
    }
    return sum;
  }
}
