// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.model.ByteReader;
import io.github.avm4j.model.ByteWriter;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.model.Model;
import io.github.avm4j.model.ModelFormat;
import io.github.avm4j.model.Sections;
import io.github.avm4j.solver.SecondOrder;
import java.util.Map;
import java.util.TreeMap;

/** The SECOND_ORDER section: what {@link SecondOrderLearner} needs beyond its model to go on. */
final class SecondOrderFormat {
  private SecondOrderFormat() {}

  static byte[] write(SecondOrderLearner learner) {
    Map<Integer, byte[]> payloads = new TreeMap<>(ModelFormat.payloads(learner.snapshot()));
    payloads.put(Sections.SECOND_ORDER, state(learner));
    return Sections.write(payloads);
  }

  static byte[] state(SecondOrderLearner learner) {
    SecondOrder solver = learner.solver;
    ByteWriter out = new ByteWriter();
    out.u8(learner.started ? 1 : 0);
    out.i64(learner.instances);
    out.i64(learner.learned);
    out.i64(learner.absorbed);
    out.f64(learner.targetMean);
    out.f64(learner.targetSquares);
    out.f64(solver.pendingFactor());
    out.f64s(solver.pending(), solver.size());
    for (int i = 0; i < solver.size(); i++) {
      out.f64s(solver.covariance(i), i + 1);
      out.f64s(solver.inverseGram(i), i + 1);
    }
    return out.toBytes();
  }

  static SecondOrderLearner read(Map<Integer, ByteReader> sections, Model model)
      throws InvalidModelException {
    ByteReader in = Sections.require(sections, Sections.SECOND_ORDER, "SECOND_ORDER");
    SecondOrderConfig config = (SecondOrderConfig) model.config();
    if (model.size() > config.budget()) {
      throw new InvalidModelException(
          model.size() + " core points exceed the budget of " + config.budget());
    }
    SecondOrderLearner learner = new SecondOrderLearner(config, new Labels());
    LearnerFormat.restore(learner, model, in.code("started", 2) == 1);
    learner.instances = LearnerFormat.count(in, "instances");
    learner.learned = LearnerFormat.count(in, "learned");
    learner.absorbed = LearnerFormat.count(in, "absorbed");
    learner.targetMean = in.f64("target mean");
    learner.targetSquares = LearnerFormat.positive(in, "target squares");
    int size = model.size();
    double factor = in.f64("pending factor");
    in.need("matrices", 8L * size + 8L * size * (size + 1));
    learner.solver.restore(size, factor);
    LearnerFormat.fill(in, learner.solver.pending(), size);
    for (int i = 0; i < size; i++) {
      LearnerFormat.fill(in, learner.solver.covariance(i), i + 1);
      LearnerFormat.fill(in, learner.solver.inverseGram(i), i + 1);
    }
    in.end();
    learner.solver.restored();
    for (int c = 0; c < model.columns(); c++) {
      for (int i = 0; i < size; i++) {
        learner.solver.weights(c)[i] = model.coefficient(c, i);
      }
    }
    return learner;
  }
}
