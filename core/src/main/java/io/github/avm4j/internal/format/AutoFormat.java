// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.format;

import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.ScalingMode;
import io.github.avm4j.internal.auto.AutoEngine;
import io.github.avm4j.internal.auto.Origins;
import io.github.avm4j.internal.auto.Race;
import io.github.avm4j.internal.auto.StoredInstances;
import io.github.avm4j.internal.auto.Temperature;
import io.github.avm4j.internal.auto.Trial;
import io.github.avm4j.internal.contest.Contest;
import io.github.avm4j.internal.coreset.CoreDistances;
import io.github.avm4j.internal.fine.FineTier;
import io.github.avm4j.internal.secondorder.SecondOrderEngine;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.model.Model;
import io.github.avm4j.model.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The ESTIMATION section: settings of an {@link AutoEngine}, and instances it has stored. */
public final class AutoFormat {
  private static final List<ScalingMode> MODES =
      List.of(ScalingMode.AUTOMATIC, ScalingMode.NONE, ScalingMode.STANDARD, ScalingMode.MIN_MAX);

  private AutoFormat() {}

  public static byte[] write(AutoEngine learner) {
    Map<Integer, byte[]> payloads = new TreeMap<>(ModelFormat.payloads(learner.snapshot()));
    payloads.put(Sections.SECOND_ORDER, SecondOrderFormat.state(learner.leader()));
    payloads.put(Sections.ESTIMATION, state(learner));
    payloads.put(Sections.FINE_LEARNER, refinement(learner));
    if (!learner.origins.equals(Origins.NONE)) {
      payloads.put(Sections.ORIGINS, writeOrigins(learner.origins));
    }
    return Sections.write(payloads);
  }

  private static byte[] refinement(AutoEngine learner) {
    ByteWriter out = new ByteWriter();
    out.i64(learner.temperature.met());
    ContestFormat.write(out, learner.temperature.contest());
    FineFormat.write(out, learner.fine, learner.leader());
    return out.toBytes();
  }

  private static Temperature readTemperature(ByteReader in) throws InvalidModelException {
    Temperature temperature = new Temperature();
    long met = LearnerFormat.count(in, "instances met");
    ContestFormat.read(in, temperature.contest());
    return new Temperature(temperature.contest(), met);
  }

  private static byte[] state(AutoEngine learner) {
    ByteWriter out = new ByteWriter();
    out.f64(learner.config.gamma());
    out.f64(learner.config.forgetting());
    out.i64(learner.config.memory());
    out.u8(MODES.indexOf(learner.config.scaling()));
    out.i32(learner.config.estimation());
    writeRace(out, learner.race);
    writeTrial(out, learner.trial);
    out.f64(learner.guard.reach);
    out.u8(learner.isEstimating() ? 1 : 0);
    out.i32(learner.stored.size());
    for (StoredInstances.Kept instance : learner.stored.list()) {
      out.f64(instance.y());
      out.f64(instance.weight());
      Vectors.write(out, instance.x());
    }
    return out.toBytes();
  }

  private static void writeRace(ByteWriter out, Race race) {
    out.u8(race.runners().size());
    ContestFormat.write(out, race.contest());
    for (SecondOrderEngine runner : race.runners()) {
      if (runner != race.leader()) {
        writeLearner(out, runner);
      }
    }
  }

  private static void writeLearner(ByteWriter out, SecondOrderEngine learner) {
    byte[] bytes = SecondOrderFormat.write(learner);
    out.i32(bytes.length);
    out.raw(bytes);
  }

  private static void writeTrial(ByteWriter out, Trial trial) {
    SecondOrderEngine challenger = trial.challenger;
    out.u8(challenger == null ? 0 : 1);
    if (challenger != null) {
      writeLearner(out, challenger);
    }
    out.u8(trial.rate);
    out.u8(trial.tried);
    out.u8(trial.alarmed ? 1 : 0);
    out.i64(trial.begin);
    out.i64(trial.learnedBefore);
    out.i64(trial.length);
    out.i64(trial.next);
    ContestFormat.write(out, trial.contest);
    out.i64(trial.alarm.watched);
    out.f64(trial.alarm.recent);
    out.f64(trial.alarm.usual);
    out.f64(trial.alarm.usualSquares);
    out.f64(trial.shift);
    out.i32(trial.shiftedBy);
  }

  /** A file without the section of fine points is of a learner that had none. */
  public static AutoEngine read(Map<Integer, ByteReader> sections, Model answering)
      throws InvalidModelException {
    ByteReader in = Sections.require(sections, Sections.ESTIMATION, "ESTIMATION");
    ByteReader refinement = sections.get(Sections.FINE_LEARNER);
    Temperature temperature = refinement == null ? new Temperature() : readTemperature(refinement);
    if (refinement == null && answering.fine() > 0) {
      throw new InvalidModelException("a learner's fine points need the section FINE_LEARNER");
    }
    Model model = answering.times(1 / temperature.factor());
    int features = refinement == null ? 0 : FineFormat.readFeatures(refinement, model);
    SecondOrderEngine inner = SecondOrderFormat.read(sections, model.withoutFine(features));
    try {
      FineTier fine =
          refinement == null ? new FineTier(0) : FineFormat.read(refinement, inner, model);
      AutoConfig config = readConfig(in, inner.config(), fine.most);
      Race race = readRace(in, inner);
      Trial trial = readTrial(in, inner);
      double reach = LearnerFormat.positive(in, "reach of residuals");
      boolean estimating = in.code("estimating", 2) == 1;
      if (fine.set != null && (estimating || !race.isOver())) {
        throw new InvalidModelException("fine points before the race for gamma is over");
      }
      AutoEngine learner =
          new AutoEngine(config, race, trial, fine, model.scaling(), model.intercept(), estimating);
      learner.temperature = temperature;
      learner.guard.reach = reach;
      ByteReader origins = sections.get(Sections.ORIGINS);
      learner.origins = origins == null ? Origins.NONE : readOrigins(origins);
      readKept(in, learner);
      in.end();
      return learner;
    } catch (IllegalArgumentException e) {
      throw new InvalidModelException("the estimation is not valid: " + e.getMessage(), e);
    }
  }

  private static AutoConfig readConfig(ByteReader in, SecondOrderConfig found, int fine)
      throws InvalidModelException {
    double gamma = in.f64("gamma");
    double forgetting = in.f64("forgetting");
    long memory = in.i64();
    int mode = in.code("scaling mode", MODES.size());
    return AutoConfig.builder(found.task())
        .loss(found.loss())
        .gamma(gamma)
        .lambda(found.lambda())
        .skip(found.skip())
        .novelty(found.novelty())
        .forgetting(forgetting)
        .budget(found.budget())
        .fine(fine)
        .memory(memory)
        .scaling(MODES.get(mode))
        .estimation(in.i32())
        .features(found.features())
        .labels(found.labels())
        .build();
  }

  private static Race readRace(ByteReader in, SecondOrderEngine inner)
      throws InvalidModelException {
    int count = in.code("runners", Race.ENTRANTS + 1);
    if (count == 0) {
      throw new InvalidModelException("a race needs a runner");
    }
    Contest contest = new Contest(count, 0);
    ContestFormat.read(in, contest);
    List<SecondOrderEngine> runners = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      runners.add(i == contest.incumbent() ? inner : readLearner(in, inner));
    }
    return new Race(runners, contest);
  }

  /** A learner that has seen the same instances as {@code like}. */
  private static SecondOrderEngine readLearner(ByteReader in, SecondOrderEngine like)
      throws InvalidModelException {
    int length = in.count("bytes of a learner", 1);
    Map<Integer, ByteReader> sections = Sections.read(in.raw(length));
    Model model = ModelFormat.read(sections);
    if (!(model.config() instanceof SecondOrderConfig)) {
      throw new InvalidModelException("a learner within is not of the second order");
    }
    SecondOrderEngine other = SecondOrderFormat.read(sections, model);
    if (other.instances() == like.instances()
        && other.task() == like.task()
        && other.classes() == like.classes()
        && other.set.isOpenEnded() == like.set.isOpenEnded()
        && (like.set.isOpenEnded() || other.set.dimension() == like.set.dimension())) {
      return other;
    }
    throw new InvalidModelException("a learner within is not of the same stream");
  }

  private static Trial readTrial(ByteReader in, SecondOrderEngine inner)
      throws InvalidModelException {
    Trial trial = new Trial(inner.task(), 0);
    if (in.code("challenger", 2) == 1) {
      trial.challenger = readLearner(in, inner);
    }
    trial.rate = in.code("rate", Trial.rates());
    trial.tried = in.code("rate tried", Trial.FRESH + 1);
    trial.alarmed = in.code("alarmed", 2) == 1;
    trial.begin = LearnerFormat.count(in, "begin");
    trial.learnedBefore = LearnerFormat.count(in, "learned before");
    trial.length = LearnerFormat.count(in, "length");
    trial.next = LearnerFormat.count(in, "next");
    ContestFormat.read(in, trial.contest);
    trial.alarm.watched = LearnerFormat.count(in, "watched");
    trial.alarm.recent = in.f64("recent");
    trial.alarm.usual = in.f64("usual");
    trial.alarm.usualSquares = LearnerFormat.positive(in, "usual squares");
    trial.shift = in.f64("shift");
    trial.shiftedBy = in.i32();
    return trial;
  }

  /** The kept instances, each as the learner would have taken it. */
  private static void readKept(ByteReader in, AutoEngine learner) throws InvalidModelException {
    int count = in.count("kept instances", 21);
    if (count != (learner.isEstimating() ? learner.instances() : 0) || count >= most(learner)) {
      throw new InvalidModelException(
          count + " instances kept of " + learner.instances() + " learned from");
    }
    int features = learner.config.features();
    for (int i = 0; i < count; i++) {
      double y = in.f64("y");
      double weight = in.f64("weight");
      FeatureVector x = Vectors.read(in);
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
      learner.stored.add(x, y, weight);
    }
  }

  /** One more than the instances that may be kept: the last of the period lets all go. */
  private static int most(AutoEngine learner) {
    return learner.isEstimating() ? learner.config.estimation() : 1;
  }

  private static byte[] writeOrigins(Origins origins) {
    ByteWriter out = new ByteWriter();
    out.u8(origins.starts().size());
    origins.starts().forEach(out::i64);
    return out.toBytes();
  }

  private static Origins readOrigins(ByteReader in) throws InvalidModelException {
    int count = in.code("starts", Origins.MOST + 1);
    List<Long> starts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      starts.add(in.i64());
    }
    in.end();
    return new Origins(starts);
  }
}
