// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.export;

import io.github.avm4j.model.Model;
import java.util.ArrayList;
import java.util.List;

/**
 * The expansion of a model or of one of its cells.
 *
 * @param model whose expansion it is
 * @param places the index of each class of the model among those of the whole
 */
@SuppressWarnings("ArrayRecordComponent") // never compared as a whole
record Expert(Model model, int[] places) {

  /** All expansions of a model: its own, then those of its cells, level by level. */
  static List<Expert> all(Model whole) {
    List<Expert> experts = new ArrayList<>();
    experts.add(new Expert(whole, places(whole, whole)));
    whole.parts().forEach(part -> experts.add(new Expert(part, places(whole, part))));
    return experts;
  }

  private static int[] places(Model whole, Model model) {
    int[] places = new int[model.classes()];
    for (int j = 0; j < places.length; j++) {
      for (int k = 0; k < whole.classes(); k++) {
        if (whole.label(k) == model.label(j)) {
          places[j] = k;
        }
      }
    }
    return places;
  }

  /** Whether there is a class that it has not met. */
  boolean hasUnmet(int classes) {
    return places.length < classes;
  }

  /** What core point i adds to the scores of all classes, or to the number, per kernel value. */
  double[] weights(int i, int width) {
    double[] weights = new double[width];
    if (places.length == 0) {
      weights[0] = model.coefficient(0, i);
    } else if (model.columns() > 1) {
      for (int j = 0; j < places.length; j++) {
        weights[places[j]] = model.coefficient(j, i);
      }
    } else {
      for (int j = 0; j < places.length; j++) {
        weights[places[j]] = (j == 0 ? -model.coefficient(0, i) : model.coefficient(0, i)) / 2;
      }
    }
    return weights;
  }
}
