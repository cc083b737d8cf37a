// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.github.avm4j.feature.Schema;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.pipeline.Pending;
import io.github.avm4j.pipeline.RowLearner;
import io.github.avm4j.pipeline.WaitingRows;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.NoSuchElementException;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/** A row that waits is given out once, whatever else happens to it, and is counted once. */
public final class PendingLabels {
  private static final Map<String, Object> ROW = Map.of("a", 1);

  private PendingLabels() {}

  /** A clock that one thread sets and another reads. */
  private static final class SetClock extends Clock {
    private volatile long millis;

    @Override
    public Instant instant() {
      return Instant.ofEpochMilli(millis);
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }

  /** One row that waits for ten seconds. */
  abstract static class OneRow {
    final SetClock clock = new SetClock();
    final WaitingRows waiting = rows(clock);
    final String id = waiting.add(ROW);

    static WaitingRows rows(Clock clock) {
      return new WaitingRows(1 << 20, Duration.ofSeconds(10), clock, () -> "id");
    }

    int take() {
      try {
        return waiting.take(id).equals(Map.of("a", 1.0)) ? 1 : 2;
      } catch (NoSuchElementException | IllegalStateException e) {
        return 0;
      }
    }
  }

  /** Two labels of one row. */
  @JCStressTest
  @Outcome(
      id = {"1, 0, 1", "0, 1, 1"},
      expect = ACCEPTABLE,
      desc = "one of them")
  @Outcome(expect = FORBIDDEN, desc = "none, both, or another row")
  @State
  public static class TwoLabels extends OneRow {
    /** A label. */
    @Actor
    public void one(III_Result result) {
      result.r1 = take();
    }

    /** Another label. */
    @Actor
    public void other(III_Result result) {
      result.r2 = take();
    }

    /** Counted. */
    @Arbiter
    public void count(III_Result result) {
      result.r3 = (int) waiting.joined();
    }
  }

  /** A label in the moment in which the row's time ends. */
  @JCStressTest
  @Outcome(
      id = {"1, 0, 1", "0, 1, 1"},
      expect = ACCEPTABLE,
      desc = "labelled, or not")
  @Outcome(expect = FORBIDDEN, desc = "lost, or given out twice")
  @State
  public static class LabelAtTheEnd extends OneRow {
    /** A label. */
    @Actor
    public void label(III_Result result) {
      result.r1 = take();
    }

    /** Its time ends. */
    @Actor
    public void expire(III_Result result) {
      clock.millis = 10_000;
      result.r2 = waiting.expire().size();
    }

    /** Counted. */
    @Arbiter
    public void count(III_Result result) {
      result.r3 = (int) (waiting.joined() + waiting.unlabelled());
    }
  }

  /** A label while the rows are saved: what is read again has it waiting or joined. */
  @JCStressTest
  @Outcome(
      id = {"0, 1", "1, 0"},
      expect = ACCEPTABLE,
      desc = "after the file, or in it")
  @Outcome(expect = FORBIDDEN, desc = "in neither, or in both")
  @State
  public static class LabelWhileSaved extends OneRow {
    private static final RowLearner LEARNER =
        RowLearner.classifier(Schema.builder().number("a").build()).build();

    private byte[] file = {};

    /** Saves. */
    @Actor
    public void save() {
      file = new Pending(LEARNER, waiting).toBytes();
    }

    /** A label. */
    @Actor
    public void label() {
      take();
    }

    /** Reads the file. */
    @Arbiter
    public void read(II_Result result) throws InvalidModelException {
      WaitingRows again = rows(clock);
      Pending.read(file, again, null);
      result.r1 = (int) again.joined();
      result.r2 = (int) again.waiting();
    }
  }
}
