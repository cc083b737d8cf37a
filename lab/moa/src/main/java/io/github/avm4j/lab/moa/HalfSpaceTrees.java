// Copyright avm4j contributors. SPDX-License-Identifier: GPL-3.0-or-later
package io.github.avm4j.lab.moa;

import com.yahoo.labs.samoa.instances.Attribute;
import com.yahoo.labs.samoa.instances.DenseInstance;
import com.yahoo.labs.samoa.instances.Instance;
import com.yahoo.labs.samoa.instances.Instances;
import com.yahoo.labs.samoa.instances.InstancesHeader;
import io.github.avm4j.lab.baselines.ScorerProvider;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import moa.classifiers.oneclass.HSTrees;

/**
 * MOA's half-space trees (Tan, Ting and Liu, 2011) with MOA's default settings. Their cuts are
 * drawn for features between 0 and 1.
 *
 * @since 0.1.0
 */
public final class HalfSpaceTrees implements ScorerProvider {

  /** Called by {@link java.util.ServiceLoader}. */
  public HalfSpaceTrees() {}

  @Override
  public String title() {
    return "HSTrees";
  }

  @Override
  public ToDoubleFunction<double[]> create(int features, long seed) {
    InstancesHeader header = header(features);
    HSTrees trees = new HSTrees();
    trees.setRandomSeed((int) seed);
    trees.prepareForUse();
    trees.setModelContext(header);
    return x -> {
      // The class, which MOA wants, is the same for all rows.
      Instance instance = new DenseInstance(1, Arrays.copyOf(x, features + 1));
      instance.setDataset(header);
      double score = trees.getAnomalyScore(instance);
      trees.trainOnInstance(instance);
      return score;
    };
  }

  private static InstancesHeader header(int features) {
    List<Attribute> attributes = new ArrayList<>();
    for (int j = 0; j < features; j++) {
      attributes.add(new Attribute("x" + j));
    }
    attributes.add(new Attribute("class", List.of("normal", "anomaly")));
    Instances empty = new Instances("stream", attributes, 0);
    empty.setClassIndex(features);
    return new InstancesHeader(empty);
  }
}
