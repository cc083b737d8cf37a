// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.coreset.CoreDistances;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.ScalingMode;
import io.github.avm4j.model.ByteReader;
import io.github.avm4j.model.ByteWriter;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.model.Model;
import io.github.avm4j.model.ModelFormat;
import io.github.avm4j.model.Sections;
import io.github.avm4j.model.Shape;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The ESTIMATION section: what {@link AutoLearner} was told, and what it keeps while it fits. */
final class AutoFormat {
  private static final List<ScalingMode> MODES =
      List.of(ScalingMode.AUTOMATIC, ScalingMode.NONE, ScalingMode.STANDARD, ScalingMode.MIN_MAX);

  private AutoFormat() {}

  static byte[] write(AutoLearner learner) {
    Map<Integer, byte[]> payloads = new TreeMap<>(ModelFormat.payloads(learner.snapshot()));
    payloads.put(Sections.SECOND_ORDER, SecondOrderFormat.state(learner.learner));
    payloads.put(Sections.ESTIMATION, state(learner));
    return Sections.write(payloads);
  }

  private static byte[] state(AutoLearner learner) {
    ByteWriter out = new ByteWriter();
    out.f64(learner.config.gamma());
    out.u8(MODES.indexOf(learner.config.scaling()));
    out.i32(learner.config.estimation());
    out.u8(learner.estimating ? 1 : 0);
    out.i32(learner.kept.size());
    for (AutoLearner.Kept instance : learner.kept) {
      out.f64(instance.y());
      out.f64(instance.weight());
      FeatureVector x = instance.x();
      out.u8(x.isSparse() ? 1 : 0);
      out.i32(x.count());
      if (x.isSparse()) {
        out.i32s(x.indices(), x.count());
      }
      out.f64s(x.values(), x.count());
    }
    return out.toBytes();
  }

  static Learner read(ByteReader in, SecondOrderLearner inner, Model model)
      throws InvalidModelException {
    double gamma = in.f64("gamma");
    int mode = in.code("scaling mode", MODES.size());
    AutoLearner learner;
    try {
      SecondOrderConfig found = inner.config();
      AutoConfig config =
          new AutoConfig(
              found.task(),
              found.loss(),
              gamma,
              found.lambda(),
              found.skip(),
              found.novelty(),
              found.budget(),
              MODES.get(mode),
              in.i32(),
              found.features(),
              found.labels());
      learner = new AutoLearner(config, inner, model.scaling(), model.intercept());
      learner.estimating = in.code("estimating", 2) == 1;
      readKept(in, learner);
    } catch (IllegalArgumentException e) {
      throw new InvalidModelException("the estimation is not valid: " + e.getMessage(), e);
    }
    in.end();
    return learner;
  }

  /** The kept instances, each as the learner would have taken it. */
  private static void readKept(ByteReader in, AutoLearner learner) throws InvalidModelException {
    int count = in.count("kept instances", 21);
    if (count != (learner.estimating ? learner.instances() : 0) || count >= most(learner)) {
      throw new InvalidModelException(
          count + " instances kept of " + learner.instances() + " learned from");
    }
    int features = learner.config.features();
    for (int i = 0; i < count; i++) {
      double y = in.f64("y");
      double weight = in.f64("weight");
      FeatureVector x = readVector(in);
      Shape.check(x, features);
      boolean fine = weight > 0;
      for (int k = 0; k < x.count(); k++) {
        fine &= Math.abs(x.values()[k]) <= CoreDistances.LARGEST;
      }
      if (!fine) {
        throw new InvalidModelException("kept instance " + i + " cannot have been learned from");
      }
      if (i == 0 && features == 0 && !x.isSparse()) {
        features = x.count();
      }
      learner.kept.add(new AutoLearner.Kept(x, y, weight));
    }
  }

  /** One more than the instances that may be kept: the last of the period lets all go. */
  private static int most(AutoLearner learner) {
    return learner.estimating ? learner.config.estimation() : 1;
  }

  private static FeatureVector readVector(ByteReader in) throws InvalidModelException {
    boolean sparse = in.code("sparse", 2) == 1;
    int count = in.count("values", sparse ? 12 : 8);
    if (!sparse) {
      return FeatureVector.dense(in.f64s("feature", count));
    }
    int[] indices = in.i32s(count);
    return FeatureVector.sparse(indices, in.f64s("feature", count));
  }
}
