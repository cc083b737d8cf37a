// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.coreset.CoreSet;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.model.ByteReader;
import io.github.avm4j.model.ByteWriter;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.model.Model;
import io.github.avm4j.solver.Diagonal;

/**
 * A {@link FineTier} in the FINE_LEARNER section. Points and coefficients that answer are the
 * model's and are not written twice.
 */
final class FineFormat {
  private static final int NONE = 0;
  private static final int GATHERS = 1;
  private static final int LEARNS = 2;
  private static final int OVER = 3;

  private FineFormat() {}

  static void write(ByteWriter out, FineTier fine, SecondOrderLearner leader) {
    Diagonal solver = fine.solver;
    CoreSet set = fine.set;
    out.i32(fine.most);
    out.u8(fine.over ? OVER : solver != null ? LEARNS : set != null ? GATHERS : NONE);
    if (fine.over || set == null) {
      return;
    }
    out.f64(fine.near);
    out.i64(fine.gathered);
    out.i32(set.size());
    out.u8(fine.leads ? 1 : 0);
    out.u8(leader.set.storesPostings() ? 1 : 0);
    for (int i = 0; i < set.size() && !fine.leads; i++) {
      Vectors.write(out, set.point(i));
    }
    if (solver != null) {
      out.f64(fine.gamma());
      out.i64(fine.seen);
      out.i64(fine.lastLed);
      out.i64(fine.learned);
      out.f64(fine.gain);
      out.f64(fine.gainSquares);
      out.f64s(solver.variances(), solver.size());
      for (int c = 0; c < solver.columns() && !fine.leads; c++) {
        out.f64s(solver.weights(c), solver.size());
      }
    }
  }

  static FineTier read(ByteReader in, SecondOrderLearner leader, Model model)
      throws InvalidModelException {
    int most = in.i32();
    if (most < 0 || most > AutoConfig.MAX_FINE) {
      throw new InvalidModelException("fine points must be in 0.." + AutoConfig.MAX_FINE);
    }
    FineTier fine = new FineTier(most);
    int phase = in.code("phase of the fine points", 4);
    fine.over = phase == OVER;
    if (phase == GATHERS || phase == LEARNS) {
      readPoints(in, fine, leader, model);
      if (phase == LEARNS) {
        readSolver(in, fine, leader, model);
      } else if (fine.leads) {
        throw new InvalidModelException("fine points answer that have not learned");
      }
    }
    if (model.fine() != fine.answering()) {
      throw new InvalidModelException(
          model.fine() + " fine points in the model, " + fine.answering() + " in the learner");
    }
    in.end();
    return fine;
  }

  private static void readPoints(
      ByteReader in, FineTier fine, SecondOrderLearner leader, Model model)
      throws InvalidModelException {
    fine.near = LearnerFormat.positive(in, "mean squared distance");
    fine.gathered = LearnerFormat.count(in, "gathered");
    int size = in.i32();
    fine.leads = in.code("fine points answer", 2) == 1;
    if (in.code("core points as postings", 2) == 1 && leader.set.isOpenEnded()) {
      // Read among fine points, they may have been put in tiles.
      leader.set = leader.set.asPostings();
    }
    if (size < 1 || size > fine.most || (fine.leads && size != model.fine())) {
      throw new InvalidModelException(size + " fine points cannot be");
    }
    for (int i = 0; i < size; i++) {
      FeatureVector x = fine.leads ? model.corePoint(model.size() - size + i) : Vectors.read(in);
      SecondOrderFormat.check(leader, x, "a fine point");
      CoreSet set = fine.set == null ? leader.firstSet(x) : fine.set;
      set = set.roomFor(x);
      set.append(x, true);
      fine.set = set;
    }
  }

  private static void readSolver(
      ByteReader in, FineTier fine, SecondOrderLearner leader, Model model)
      throws InvalidModelException {
    double gamma = LearnerFormat.positive(in, "gamma of the fine points");
    fine.seen = LearnerFormat.count(in, "seen");
    fine.lastLed = LearnerFormat.count(in, "last led");
    if (fine.lastLed > fine.seen) {
      throw new InvalidModelException("fine points led after " + fine.lastLed + " of " + fine.seen);
    }
    fine.learned = LearnerFormat.count(in, "learned");
    fine.gain = in.f64("gain");
    fine.gainSquares = LearnerFormat.positive(in, "squared gains");
    int size = fine.points().size();
    in.need("variances", 8L * size * (fine.leads ? 1 : 1 + leader.columns()));
    Diagonal solver = FineTier.solver(size, leader);
    for (int i = 0; i < size; i++) {
      solver.variances()[i] = LearnerFormat.positive(in, "variance");
    }
    for (int c = 0; c < solver.columns(); c++) {
      if (fine.leads) {
        for (int i = 0; i < size; i++) {
          solver.weights(c)[i] = model.coefficient(c, model.size() - size + i);
        }
      } else {
        LearnerFormat.fill(in, solver.weights(c), size);
      }
    }
    fine.solver = solver;
    fine.use(gamma, leader);
  }
}
