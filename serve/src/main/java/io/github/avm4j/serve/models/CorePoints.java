// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.models;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.model.Model;
import java.util.ArrayList;
import java.util.List;

/** Core points of a model and of its cells in the units of instances, before scaling. */
final class CorePoints {
  private CorePoints() {}

  /** The models whose expansions may predict: the model itself and those of its cells. */
  static List<Model> expansions(Model model) {
    List<Model> all = new ArrayList<>(List.of(model));
    all.addAll(model.parts());
    return all;
  }

  /** Core point i of one expansion. */
  static FeatureVector instance(Model expansion, int i) {
    return expansion.scaling().invert(expansion.corePoint(i));
  }

  /** At most so many core points of all expansions, evenly spread over them. */
  static List<FeatureVector> spread(Model model, int most) {
    List<FeatureVector> points = new ArrayList<>();
    long size = model.size();
    long taken = Math.min(most, size);
    long before = 0;
    for (Model expansion : expansions(model)) {
      long end = before + expansion.expansionSize();
      // The points taken are those at p·size/taken for p = 0, 1, 2 …
      for (long p = points.size(); p < taken && p * size / taken < end; p = points.size()) {
        points.add(instance(expansion, (int) (p * size / taken - before)));
      }
      before = end;
    }
    return points;
  }
}
