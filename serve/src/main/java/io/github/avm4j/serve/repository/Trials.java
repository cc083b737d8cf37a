// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.repository;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Canary trials of new versions: a challenger first predicts a share of the requests only, beside
 * the champion in use, until labels decide between them. Thread-safe.
 */
public final class Trials {
  private static final int PARTS = 10_000;

  private final ModelRepository repository;
  private final Rule rule;
  private final ConcurrentMap<String, Trial> trials = new ConcurrentHashMap<>();
  private final LongAdder promoted = new LongAdder();
  private final LongAdder reverted = new LongAdder();

  /**
   * Settings of trials.
   *
   * @param percent share of requests that the challenger predicts; 0 to take new versions at once
   * @param labels after so many it is decided
   * @param tolerancePercent a challenger's loss may exceed the champion's by this share of it
   */
  public record Rule(int percent, int labels, int tolerancePercent) {
    /** New versions are taken at once. */
    public static final Rule NONE = new Rule(0, 1, 0);

    /** Whether new versions are tried at all. */
    public boolean isOn() {
      return percent > 0;
    }
  }

  /** Decides for {@code repository}. */
  public Trials(ModelRepository repository, Rule rule) {
    this.repository = repository;
    this.rule = rule;
  }

  /** Whether the challenger predicts the request of that id: the same for every row of it. */
  public boolean isChosen(String id) {
    int hash = id.hashCode() * 0x9E3779B9;
    return Integer.remainderUnsigned(hash ^ hash >>> 15, PARTS) < rule.percent * PARTS / 100;
  }

  /** Adds the losses of champion and challenger on the same row. */
  void judge(String model, long champion, long challenger, double ofFirst, double ofSecond) {
    Shelf shelf = repository.shelf(model);
    ServedModel rival = shelf == null ? null : shelf.challenger();
    if (rival == null || rival.number() != challenger) {
      return; // decided, or superseded
    }
    Trial trial =
        trials.compute(
            model,
            (name, known) ->
                known != null && known.isOf(champion, challenger)
                    ? known
                    : new Trial(champion, challenger, rule.labels, rule.tolerancePercent / 100.0));
    switch (trial.judge(ofFirst, ofSecond)) {
      case PROMOTE -> {
        promoted.increment();
        repository.promote(model, challenger, trial.toString());
      }
      case REVERT -> {
        reverted.increment();
        repository.revert(model, challenger, trial.toString());
      }
      case WAIT -> {}
    }
  }

  /** Labels that the trial of a model has had; 0 if there is none. */
  public int labels(String model) {
    Trial trial = trials.get(model);
    return trial == null ? 0 : trial.count();
  }

  /** Challengers that took over since the start. */
  public long promoted() {
    return promoted.sum();
  }

  /** Challengers that were reverted since the start. */
  public long reverted() {
    return reverted.sum();
  }
}
