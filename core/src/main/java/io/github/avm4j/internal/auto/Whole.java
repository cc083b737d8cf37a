// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.newton.StoredInstances;
import io.github.avm4j.model.InvalidModelException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What predicts where no cell does, and its challengers: experts of another kernel, of features
 * weighed in another way, and one copy at a time that forgets at another speed. Copies are tried in
 * turn; an alarm begins with the fastest, unless it forgets already.
 *
 * <p>Trials of forgetting cost most: an engine that forgets takes twice the work. So none begins
 * while all of them together have taken more than what predicts.
 */
final class Whole {
  /** Forgetting factors, in the order in which they are tried. */
  private static final double[] FACTORS = {0.998, 0.9999, 1, 0.99998};

  /**
   * Rows before the first trial of forgetting, of a trial at least, and as a share of the stream.
   */
  private static final int FIRST_TRIAL = 1000;

  private static final int LEAST_TRIAL = 600;
  private static final int TRIAL_SHARE = 10;

  /** A trial whose gain is above so many standard errors lasts so many times as long. */
  private static final double PROMISING = 1.5;

  private static final int LONGER = 4;

  /** A slow factor shows over so large a share of the rows that it remembers. */
  private static final double SHOWS = 0.2;

  /** To forget less takes evidence of so many times the rows that are remembered. */
  private static final int MEMORIES = 3;

  /** A trial is followed by so many times its length without one; a success by so many rows. */
  private static final int REST = 9;

  private static final int REST_AFTER_SUCCESS = 500;

  /** Between two alarms that begin a trial. */
  private static final int REST_AFTER_ALARM = 2000;

  /**
   * Features are weighed anew after so many rows, and whenever the stream is four times as long.
   */
  private static final int WEIGH_AFTER = 4000;

  /** Rows of before that new challengers are taught; those that come meanwhile follow. */
  private static final int TAUGHT = 3000;

  /** Nothing is to be taught. */
  private static final long NONE = Long.MAX_VALUE;

  /** Rows between looks whether the leader's scaling cuts features, or this share of the stream. */
  private static final int LOOK_EVERY = 250;

  private static final int LOOK_SHARE = 10;

  /** Where more of the last 250 values of a feature are cut, a scaling fitted anew challenges. */
  private static final double CUT_SHARE = 0.03;

  /** Kernels narrower or wider than so many times the leader's follow other rules. */
  private static final double NARROWER = 0.75;

  private static final double WIDER = 1.4;

  /** An expert that challenges the leader, and the evidence. */
  private static final class Rival {
    final Expert expert;
    final Challenge challenge;

    Rival(Expert expert, Rule rule) {
      this(expert, new Challenge(rule));
    }

    private Rival(Expert expert, Challenge challenge) {
      this.expert = expert;
      this.challenge = challenge;
    }

    void write(StateWriter out) {
      challenge.write(out);
      expert.write(out);
    }

    static Rival read(StateReader in) throws InvalidModelException {
      Challenge challenge = Challenge.read(in);
      return new Rival(in.wholeExpert(), challenge);
    }
  }

  private final Setup setup;
  private final RecentRows rows;
  private Expert leader;
  private final List<Rival> rivals = new ArrayList<>();
  private double factor;
  private @Nullable Rival trial;
  private double tried;
  private long trialLength;
  private long nextTrial = FIRST_TRIAL;
  private long nextWeighing = WEIGH_AFTER;

  /** Number of the row kept that the rivals are taught next; then they challenge. */
  private long nextTaught = NONE;

  /** Of the leader's view, before there are rivals of other weights. */
  private @Nullable Weighing weighing;

  private long nextLook;
  private long lastAlarm;
  private int turn;

  /** Work of what predicts, and of trials of forgetting. */
  private double led;

  private double trials;

  /**
   * Goes on with the outcome of a beginning.
   *
   * @param rows of before, which challengers are taught
   */
  Whole(Setup setup, Beginning beginning, RecentRows rows) {
    this(setup, rows, beginning.outcome());
    this.led = beginning.work();
  }

  private Whole(Setup setup, RecentRows rows, List<Expert> experts) {
    this.setup = setup;
    this.rows = rows;
    this.leader = experts.get(0);
    this.factor = leader.engine().config().forgetting();
    for (Expert one : experts.subList(1, experts.size())) {
      rivals.add(new Rival(one, ruleOf(one)));
    }
  }

  private Rule ruleOf(Expert rival) {
    boolean same = rival.shape().gaussian() == leader.shape().gaussian();
    double width = rival.width() / leader.width();
    return same && width < NARROWER
        ? Rule.NARROWER
        : same && width > WIDER ? Rule.WIDER : Rule.KERNEL;
  }

  Expert leader() {
    return leader;
  }

  /** The forgetting factor in use. */
  double factor() {
    return factor;
  }

  /** Settings of experts that begin now, but for the kernel. */
  SecondOrderConfig settings() {
    return setup.experts(factor);
  }

  /** Work of a cell that predicts. */
  void count(double work) {
    led += work;
  }

  /** Challengers learn a row that the leader has just learned, and decisions are made. */
  void compete(FeatureVector x, double y, double weight, long row) {
    led += leader.work();
    if (nextTaught != NONE) {
      // A class that is new may be rows away from what they are taught.
      rivals.forEach(rival -> rival.expert.know(setup.labels().size()));
    } else if (!rivals.isEmpty()) {
      double own = leader.sharpLoss();
      for (int i = rivals.size() - 1; i >= 0; i--) {
        Rival rival = rivals.get(i);
        rival.expert.learn(x, y, weight, false);
        rival.challenge.observe(own, rival.expert.sharpLoss());
      }
      judgeRivals();
    }
    if (row >= nextWeighing && setup.choosesScaling()) {
      weighAnew(row);
    }
    if (row >= nextLook) {
      nextLook = row + Math.max(LOOK_EVERY, row / LOOK_SHARE);
      scaleAnew();
    }
    if (setup.mayForget()) {
      tryForgetting(x, y, weight, row);
    }
  }

  /** Goes on with what rows of before are for, as far as there is room with this row. */
  void teach() {
    @Nullable Weighing now = weighing;
    if (now != null) {
      if (now.goOn(number -> rows.row(Math.max(number, rows.first())).x())) {
        weighing = null;
        challenge(now.view());
      }
    } else if (nextTaught != NONE) {
      nextTaught = Math.max(nextTaught, rows.first());
      for (int i = 0; nextTaught < rows.added() && setup.mayGoOn(i); i++) {
        StoredInstances.Kept row = rows.row(nextTaught++);
        for (Rival rival : rivals) {
          rival.expert.learn(row.x(), row.y(), row.weight(), false);
        }
      }
      nextTaught = nextTaught == rows.added() ? NONE : nextTaught;
    }
  }

  private void judgeRivals() {
    @Nullable Rival won = null;
    for (int i = rivals.size() - 1; i >= 0; i--) {
      Rival rival = rivals.get(i);
      switch (rival.challenge.verdict()) {
        case WON -> won = won == null || gains(rival, won) ? rival : won;
        case LOST -> rivals.remove(i);
        case OPEN -> {}
      }
    }
    if (won != null) {
      Rival best = won;
      leader = best.expert;
      trial = null;
      rivals.remove(best);
      List<Rival> others = new ArrayList<>(rivals);
      rivals.clear();
      for (Rival other : others) {
        rivals.add(new Rival(other.expert, ruleOf(other.expert)));
      }
    }
  }

  private static boolean gains(Rival one, Rival other) {
    return one.challenge.gain() > other.challenge.gain();
  }

  /** Challengers of other weights: by the gradients of today's leader, and without. */
  private void weighAnew(long row) {
    nextWeighing = 4 * row;
    int last = Math.min(TAUGHT, rows.size());
    if (rivals.isEmpty() && last > 0) {
      List<FeatureVector> vectors = RecentRows.vectors(rows.last(last));
      weighing = Weighing.of(leader, vectors, rows.added() - last, setup);
      if (weighing == null) {
        challenge(null);
      }
    }
  }

  private void challenge(@Nullable View weighed) {
    List<FeatureVector> last = RecentRows.vectors(rows.last(TAUGHT));
    if (weighed != null) {
      challenge(leader.shape(), weighed, last, Rule.RELEVANCE);
    }
    if (leader.view().isWeighed()) {
      Shape narrow = setup.allowed(Shape.NARROW, leader.shape());
      challenge(narrow, leader.view().unweighed(), last, Rule.RELEVANCE);
    }
    nextTaught = rivals.isEmpty() ? NONE : rows.added() - last.size();
  }

  /** A challenger of a scaling fitted to the last rows, where today's cuts some per cent. */
  private void scaleAnew() {
    List<FeatureVector> newest = RecentRows.vectors(rows.last(LOOK_EVERY));
    boolean free = rivals.isEmpty() && weighing == null;
    if (free && leader.view().cutShare(newest) > CUT_SHARE) {
      List<FeatureVector> last = RecentRows.vectors(rows.last(TAUGHT));
      challenge(leader.shape(), leader.view().refitted(last, setup), last, Rule.RELEVANCE);
      nextTaught = rows.added() - last.size();
    }
  }

  private void challenge(Shape shape, View view, List<FeatureVector> vectors, Rule rule) {
    double median = view.median(vectors);
    Expert expert =
        Expert.of(shape, view, median, leader.intercept(), settings(), setup).warned(leader);
    rivals.add(new Rival(expert, rule));
  }

  /** Losses have risen: a trial of forgetting begins with the fastest. */
  void alarm(long row) {
    if (trial == null && row > lastAlarm + REST_AFTER_ALARM) {
      lastAlarm = row;
      nextTrial = row;
      turn = factor < 1 ? turn : 0;
    }
  }

  private void tryForgetting(FeatureVector x, double y, double weight, long row) {
    @Nullable Rival running = trial;
    if (running == null) {
      if (row < nextTrial || trials > led) {
        return;
      }
      running = nextTrial(row);
    }
    running.expert.learn(x, y, weight, false);
    trials += running.expert.work();
    Challenge challenge = running.challenge;
    challenge.observe(leader.regret(), running.expert.regret());
    Challenge.Verdict verdict = challenge.verdict();
    double least = leastTrial();
    double most =
        Math.max(least, trialLength * (challenge.standardErrors() > PROMISING ? LONGER : 1));
    if (verdict == Challenge.Verdict.WON && challenge.seen() >= least) {
      forget(running.expert, row);
    } else if (verdict == Challenge.Verdict.LOST || challenge.seen() >= most) {
      trial = null;
      nextTrial = row + REST * usualTrial(row);
    }
  }

  /** A copy that forgets less looks better until the stream has moved on from what both knew. */
  private double leastTrial() {
    return tried > factor ? MEMORIES / (1 - factor) : 0;
  }

  private static long usualTrial(long row) {
    return Math.max(LEAST_TRIAL, row / TRIAL_SHARE);
  }

  private Rival nextTrial(long row) {
    do {
      tried = FACTORS[turn++ % FACTORS.length];
    } while (tried == factor);
    Rule rule =
        tried == 1
            ? Rule.REMEMBER
            : tried == FACTORS[0] && factor == 1 ? Rule.FORGET : Rule.FORGET_SLOWLY;
    Rival running = new Rival(leader.forgetting(tried), rule);
    trial = running;
    long shows = tried < 1 ? (long) (SHOWS / (1 - tried)) : 0;
    trialLength = Math.max(usualTrial(row), shows);
    return running;
  }

  private void forget(Expert copy, long row) {
    factor = tried;
    leader = copy;
    trial = null;
    nextTrial = row + REST_AFTER_SUCCESS;
    nextWeighing = row;
    weighing = null;
    for (int i = 0; i < rivals.size(); i++) {
      Rival old = rivals.get(i);
      rivals.set(i, new Rival(old.expert.forgetting(factor), old.challenge.rule()));
    }
  }

  /** What is compared, for reports. */
  List<Evidence> evidence() {
    List<Evidence> all = new ArrayList<>();
    String own = Evidence.name(leader);
    for (Rival rival : rivals) {
      all.add(Evidence.of("kernel", own, Evidence.name(rival.expert), rival.challenge));
    }
    if (rivals.isEmpty()) {
      all.add(Evidence.none("kernel", own));
    }
    String remembered = text(factor);
    Rival running = trial;
    all.add(
        running == null
            ? Evidence.none("forgetting", remembered)
            : Evidence.of("forgetting", remembered, text(tried), running.challenge));
    return all;
  }

  private static String text(double factor) {
    return factor == 1 ? "1" : Double.toString(factor);
  }

  /** Bytes of heap, at most. */
  long bytes(Set<View> counted) {
    long bytes = leader.bytes(counted);
    for (Rival rival : rivals) {
      bytes += rival.expert.bytes(counted);
    }
    Rival running = trial;
    return bytes + (running == null ? 0 : running.expert.bytes(counted));
  }

  /** About its bytes in a file. */
  long fileBytes(Set<View> written) {
    long bytes = leader.fileBytes(written);
    for (Rival rival : rivals) {
      bytes += rival.expert.fileBytes(written);
    }
    Rival running = trial;
    return bytes + (running == null ? 0 : running.expert.fileBytes(written));
  }

  void write(StateWriter out) {
    leader.write(out);
    out.u8(rivals.size());
    for (Rival rival : rivals) {
      rival.write(out);
    }
    out.f64(tried);
    Rival running = trial;
    out.flag(running != null);
    if (running != null) {
      running.write(out);
    }
    out.i64(trialLength);
    out.i64(nextTrial);
    out.i64(nextWeighing);
    out.i64(nextTaught == NONE ? 0 : rows.added() - Math.max(nextTaught, rows.first()));
    @Nullable Weighing now = weighing;
    out.flag(now != null);
    if (now != null) {
      now.write(out, rows.added());
    }
    out.i64(nextLook);
    out.i64(lastAlarm);
    out.i32(turn);
    out.f64(led);
    out.f64(trials);
  }

  static Whole read(StateReader in, RecentRows rows) throws InvalidModelException {
    Whole whole = new Whole(in.setup(), rows, List.of(in.wholeExpert()));
    int rivals = in.code("rivals", Setup.MOST_EXPERTS);
    for (int i = 0; i < rivals; i++) {
      whole.rivals.add(Rival.read(in));
    }
    whole.tried = in.f64("factor tried");
    whole.trial = in.flag("trial") ? Rival.read(in) : null;
    whole.trialLength = in.count("rows of a trial");
    whole.nextTrial = in.count("next trial");
    whole.nextWeighing = in.count("next weighing");
    long untaught = in.count("rows to be taught");
    whole.nextTaught = untaught == 0 ? NONE : rows.added() - untaught;
    boolean weighs = in.flag("weighing");
    whole.weighing = weighs ? Weighing.read(in, whole.leader, rows.added()) : null;
    whole.nextLook = in.count("next look at a scaling");
    whole.lastAlarm = in.count("last alarm");
    whole.turn = in.i32();
    whole.led = in.positive("work");
    whole.trials = in.positive("work of trials");
    if (whole.turn < 0 || untaught > rows.added() || !(whole.tried >= 0 && whole.tried <= 1)) {
      throw new InvalidModelException("a trial of forgetting does not fit together");
    }
    return whole;
  }
}
