// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.models;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.model.Model;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Warms up the JIT compiler before the port opens: until Java has compiled its vector loops a model
 * takes a hundred times as long to predict. Runs once per process, for a second or until it gets no
 * faster, at most four; models that are loaded later find the loops compiled.
 */
public final class WarmUp {
  private static final AtomicBoolean DONE = new AtomicBoolean();
  private static final long NANOS = 250_000_000;
  private static final int LEAST = 4;
  private static final int MOST = 16;
  private static final int ROUND = 16;
  private static final int MOST_POINTS = 512;

  /** A model and instances that reach its cells. */
  private record Warmed(Model model, List<FeatureVector> points) {}

  private WarmUp() {}

  /** Nanoseconds of the first and the last prediction; both 0 if nothing was done. */
  public record Result(long first, long last) {}

  /** Predicts the core points of the newest version of every model. */
  public static Result run(ModelRepository repository) {
    List<Warmed> models = new ArrayList<>();
    for (Shelf shelf : repository.shelves()) {
      ServedModel current = shelf.current();
      if (current != null && current.rows().model().size() > 0) {
        Model model = current.rows().model();
        models.add(new Warmed(model, CorePoints.spread(model, MOST_POINTS)));
      }
    }
    return models.isEmpty() || DONE.getAndSet(true) ? new Result(0, 0) : run(models);
  }

  private static Result run(List<Warmed> models) {
    long first = once(models.get(0), 0);
    long before = Long.MAX_VALUE;
    long best = first;
    for (int period = 0; period < LEAST || (period < MOST && best < 0.9 * before); period++) {
      before = best;
      best = period(models);
    }
    return new Result(first, best);
  }

  private static long period(List<Warmed> models) {
    long best = Long.MAX_VALUE;
    long begun = System.nanoTime();
    for (long k = 0; System.nanoTime() - begun < NANOS; k++) {
      best = Math.min(best, once(models.get((int) (k % models.size())), k / models.size()));
    }
    return best;
  }

  private static long once(Warmed warmed, long k) {
    Model model = warmed.model;
    FeatureVector x = warmed.points.get((int) (k % warmed.points.size()));
    double[] scores = new double[Math.max(1, model.classes())];
    long before = System.nanoTime();
    for (int i = 0; i < ROUND; i++) {
      model.scores(x, scores);
    }
    return (System.nanoTime() - before) / ROUND;
  }
}
