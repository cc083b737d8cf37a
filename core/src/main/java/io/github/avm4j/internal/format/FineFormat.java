// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.format;

import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.internal.coreset.CoreDistances;
import io.github.avm4j.internal.coreset.CoreSet;
import io.github.avm4j.internal.fine.Diagonal;
import io.github.avm4j.internal.fine.FineTier;
import io.github.avm4j.internal.secondorder.SecondOrderEngine;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.model.Model;

/**
 * A {@link FineTier} in the FINE_LEARNER section. Points and coefficients that answer are the
 * model's and are not written twice.
 */
public final class FineFormat {
  private static final int NONE = 0;
  private static final int GATHERS = 1;
  private static final int LEARNS = 2;
  private static final int OVER = 3;

  private FineFormat() {}

  public static void write(ByteWriter out, FineTier fine, SecondOrderEngine leader) {
    Diagonal solver = fine.solver;
    CoreSet set = fine.set;
    out.i32(leader.set.dimension());
    out.i32(fine.most);
    out.u8(fine.over ? OVER : solver != null ? LEARNS : set != null ? GATHERS : NONE);
    if (fine.over || set == null) {
      return;
    }
    out.f64(fine.near);
    out.i64(fine.considered);
    out.i64(fine.gathered);
    ContestFormat.write(out, fine.contest);
    if (fine.leads()) {
      out.i32(set.dimension());
    } else {
      ModelFormat.writeCoreSet(out, set);
    }
    if (solver != null) {
      writeSolver(out, fine, solver);
    }
  }

  private static void writeSolver(ByteWriter out, FineTier fine, Diagonal solver) {
    out.f64(fine.gamma());
    out.i64(fine.lastLed);
    out.i64(fine.learned);
    out.f64(fine.residuals.level);
    out.f64s(solver.variances(), solver.size());
    for (int c = 0; c < solver.columns() && !fine.leads(); c++) {
      out.f64s(solver.weights(c), solver.size());
    }
  }

  /** The first field: features of the leader's core points, which the model's may exceed. */
  public static int readFeatures(ByteReader in, Model model) throws InvalidModelException {
    int features = in.i32();
    if (features < 0 || features > model.dimension()) {
      throw new InvalidModelException(
          "core points of " + features + " features in a model of " + model.dimension());
    }
    return features;
  }

  /** The rest, for a leader read from the model without its fine points. */
  public static FineTier read(ByteReader in, SecondOrderEngine leader, Model model)
      throws InvalidModelException {
    int most = in.i32();
    if (most < 0 || most > AutoConfig.MAX_FINE) {
      throw new InvalidModelException("fine points must be in 0.." + AutoConfig.MAX_FINE);
    }
    FineTier fine = new FineTier(most);
    int phase = in.code("phase of the fine points", OVER + 1);
    fine.over = phase == OVER;
    if (phase == GATHERS || phase == LEARNS) {
      readPoints(in, fine, leader, model);
      if (phase == LEARNS) {
        readSolver(in, fine, leader, model);
      } else if (fine.leads()) {
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
      ByteReader in, FineTier fine, SecondOrderEngine leader, Model model)
      throws InvalidModelException {
    fine.near = LearnerFormat.positive(in, "mean squared distance");
    fine.considered = LearnerFormat.count(in, "considered");
    fine.gathered = LearnerFormat.count(in, "gathered");
    ContestFormat.read(in, fine.contest);
    CoreSet set =
        fine.leads() ? model.finePoints(readFeatures(in, model)) : ModelFormat.readCoreSet(in, 0);
    boolean fits =
        set.isOpenEnded() == leader.set.isOpenEnded()
            && (set.isOpenEnded() || set.dimension() == leader.set.dimension());
    if (set.size() < 1 || set.size() > fine.most || !fits) {
      throw new InvalidModelException(set.size() + " fine points cannot be");
    }
    for (int i = 0; i < set.size(); i++) {
      if (!(set.squaredNorm(i) <= CoreDistances.LARGEST * CoreDistances.LARGEST)) {
        throw new InvalidModelException("a fine point cannot have been learned from");
      }
    }
    fine.set = set;
  }

  private static void readSolver(
      ByteReader in, FineTier fine, SecondOrderEngine leader, Model model)
      throws InvalidModelException {
    double gamma = LearnerFormat.positive(in, "gamma of the fine points");
    double stretch = gamma / leader.config().kernel().gamma();
    if (!FineTier.isUsable(gamma, leader) || (fine.leads() && stretch != model.stretch())) {
      throw new InvalidModelException("gamma of the fine points cannot be " + gamma);
    }
    fine.lastLed = LearnerFormat.count(in, "last led");
    if (fine.lastLed > fine.contest.seen()) {
      throw new InvalidModelException(
          "fine points led after " + fine.lastLed + " of " + fine.contest.seen());
    }
    fine.learned = LearnerFormat.count(in, "learned");
    fine.residuals.level = LearnerFormat.positive(in, "scale of residuals");
    int size = fine.points().size();
    in.need("variances", 8L * size * (fine.leads() ? 1 : 1 + leader.columns()));
    Diagonal solver = FineTier.solver(size, leader);
    for (int i = 0; i < size; i++) {
      solver.variances()[i] = LearnerFormat.positive(in, "variance");
      if (solver.variances()[i] > FineTier.PRIOR) {
        throw new InvalidModelException("a variance cannot be " + solver.variances()[i]);
      }
    }
    readWeights(in, fine, solver, model);
    fine.solver = solver;
    fine.use(gamma, leader);
  }

  private static void readWeights(ByteReader in, FineTier fine, Diagonal solver, Model model)
      throws InvalidModelException {
    int size = solver.size();
    for (int c = 0; c < solver.columns(); c++) {
      if (!fine.leads()) {
        LearnerFormat.fill(in, solver.weights(c), size);
      }
      for (int i = 0; i < size && fine.leads(); i++) {
        solver.weights(c)[i] = model.coefficient(c, model.size() - size + i);
      }
    }
  }
}
