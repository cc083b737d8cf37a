// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.format;

import io.github.avm4j.internal.auto.AutoEngine;
import io.github.avm4j.internal.auto.LabelIndexes;
import io.github.avm4j.internal.auto.Renewal;
import io.github.avm4j.internal.coreset.CoreSet;
import io.github.avm4j.internal.tuning.TunedEngine;
import io.github.avm4j.model.Calibration;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.model.Model;
import java.util.Map;

/**
 * The file of an {@link AutoEngine}: the sections of {@link TunedFormat} and {@link LevelsFormat},
 * RENEWAL with the challenger as a whole learner, and SUDDEN_RISE.
 */
public final class AutoFormat {
  private AutoFormat() {}

  public static byte[] write(AutoEngine learner) {
    Map<Integer, byte[]> payloads = TunedFormat.payloads(learner.whole, learner.learning());
    LevelsFormat.write(learner.levels, payloads);
    Renewal renewal = learner.renewal;
    if (renewal != null) {
      payloads.put(Sections.RENEWAL, writeRenewal(renewal));
    }
    if (renewal != null && (renewal.brief || renewal.sudden.watched > 0)) {
      payloads.put(Sections.SUDDEN_RISE, writeSuddenRise(renewal));
    }
    Model fit = learner.fit;
    if (fit != null) {
      payloads.put(Sections.FIT, ModelFormat.write(fit));
    }
    return Sections.write(payloads);
  }

  /**
   * The engine of a learner's file.
   *
   * @param indexed whether the labels of {@code found} were replaced by their index
   */
  static AutoEngine read(Map<Integer, ByteReader> sections, Model found, boolean indexed)
      throws InvalidModelException {
    TunedEngine whole = TunedFormat.read(sections, found);
    try {
      AutoEngine learner = new AutoEngine(whole);
      Calibration calibration = found.calibration();
      learner.calibrator = calibration.levels().isEmpty() ? null : calibration.copy();
      LevelsFormat.read(sections, learner);
      ByteReader renewed = sections.get(Sections.RENEWAL);
      Renewal renewal = learner.renewal;
      if (renewed != null && renewal != null) {
        readRenewal(renewed, renewal, learner, indexed);
      }
      ByteReader rise = sections.get(Sections.SUDDEN_RISE);
      if (rise != null && renewal != null) {
        readSuddenRise(rise, renewal);
      }
      return learner;
    } catch (IllegalArgumentException e) {
      throw TunedFormat.invalid(e);
    }
  }

  private static byte[] writeRenewal(Renewal renewal) {
    ByteWriter out = new ByteWriter();
    out.i64(renewal.age);
    out.u8(renewal.calm);
    out.i64(renewal.rest);
    out.i64(renewal.count);
    out.i64(renewal.alarm.watched);
    out.f64(renewal.alarm.recent);
    out.f64(renewal.alarm.usual);
    out.f64(renewal.alarm.usualSquares);
    ContestFormat.write(out, renewal.contest);
    AutoEngine challenger = renewal.challenger;
    out.u8(challenger == null ? 0 : 1);
    if (challenger != null) {
      out.raw(write(challenger));
    }
    return out.toBytes();
  }

  private static byte[] writeSuddenRise(Renewal renewal) {
    ByteWriter out = new ByteWriter();
    out.u8(renewal.brief ? 1 : 0);
    out.i64(renewal.sudden.watched);
    out.f64(renewal.sudden.recent);
    out.f64(renewal.sudden.recentSquares);
    out.f64(renewal.sudden.usual);
    return out.toBytes();
  }

  private static void readSuddenRise(ByteReader in, Renewal renewal) throws InvalidModelException {
    renewal.brief = in.code("brief", 2) == 1;
    renewal.sudden.watched = LearnerFormat.count(in, "watched");
    renewal.sudden.recent = LearnerFormat.positive(in, "recent");
    renewal.sudden.recentSquares = LearnerFormat.positive(in, "recent squares");
    renewal.sudden.usual = LearnerFormat.positive(in, "usual");
    in.end();
  }

  private static void readRenewal(
      ByteReader in, Renewal renewal, AutoEngine engine, boolean indexed)
      throws InvalidModelException {
    renewal.age = LearnerFormat.count(in, "age of the challenger");
    renewal.calm = in.code("usual losses", Renewal.CALM + 1);
    renewal.rest = LearnerFormat.count(in, "rest");
    renewal.count = LearnerFormat.count(in, "renewals");
    renewal.alarm.watched = LearnerFormat.count(in, "watched");
    renewal.alarm.recent = in.f64("recent");
    renewal.alarm.usual = in.f64("usual");
    renewal.alarm.usualSquares = LearnerFormat.positive(in, "usual squares");
    ContestFormat.read(in, renewal.contest);
    if (in.code("challenger", 2) == 1) {
      renewal.challenger = readChallenger(in.raw(in.remaining()), engine, indexed);
    }
    in.end();
  }

  /** Its classes begin with those of the engine, in the same order, so that indexes agree. */
  private static AutoEngine readChallenger(byte[] file, AutoEngine engine, boolean indexed)
      throws InvalidModelException {
    Map<Integer, ByteReader> sections = Sections.read(file);
    Model model = TunedFormat.inner(sections, "a challenger");
    AutoEngine challenger = read(sections, indexed ? model.relabelled() : model, indexed);
    if (indexed) {
      LabelIndexes.ofRest(challenger, model);
    }
    challenger.renewal = null;
    double[] levels = engine.settings().levels().stream().mapToDouble(v -> v).toArray();
    challenger.whole.config = challenger.settings().toBuilder().levels(levels).build();
    requireFit(challenger, engine);
    return challenger;
  }

  private static boolean sameShape(CoreSet own, CoreSet other) {
    return own.isOpenEnded() == other.isOpenEnded()
        && (own.isOpenEnded() || own.dimension() == other.dimension());
  }

  private static void requireFit(AutoEngine challenger, AutoEngine engine)
      throws InvalidModelException {
    CoreSet own = challenger.leader().set;
    CoreSet other = engine.leader().set;
    boolean fits =
        challenger.task() == engine.task()
            && challenger.classes() >= engine.classes()
            && (own.size() == 0 || sameShape(own, other));
    for (int j = 0; fits && j < engine.classes(); j++) {
      fits = challenger.label(j) == engine.label(j);
    }
    if (!fits) {
      throw new InvalidModelException("a challenger is not of the same stream");
    }
  }
}
