// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.internal.auto.Challenge.Verdict;
import io.github.avm4j.internal.format.ByteReader;
import io.github.avm4j.internal.format.Sections;
import io.github.avm4j.model.InvalidModelException;
import java.util.Map;

/**
 * The learner of a cell that is learned on its own, beside a model that does not learn, and its
 * challenge against that model. Where one of them alone has been right on the last rows, it
 * predicts at once, as after an abrupt change.
 */
public final class CellEngine {
  private final AutoEngine expert;
  private Challenge challenge = new Challenge(Rule.CELL);
  private Challenge quick = new Challenge(Rule.SUDDEN);
  private boolean leads;

  /** One that has learned nothing, for a learner of these settings. */
  public CellEngine(AutoConfig config) {
    this(
        new AutoEngine(
            config.toBuilder()
                .budget(Math.min(config.budget(), Cell.BUDGET))
                .labels()
                .cells(0)
                .build()));
  }

  private CellEngine(AutoEngine expert) {
    this.expert = expert;
  }

  /** What learns the cell. */
  public AutoEngine expert() {
    return expert;
  }

  /** Whether the expert predicts. */
  public boolean leads() {
    return leads;
  }

  /** What both predicted for a row with target y. */
  public void judge(double model, double own, double y, double weight) {
    double outside = weight * loss(model, y);
    double inside = weight * loss(own, y);
    challenge.observe(outside, inside);
    Verdict verdict = challenge.verdict();
    if (verdict != Verdict.OPEN) {
      lead(verdict == Verdict.WON);
    }
    quick.observe(leads ? inside : outside, leads ? outside : inside);
    if (quick.verdict() == Verdict.WON) {
      lead(!leads);
      challenge.restart();
    } else if (quick.gain() <= 0) {
      quick.restart();
    }
  }

  private void lead(boolean own) {
    if (own != leads) {
      leads = own;
      quick.restart();
    }
  }

  private double loss(double prediction, double y) {
    double miss = prediction - y;
    return expert.task() == Task.REGRESSION ? miss * miss : prediction == y ? 0 : 1;
  }

  /** A learner's file with one section more. */
  public byte[] toBytes() {
    StateWriter out = new StateWriter();
    out.flag(leads);
    challenge.write(out);
    quick.write(out);
    return Sections.append(AutoFile.write(expert), Sections.CELL_CONTEST, out.toBytes());
  }

  /** The learner of a cell in a file. */
  public static CellEngine read(byte[] file) throws InvalidModelException {
    Map<Integer, ByteReader> sections = Sections.read(file);
    ByteReader in = Sections.require(sections, Sections.CELL_CONTEST, "CELL_CONTEST");
    if (!AutoFile.isOne(sections)) {
      throw new InvalidModelException("a cell holds no default learner");
    }
    AutoEngine expert = AutoFile.read(sections, false);
    if (expert.settings().cells() > 0) {
      throw new InvalidModelException("the learner of a cell has cells");
    }
    CellEngine cell = new CellEngine(expert);
    StateReader state = new StateReader(in, expert.setup());
    cell.leads = state.flag("cell leads");
    cell.challenge = Challenge.read(state);
    cell.quick = Challenge.read(state);
    in.end();
    return cell;
  }
}
