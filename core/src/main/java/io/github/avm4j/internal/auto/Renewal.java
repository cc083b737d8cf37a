// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.auto.Challenge.Verdict;
import io.github.avm4j.model.InvalidModelException;
import org.jspecify.annotations.Nullable;

/**
 * After losses rose, a {@link Space} that begins afresh learns beside the one in use, and takes its
 * place if it predicts better by much. It forgets fast if the change came so early that little is
 * known of the stream. None begins where bytes are bounded or a forgetting factor is set.
 *
 * <p>Two alarms begin it: one for lasting rises ({@link LossAlarm}), and one for sudden ones
 * ({@link SuddenRise}), within tens of rows, in a beginning, too. What the second alone has begun
 * is brief, it ends at 100 rows, and no rest follows. Before 100 rows {@link Rule#SUDDEN} decides,
 * then {@link Rule#RENEWAL}.
 */
final class Renewal {
  /** Rows before the first alarm. */
  private static final int PATIENCE = 1000;

  /** Changes before this row make the fresh learner forget. */
  private static final int EARLY = 3000;

  private static final double FORGETTING = 0.998;

  /** Rows without another after one that lost, and after one that won. */
  private static final int REST = 3000;

  private static final int REST_AFTER_SUCCESS = 100;

  private final Setup setup;
  private LossAlarm alarm = new LossAlarm(PATIENCE);
  private SuddenRise sudden = new SuddenRise();
  private Challenge challenge = new Challenge(Rule.RENEWAL);
  private @Nullable Space fresh;
  private boolean brief;
  private long rest;
  private long count;

  Renewal(Setup setup) {
    this.setup = setup;
  }

  /** The space in use from now on: itself, or the fresh one. */
  Space learned(Space used, FeatureVector x, double y, double weight, boolean known) {
    boolean rising = alarm.observe(used.error());
    boolean abrupt = sudden.observe(used.error());
    if (rising) {
      used.alarm();
    }
    rest = Math.max(0, rest - 1);
    boolean lasting = rising && rest == 0;
    @Nullable Space challenger = fresh;
    if (challenger == null) {
      if ((lasting || abrupt) && setup.mayForget() && !setup.isBounded()) {
        fresh = new Space(setup, used.seen() < EARLY ? FORGETTING : used.factor());
        brief = !lasting;
        challenge.restart();
      }
      return used;
    }
    brief &= !lasting;
    challenger.learn(x, y, weight, known, false);
    challenge.observe(weight * used.error(), weight * challenger.error());
    Verdict verdict = verdict();
    if (verdict == Verdict.WON) {
      fresh = null;
      alarm = new LossAlarm(PATIENCE);
      sudden = new SuddenRise();
      rest = REST_AFTER_SUCCESS;
      count++;
      return challenger;
    }
    if (verdict == Verdict.LOST) {
      fresh = null;
      rest = brief ? rest : REST;
    }
    return used;
  }

  private Verdict verdict() {
    if (challenge.seen() < Rule.RENEWAL.first) {
      return challenge.verdict(Rule.SUDDEN);
    }
    Verdict verdict = challenge.verdict();
    return brief && verdict == Verdict.OPEN
        ? Verdict.LOST
        : verdict; // one look is what it is worth
  }

  /** How often a fresh learner has won. */
  long count() {
    return count;
  }

  /** What is compared, for reports. */
  Evidence evidence() {
    return fresh == null
        ? Evidence.none("renewal", "present")
        : Evidence.of("renewal", "present", "fresh", challenge);
  }

  /** Bytes of heap, at most. */
  long bytes() {
    return fresh == null ? 0 : fresh.bytes();
  }

  /** About its bytes in a file. */
  long fileBytes() {
    return fresh == null ? 0 : fresh.fileBytes();
  }

  /** Bytes in a file after x was learned, at most. */
  long fileBytesWith(FeatureVector x) {
    return fresh == null ? 0 : fresh.fileBytesWith(x);
  }

  void write(StateWriter out) {
    alarm.write(out);
    sudden.write(out);
    out.flag(brief);
    challenge.write(out);
    out.i64(rest);
    out.i64(count);
    @Nullable Space challenger = fresh;
    out.flag(challenger != null);
    if (challenger != null) {
      challenger.write(out);
    }
  }

  static Renewal read(StateReader in) throws InvalidModelException {
    Renewal renewal = new Renewal(in.setup());
    renewal.alarm.restore(in);
    renewal.sudden.restore(in);
    renewal.brief = in.flag("brief");
    renewal.challenge = Challenge.read(in);
    renewal.rest = in.count("rest");
    renewal.count = in.count("renewals");
    renewal.fresh = in.flag("a fresh learner") ? Space.read(in) : null;
    return renewal;
  }
}
