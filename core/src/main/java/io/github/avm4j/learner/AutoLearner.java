// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.config.LearnerConfig;
import io.github.avm4j.feature.Bounds;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Scaling;
import io.github.avm4j.internal.auto.AutoEngine;
import io.github.avm4j.internal.auto.Evidence;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The default learner, which configures itself: it finds the scaling and the weights of the
 * features, the kernel, the forgetting factor and, for regression, the intercept, divides the space
 * into cells, and learns with the second-order method. {@code docs/decisions} has the reasons.
 *
 * <pre>{@code
 * AutoLearner learner = Avm.classifier().budget(256).memory(16 << 20).build();
 * double[] scores = {}; // or one element per class, to be filled
 * double prediction = learner.predictThenLearn(x, y, weight, scores);
 * }</pre>
 *
 * <p>It predicts and learns from the first instance on. A prediction depends only on instances
 * learned before it, and the mistakes made while choosing count.
 *
 * <p>Its kernels never see a feature far outside of what was learned: values are cut to a range
 * that widens with them, and farther ones count as missing ({@link #bounds}).
 *
 * <p>Targets of a regression may have any unit and origin: predictions shift and scale with them.
 * Outliers are cut; after a change of scale a fresh learner takes over.
 *
 * <p>When the stream changes, it forgets faster; after an abrupt change a learner that begins
 * afresh takes over if it predicts better.
 *
 * <p>For one thread at a time; see {@link Learner}.
 */
public final class AutoLearner extends EngineLearner<AutoEngine> {
  /**
   * A learner that has seen nothing.
   *
   * @param config checked settings
   * @throws IllegalArgumentException if the memory has no room for the declared labels
   */
  public AutoLearner(AutoConfig config) {
    this(new AutoEngine(config));
  }

  AutoLearner(AutoEngine engine) {
    super(engine);
  }

  @Override
  public void learn(FeatureVector x, double y, double weight) {
    predictThenLearn(x, y, weight, NO_SCORES); // which its engine does in any case
  }

  @Override
  String phase() {
    if (isFitted()) {
      return "fitted to the whole stream";
    }
    return isEstimating() ? "estimating" : cells() > 0 ? "learning in cells" : "learning";
  }

  /** The configuration in use, with the parameters estimated so far. */
  @Override
  public LearnerConfig config() {
    return engine.config();
  }

  /** {@return the settings it was built with} */
  public AutoConfig settings() {
    return engine.settings();
  }

  /**
   * {@return the ranges of features that its kernels see, of what was learned so far, and how many
   * values lay beyond}
   */
  public Bounds bounds() {
    return engine.bounds();
  }

  /** {@return the scaling of features in use where no cell predicts} */
  public Scaling scaling() {
    return engine.scaling();
  }

  /**
   * {@return whether it is in the estimation period, its first instances, at whose end scaling,
   * kernel and intercept are chosen} Later a challenger that predicts better may change them.
   */
  public boolean isEstimating() {
    return engine.isBeginning();
  }

  /**
   * Says that the stream has ended, at least for now. If it was short, within the estimation period
   * and with at most as many instances as the budget, a model is fitted to all of them at once: γ,
   * the scaling and the regularisation have the smallest leave-one-out error. Predictions, {@link
   * #snapshot()} and the file have it until learning goes on, which it does as if this had not been
   * called. Otherwise, and where memory is bounded, nothing happens: the learner is up to date.
   *
   * <p>Takes about O(60·n³) for n instances: about a second for 500.
   */
  public void finish() {
    engine.finish();
  }

  /** {@return whether predictions come from a fit to all instances, made by {@link #finish()}} */
  public boolean isFitted() {
    return engine.isFitted();
  }

  /** {@return the number of cells that the space was last divided into; 0 while it is whole} */
  public int cells() {
    return engine.cells();
  }

  /** {@return the number of these cells whose own learner predicts} */
  public int predictingCells() {
    return engine.predictingCells();
  }

  /**
   * A contest between the candidate in use and its challengers, on the losses of the same
   * instances, each taken before a candidate learned from the instance.
   *
   * @param subject what is decided: {@code kernel}, {@code forgetting}, {@code renewal} of the
   *     whole learner, or {@code n cells} for the division into n
   * @param leader the candidate in use
   * @param instances number of instances that it was compared with the challengers on
   * @param loss its mean loss on them
   * @param challengers the other candidates; empty while there are none
   */
  public record ContestStatus(
      String subject, String leader, long instances, double loss, List<Challenger> challengers) {
    /**
     * Copies the challengers.
     *
     * @param subject what is decided
     * @param leader the candidate in use
     * @param instances number of instances compared
     * @param loss mean loss of the leader
     * @param challengers the other candidates
     */
    public ContestStatus {
      challengers = List.copyOf(challengers);
    }
  }

  /**
   * A candidate that is not in use.
   *
   * @param name the candidate
   * @param gain mean loss of the leader less its own: positive if it is better
   * @param standardErrors the gain in standard errors; 0 where it is not known, in the first 1,000
   *     instances
   */
  public record Challenger(String name, double gain, double standardErrors) {}

  /**
   * {@return the contests that decide what predicts, with their evidence so far} Those of single
   * cells are not listed; {@link #predictingCells()} counts the cells that won theirs.
   */
  public List<ContestStatus> contests() {
    Map<String, List<Evidence>> bySubject = new LinkedHashMap<>();
    for (Evidence one : engine.evidence()) {
      bySubject.computeIfAbsent(one.subject(), subject -> new ArrayList<>()).add(one);
    }
    return bySubject.values().stream().map(AutoLearner::status).toList();
  }

  private static ContestStatus status(List<Evidence> evidence) {
    List<Challenger> challengers = new ArrayList<>();
    for (Evidence one : evidence) {
      if (!one.challenger().isEmpty()) {
        challengers.add(new Challenger(one.challenger(), one.gain(), one.standardErrors()));
      }
    }
    Evidence first = evidence.get(0);
    return new ContestStatus(
        first.subject(), first.leader(), first.rows(), first.loss(), challengers);
  }

  /**
   * {@return how often the stream changed so much that a learner which began afresh predicted
   * better and went on in place of the one before}
   */
  public long renewals() {
    return engine.renewals();
  }

  /**
   * {@return the number of instances that changed the model of the whole space; it predicted the
   * others well enough to skip them, or a cell learned them}
   */
  public long learned() {
    return engine.leader().learned();
  }

  /** {@return the number of core points of the whole space that were replaced by a better one} */
  public long replaced() {
    return engine.leader().replaced();
  }

  /**
   * {@return a bound of what the budget has cost the model of the whole space so far, distances
   * being after scaling}
   */
  public Certificate certificate() {
    return SecondOrderLearner.certificate(engine.leader());
  }

  /**
   * {@return an upper bound of the bytes of heap it holds: engines, stored instances and the
   * scaling}
   */
  public long bytes() {
    return engine.bytes();
  }
}
