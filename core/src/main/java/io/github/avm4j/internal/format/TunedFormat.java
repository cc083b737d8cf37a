// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.format;

import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.config.KernelChoice;
import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.feature.ScalingMode;
import io.github.avm4j.internal.contest.Contest;
import io.github.avm4j.internal.coreset.CoreSet;
import io.github.avm4j.internal.secondorder.SecondOrderEngine;
import io.github.avm4j.internal.tuning.Race;
import io.github.avm4j.internal.tuning.Temperature;
import io.github.avm4j.internal.tuning.Trial;
import io.github.avm4j.internal.tuning.TunedEngine;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.model.Model;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The sections of a {@link TunedEngine}: ESTIMATION with its settings, contests and the instances
 * it has stored, and TEMPERATURE.
 */
final class TunedFormat {
  /** As its phase: it is estimating, or it has estimated and shrinks features. */
  private static final int ESTIMATING = 1;

  private static final int SHRUNK = 2;

  private static final List<KernelChoice> KERNELS =
      List.of(KernelChoice.AUTOMATIC, KernelChoice.GAUSSIAN);

  private static final List<ScalingMode> MODES =
      List.of(ScalingMode.AUTOMATIC, ScalingMode.NONE, ScalingMode.STANDARD, ScalingMode.MIN_MAX);

  private static final List<Integer> OF_A_WHOLE_LEARNER =
      List.of(
          Sections.CELLS,
          Sections.RENEWAL,
          Sections.CALIBRATION,
          Sections.FIT,
          Sections.SUDDEN_RISE);

  private TunedFormat() {}

  /** The file of an engine that is one of several in a learner. */
  static byte[] write(TunedEngine engine) {
    return Sections.write(payloads(engine, engine.snapshot()));
  }

  /** The sections of an engine, those of a model that has its parameters included. */
  static Map<Integer, byte[]> payloads(TunedEngine engine, Model model) {
    Map<Integer, byte[]> payloads = new TreeMap<>(ModelFormat.payloads(model));
    payloads.put(Sections.SECOND_ORDER, SecondOrderFormat.state(engine.leader()));
    payloads.put(Sections.ESTIMATION, state(engine));
    payloads.put(Sections.TEMPERATURE, temperature(engine));
    return payloads;
  }

  private static byte[] temperature(TunedEngine learner) {
    ByteWriter out = new ByteWriter();
    out.i64(learner.temperature.met());
    ContestFormat.write(out, learner.temperature.contest());
    return out.toBytes();
  }

  private static Temperature readTemperature(ByteReader in) throws InvalidModelException {
    Temperature temperature = new Temperature();
    long met = LearnerFormat.count(in, "instances met");
    ContestFormat.read(in, temperature.contest());
    in.end();
    return new Temperature(temperature.contest(), met);
  }

  private static byte[] state(TunedEngine learner) {
    ByteWriter out = new ByteWriter();
    out.f64(learner.config.gamma());
    out.f64(learner.config.forgetting());
    out.i64(learner.config.memory());
    int kernels = KERNELS.indexOf(learner.config.kernel());
    out.u8(kernels * MODES.size() + MODES.indexOf(learner.config.scaling()));
    out.i32(learner.config.estimation());
    writeRace(out, learner.race);
    writeTrial(out, learner.trial);
    out.f64(learner.guard.reach);
    out.u8(learner.isEstimating() ? ESTIMATING : learner.shrunk ? SHRUNK : 0);
    out.i32(learner.config.cells());
    InstancesFormat.write(out, learner.stored);
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

  /**
   * The model of a file within a learner's: of one expansion that configures itself.
   *
   * @param what the file is, for the message
   */
  static Model inner(Map<Integer, ByteReader> sections, String what) throws InvalidModelException {
    boolean more = OF_A_WHOLE_LEARNER.stream().anyMatch(sections::containsKey);
    if (!more && sections.containsKey(Sections.ESTIMATION)) {
      Model model = ModelFormat.readLearning(sections);
      if (model.config() instanceof SecondOrderConfig) {
        return model;
      }
    }
    throw new InvalidModelException(what + " is no self-configuring learner without cells");
  }

  /** The engine of a file, and of the model in it. */
  static TunedEngine read(Map<Integer, ByteReader> sections, Model found)
      throws InvalidModelException {
    ByteReader in = Sections.require(sections, Sections.ESTIMATION, "ESTIMATION");
    ByteReader sure = sections.get(Sections.TEMPERATURE);
    Temperature temperature = sure == null ? new Temperature() : readTemperature(sure);
    Model model = found.with(List.of()).times(1 / temperature.factor());
    SecondOrderEngine inner = SecondOrderFormat.read(sections, model);
    try {
      AutoConfig config = readConfig(in, inner.config(), found.calibration().levels());
      Race race = readRace(in, inner);
      Trial trial = readTrial(in, inner);
      double reach = LearnerFormat.positive(in, "reach of residuals");
      int phase = in.code("phase", SHRUNK + 1);
      AutoConfig settings = config.toBuilder().cells(in.i32()).build();
      TunedEngine engine =
          new TunedEngine(
              settings, race, trial, model.scaling(), model.intercept(), phase == ESTIMATING);
      engine.shrunk = phase == SHRUNK;
      engine.temperature = temperature;
      engine.guard.reach = reach;
      readStored(in, engine);
      return engine;
    } catch (IllegalArgumentException e) {
      throw invalid(e);
    }
  }

  static InvalidModelException invalid(IllegalArgumentException e) {
    return new InvalidModelException("the estimation is not valid: " + e.getMessage(), e);
  }

  /** The settings; the number of cells follows later in the file. */
  private static AutoConfig readConfig(
      ByteReader in, SecondOrderConfig found, List<Double> coverage) throws InvalidModelException {
    double gamma = in.f64("gamma");
    double forgetting = in.f64("forgetting");
    long memory = in.i64();
    int choices = in.code("scaling mode and kernels", KERNELS.size() * MODES.size());
    return new AutoConfig(
        found.task(),
        found.loss(),
        KERNELS.get(choices / MODES.size()),
        gamma,
        found.lambda(),
        found.skip(),
        found.novelty(),
        forgetting,
        found.budget(),
        0,
        memory,
        MODES.get(choices % MODES.size()),
        in.i32(),
        found.features(),
        found.labels(),
        coverage);
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

  /** The stored instances: all that were learned from while estimating, none after. */
  private static void readStored(ByteReader in, TunedEngine learner) throws InvalidModelException {
    CoreSet set = learner.leader().set;
    boolean open = set.isOpenEnded() || set.size() == 0;
    int features = open ? learner.config.features() : set.dimension();
    InstancesFormat.read(in, learner.task(), features, learner.stored);
    in.end();
    int count = learner.stored.size();
    boolean all = count == (learner.isEstimating() ? learner.leader().instances() : 0);
    if (!all || count >= learner.config.estimation()) {
      throw new InvalidModelException(
          count + " instances stored of " + learner.leader().instances() + " learned from");
    }
  }
}
