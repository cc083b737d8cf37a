// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.format;

import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.coreset.CoreDistances;
import io.github.avm4j.internal.newton.Candidates;
import io.github.avm4j.internal.newton.CertificateState;
import io.github.avm4j.internal.newton.Exchange;
import io.github.avm4j.internal.newton.Labels;
import io.github.avm4j.internal.newton.SecondOrder;
import io.github.avm4j.internal.newton.SecondOrderEngine;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.model.Model;
import java.util.Map;
import java.util.TreeMap;

/** The SECOND_ORDER section: what {@link SecondOrderEngine} needs beyond its model to go on. */
public final class SecondOrderFormat {
  /** Added to the number of candidates where they are stored as an inverted index. */
  private static final int POSTINGS = 32;

  private SecondOrderFormat() {}

  public static byte[] write(SecondOrderEngine learner) {
    Map<Integer, byte[]> payloads = new TreeMap<>(ModelFormat.payloads(learner.snapshot()));
    payloads.put(Sections.SECOND_ORDER, state(learner));
    return Sections.write(payloads);
  }

  public static byte[] state(SecondOrderEngine learner) {
    SecondOrder solver = learner.solver;
    ByteWriter out = new ByteWriter();
    out.u8(learner.isStarted() ? 1 : 0);
    out.i64(learner.instances());
    out.i64(learner.learned());
    out.i64(learner.certificate().absorbedCount());
    out.f64(learner.certificate().farthest());
    out.f64(learner.certificate().residual());
    out.f64(learner.residuals.level());
    out.f64(learner.targets.level());
    out.f64(solver.pendingFactor());
    out.f64s(solver.pending(), solver.size());
    for (int i = 0; i < solver.size(); i++) {
      out.f64s(solver.covariance(i), i + 1);
      out.f64s(solver.inverseGram(i), i + 1);
    }
    writeExchange(out, learner);
    return out.toBytes();
  }

  public static SecondOrderEngine read(Map<Integer, ByteReader> sections, Model model)
      throws InvalidModelException {
    ByteReader in = Sections.require(sections, Sections.SECOND_ORDER, "SECOND_ORDER");
    SecondOrderConfig config = (SecondOrderConfig) model.config();
    if (model.size() > config.budget()) {
      throw new InvalidModelException(
          model.size() + " core points exceed the budget of " + config.budget());
    }
    SecondOrderEngine learner = new SecondOrderEngine(config, new Labels());
    LearnerFormat.restore(learner, model, in.code("started", 2) == 1);
    long instances = LearnerFormat.count(in, "instances");
    long learned = LearnerFormat.count(in, "learned");
    long absorbed = LearnerFormat.count(in, "absorbed");
    double farthest = LearnerFormat.positive(in, "farthest");
    double residual = LearnerFormat.positive(in, "residual");
    learner.restore(instances, learned, new CertificateState(farthest, residual, absorbed));
    learner.residuals.restore(LearnerFormat.positive(in, "scale of residuals"));
    learner.targets.restore(LearnerFormat.positive(in, "scale of targets"));
    int size = model.size();
    double factor = in.f64("pending factor");
    in.need("matrices", 8L * size + 8L * size * (size + 1));
    learner.solver.restore(size, factor);
    LearnerFormat.fill(in, learner.solver.pending(), size);
    for (int i = 0; i < size; i++) {
      LearnerFormat.fill(in, learner.solver.covariance(i), i + 1);
      LearnerFormat.fill(in, learner.solver.inverseGram(i), i + 1);
    }
    readExchange(in, learner, size, model.columns());
    in.end();
    learner.solver.restored();
    for (int c = 0; c < model.columns(); c++) {
      for (int i = 0; i < size; i++) {
        learner.solver.weights(c)[i] = model.coefficient(c, i);
      }
    }
    return learner;
  }

  private static void writeExchange(ByteWriter out, SecondOrderEngine learner) {
    Exchange exchange = learner.exchange;
    int size = learner.solver.size();
    out.f64(exchange.weightLearned());
    out.i64(exchange.replaced());
    for (int i = 0; i < size; i++) {
      out.i64(exchange.since(i));
    }
    Candidates candidates = exchange.candidates();
    out.u8(candidates == null ? 0 : 1 + candidates.places() + storage(candidates, learner));
    for (int c = 0; candidates != null && c < candidates.places(); c++) {
      out.u8(candidates.isTaken(c) ? 1 : 0);
      InstancesFormat.writeVector(out, candidates.point(c));
      if (candidates.isTaken(c)) {
        out.f64s(candidates.numbers(c), 4);
        out.f64s(candidates.gradients(c), candidates.gradients(c).length);
        out.f64s(candidates.projection(c), size);
      }
    }
  }

  /** {@link #POSTINGS}, unless the candidates themselves show how they are stored. */
  private static int storage(Candidates candidates, SecondOrderEngine learner) {
    boolean hidden = candidates.storesPostings() && candidates.isRestoredInTiles(learner.set());
    return hidden ? POSTINGS : 0;
  }

  private static void readExchange(ByteReader in, SecondOrderEngine learner, int size, int columns)
      throws InvalidModelException {
    Exchange exchange = learner.exchange;
    double weight = LearnerFormat.positive(in, "weight learned");
    exchange.restore(weight, LearnerFormat.count(in, "replaced"));
    in.need("ages of core points", 8L * size);
    for (int i = 0; i < size; i++) {
      exchange.appended(i, LearnerFormat.count(in, "age of a core point"));
    }
    int code = in.code("candidates", POSTINGS + Candidates.MOST + 2);
    boolean postings = code >= POSTINGS;
    int places = code - 1 - (postings ? POSTINGS : 0);
    if (places > Candidates.MOST || (postings && (places < 0 || !learner.set().isOpenEnded()))) {
      throw new InvalidModelException("unknown candidates code " + code + " (use a newer avm4j)");
    }
    if (places < 0) {
      return;
    }
    Candidates candidates = new Candidates(learner.set());
    if (postings) {
      candidates.storePostings();
    }
    for (int c = 0; c < places; c++) {
      boolean taken = in.code("candidate taken", 2) == 1;
      FeatureVector x = InstancesFormat.readVector(in);
      checkCandidate(learner, x);
      double[] numbers = taken ? in.f64s("candidate", 4) : new double[4];
      double[] gradients = taken ? in.f64s("candidate gradient", columns) : new double[columns];
      double[] projection = taken ? in.f64s("candidate projection", size) : new double[size];
      if (!(numbers[0] >= 0 && numbers[0] < Integer.MAX_VALUE && numbers[2] >= 0)) {
        throw new InvalidModelException("candidate " + c + " has age " + numbers[0]);
      }
      candidates.restore(c, x, numbers, gradients, projection);
      if (!taken) {
        candidates.dismiss(c);
      }
    }
    exchange.restore(candidates);
  }

  /** What the learner itself would have refused. */
  private static void checkCandidate(SecondOrderEngine learner, FeatureVector x)
      throws InvalidModelException {
    boolean fine =
        learner.set().isOpenEnded() ? x.isSparse() : x.count() == learner.set().dimension();
    for (int k = 0; k < x.count(); k++) {
      fine &= Math.abs(x.values()[k]) <= CoreDistances.LARGEST;
    }
    if (!fine) {
      throw new InvalidModelException("a candidate cannot have been learned from");
    }
  }
}
