// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.format;

import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.internal.auto.AutoEngine;
import io.github.avm4j.internal.auto.Renewal;
import io.github.avm4j.internal.coreset.CoreSet;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.model.Model;
import java.util.Map;

/** The RENEWAL section: what {@link Renewal} needs to go on, the challenger as a whole learner. */
final class RenewalFormat {
  private RenewalFormat() {}

  static byte[] write(Renewal renewal) {
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
      out.raw(AutoFormat.write(challenger));
    }
    return out.toBytes();
  }

  static void read(ByteReader in, Renewal renewal, AutoEngine engine) throws InvalidModelException {
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
      renewal.challenger = readChallenger(in.raw(in.remaining()), engine);
    }
    in.end();
  }

  private static AutoEngine readChallenger(byte[] file, AutoEngine engine)
      throws InvalidModelException {
    Map<Integer, ByteReader> sections = Sections.read(file);
    if (sections.containsKey(Sections.CELLS)
        || sections.containsKey(Sections.RENEWAL)
        || sections.containsKey(Sections.CALIBRATION)
        || !sections.containsKey(Sections.ESTIMATION)) {
      throw new InvalidModelException("a challenger is no self-configuring learner");
    }
    Model model = ModelFormat.read(sections);
    if (!(model.config() instanceof SecondOrderConfig)) {
      throw new InvalidModelException("a challenger is no self-configuring learner");
    }
    AutoEngine challenger = AutoFormat.read(sections, model);
    challenger.renewal = null;
    challenger.config = challenger.config.toBuilder().coverage(engine.config.coverage()).build();
    requireFit(challenger, engine);
    return challenger;
  }

  private static void requireFit(AutoEngine challenger, AutoEngine engine)
      throws InvalidModelException {
    CoreSet own = challenger.leader().set;
    CoreSet other = engine.leader().set;
    boolean fits =
        challenger.task() == engine.task()
            && challenger.classes() >= engine.classes()
            && own.isOpenEnded() == other.isOpenEnded()
            && (own.isOpenEnded() || own.size() == 0 || own.dimension() == other.dimension());
    for (int j = 0; fits && j < engine.classes(); j++) {
      fits = challenger.label(j) == engine.label(j);
    }
    if (!fits) {
      throw new InvalidModelException("a challenger is not of the same stream");
    }
  }
}
