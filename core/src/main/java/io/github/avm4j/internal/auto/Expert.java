// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Scaling;
import io.github.avm4j.internal.format.FileSize;
import io.github.avm4j.internal.newton.Labels;
import io.github.avm4j.internal.newton.SecondOrderEngine;
import io.github.avm4j.model.Decision;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.model.Model;
import io.github.avm4j.model.Provenance;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * A second-order engine and the view through which it is fed. It knows classes by their indices in
 * the whole learner, and perhaps not all of them; targets of a regression less an intercept.
 *
 * <p>After each row it gives the losses that decisions need, and the work it took.
 *
 * <p>An engine that skips what it knows stays less confident than it could be. So the scores it
 * gives are those of the engine times 1, 2 or 4, whichever has had the smallest log loss: the
 * temperature of the glossary, here sharpness.
 */
final class Expert {
  private static final double[] NO_SCORES = {};

  /** Rows over which the best sharpness is followed. */
  private static final double SHARPNESS_WINDOW = 2000;

  /** Powers of two that scores are multiplied by. */
  private static final int SHARPNESSES = 3;

  /** Bytes of objects, of a scaled feature and of a class's score and place. */
  private static final int OBJECTS = 400;

  private static final long SCALER = 8;
  private static final long CLASS = 24;

  /** Bytes of a file beside those of engine and view. */
  private static final int STATE = 80;

  private final Shape shape;
  private final View view;
  private final double median;
  private final double intercept;
  private final SecondOrderEngine engine;
  private final Setup setup;
  private final OutlierGuard guard = new OutlierGuard();
  private final Scaling.Scaler scaler;
  private final double[] sharpened = new double[SHARPNESSES];
  private final double[] means = new double[SHARPNESSES];
  private long sharpenedRows;
  private int sharpness;
  private double[] scores = NO_SCORES;
  private int[] places = {};
  private double factor = 1;
  private double sharpLoss;
  private double weight;
  private double taken;
  private double error;
  private double work;

  private Expert(
      Shape shape,
      View view,
      double median,
      double intercept,
      SecondOrderEngine engine,
      Setup setup) {
    this.shape = shape;
    this.view = view;
    this.median = median;
    this.intercept = intercept;
    this.engine = engine;
    this.setup = setup;
    this.scaler = new Scaling.Scaler(view.scaling());
  }

  /**
   * An expert that has learned nothing.
   *
   * @param settings all but the kernel
   * @param median of squared distances between rows in the view
   */
  static Expert of(
      Shape shape,
      View view,
      double median,
      double intercept,
      SecondOrderConfig settings,
      Setup setup) {
    SecondOrderConfig config = settings.toBuilder().kernel(shape.kernel(median)).build();
    return new Expert(shape, view, median, intercept, setup.engine(config), setup);
  }

  /** Takes over how far off predictions are, so that outliers are cut from the first row on. */
  Expert warned(Expert other) {
    guard.reach = other.guard.reach;
    guard.warned = true;
    return this;
  }

  /** An equal expert that goes on with another forgetting factor. */
  Expert forgetting(double changed) {
    SecondOrderConfig config = engine.config().toBuilder().forgetting(changed).build();
    Expert copy = new Expert(shape, view, median, intercept, engine.copy(config), setup);
    copy.guard.reach = guard.reach;
    copy.guard.warned = guard.warned;
    System.arraycopy(means, 0, copy.means, 0, SHARPNESSES);
    copy.sharpenedRows = sharpenedRows;
    copy.sharpness = sharpness;
    return copy;
  }

  /** Knows so many classes from now on, met or not. */
  void know(int classes) {
    while (engine.classes() < classes) {
      engine.addClass(engine.classes());
    }
  }

  /**
   * Predicts a row, then learns it.
   *
   * @param scored whether scores are wanted, for {@link #spread}: those before it was learned
   */
  double learn(FeatureVector x, double y, double rowWeight, boolean scored) {
    FeatureVector z = scaler.scale(x);
    boolean numbers = engine.task() == Task.REGRESSION;
    double target = numbers ? Setup.bounded(y - intercept) : y;
    int size = engine.size();
    weight = rowWeight;
    double[] columns = engine.ask(z, target, weight);
    double prediction = Decision.predict(engine, columns, engine.columns());
    if (scored) {
      Decision.spread(engine, columns, engine.columns(), scratch());
      factor = 1 << sharpness;
    }
    if (numbers) {
      double cut = guard.cut(prediction, target, engine.instances());
      taken = cut == target ? y : cut + intercept;
      target = cut;
    } else {
      taken = y;
    }
    engine.step(z, target, engine.worth(weight));
    double miss = prediction - target;
    error = Math.min(Challenge.LARGEST, weight * (numbers ? miss * miss : miss == 0 ? 0 : 1));
    sharpLoss = numbers ? error : sharpened(target);
    work = elements(z.count(), size);
    setup.pass(work);
    return prediction + intercept;
  }

  /**
   * Elements that a row passed over: distances, a product and a change for each class, half of two
   * matrices twice where a point was added or replaced, and of one otherwise.
   */
  private double elements(int features, int points) {
    double scores = (double) points * (features + engine.columns());
    if (engine.hasSkipped()) {
      return scores;
    }
    boolean one = engine.size() == points && engine.config().forgetting() == 1;
    return scores + (double) points * engine.columns() + (one ? 1.0 : 2) * points * points;
  }

  /** The log loss at the sharpness that has served best so far, this row included. */
  private double sharpened(double target) {
    Arrays.fill(sharpened, 0);
    engine.addLosses(target, weight, sharpened);
    sharpenedRows++;
    double rate = Math.max(1.0 / sharpenedRows, 1 / SHARPNESS_WINDOW);
    int best = 0;
    for (int p = 0; p < SHARPNESSES; p++) {
      sharpened[p] = Math.min(Challenge.LARGEST, sharpened[p]);
      means[p] += rate * (sharpened[p] - means[p]);
      best = means[p] < means[best] ? p : best;
    }
    sharpness = best;
    return sharpened[best];
  }

  double predict(FeatureVector x) {
    return engine.predict(scaler.scale(x)) + intercept;
  }

  /**
   * The value of {@code score} of a predictor of all classes.
   *
   * @param ofAll whether it knows all classes, in their order
   */
  double score(FeatureVector x, int classes, boolean ofAll) {
    FeatureVector z = scaler.scale(x);
    double times = 1 << sharpness;
    if (engine.task() == Task.REGRESSION) {
      return engine.score(z) + intercept;
    }
    if (ofAll) {
      return times * engine.score(z);
    }
    engine.scores(z, scratch());
    for (int c = 0; c < engine.classes(); c++) {
      scores[c] *= times;
    }
    return Decision.score(scores, places, classes);
  }

  /** Computes the scores of a row, for {@link #spread}. */
  void score(FeatureVector x) {
    engine.scores(scaler.scale(x), scratch());
    factor = 1 << sharpness;
  }

  /** Room for scores, and the place of each; a row learned may bring a class more. */
  private double[] scratch() {
    int classes = engine.classes();
    if (scores.length < Math.max(1, classes)) {
      scores = new double[classes + 1];
    }
    if (places.length != classes) {
      places = new int[classes];
      for (int c = 0; c < classes; c++) {
        places[c] = (int) engine.label(c);
      }
    }
    return scores;
  }

  /** Writes the scores last computed, one for each class of the whole learner. */
  void spread(double[] out, int classes) {
    if (engine.task() == Task.REGRESSION) {
      out[0] = scores[0] + intercept;
      return;
    }
    for (int c = 0; c < places.length; c++) {
      scores[c] *= factor;
    }
    factor = 1;
    Decision.place(scores, places, classes, out);
  }

  /** The target of the row last learned as it was taken: cut if it is an outlier. */
  double taken() {
    return taken;
  }

  /** Of the row last learned: its weight for a mistake, or the weighted squared error. */
  double error() {
    return error;
  }

  /** Its weighted log loss, 0 where it was skipped, or squared error. */
  double regret() {
    return engine.task() == Task.REGRESSION
        ? error
        : Math.min(Challenge.LARGEST, weight * engine.lastRegret());
  }

  /** Its weighted log loss of scores as sharp as has served best, or squared error. */
  double sharpLoss() {
    return sharpLoss;
  }

  /** Elements that the row last learned passed over. */
  double work() {
    return work;
  }

  Shape shape() {
    return shape;
  }

  View view() {
    return view;
  }

  /** The median of squared distances between rows that its kernel was made for. */
  double median() {
    return median;
  }

  double intercept() {
    return intercept;
  }

  SecondOrderEngine engine() {
    return engine;
  }

  /** The distance over which its kernel falls. */
  double width() {
    return (shape.fixed() ? 1 : view.headroom()) * Shape.width(engine.kernel);
  }

  /** What it has learned, with the labels of the learner. */
  Model model(Labels labels, List<Double> declared, long instances) {
    double[] own = new double[engine.classes()];
    Arrays.setAll(own, c -> labels.label((int) engine.label(c)));
    return new Model(
            engine.config().withLabels(declared),
            Provenance.here(instances),
            own,
            engine.set().copy(),
            engine.outputCoefficients(),
            view.scaling(),
            intercept)
        .times(engine.task() == Task.REGRESSION ? 1 : 1 << sharpness);
  }

  /** Bytes of heap, at most; those of a view that others share are counted once. */
  long bytes(Set<View> counted) {
    return engine.bytes()
        + OBJECTS
        + SCALER * view.scaling().dimension()
        + CLASS * engine.classes()
        + (counted.add(view) ? view.bytes() : 0);
  }

  /** About its bytes in a file; a view that others share is written once. */
  long fileBytes(Set<View> written) {
    return FileSize.of(engine) + STATE + (written.add(view) ? view.fileBytes() : 0);
  }

  void write(StateWriter out) {
    out.shape(shape);
    out.view(view);
    out.f64(median);
    out.f64(intercept);
    out.f64(guard.reach);
    out.flag(guard.warned);
    out.u8(sharpness);
    out.i64(sharpenedRows);
    for (double mean : means) {
      out.f64(mean);
    }
    out.engine(engine);
  }

  static Expert read(StateReader in) throws InvalidModelException {
    Shape shape = in.shape();
    View view = in.view();
    double median = in.positive("median distance");
    double intercept = in.f64("intercept");
    double reach = in.positive("reach of residuals");
    boolean warned = in.flag("warned");
    int sharpness = in.code("sharpness", SHARPNESSES);
    long rows = in.count("rows");
    double[] means = new double[SHARPNESSES];
    for (int p = 0; p < SHARPNESSES; p++) {
      means[p] = in.positive("mean loss");
    }
    Expert expert = new Expert(shape, view, median, intercept, in.engine(), in.setup());
    if (!in.setup().isRegression() && intercept != 0) {
      throw new InvalidModelException("only a regression has an intercept");
    }
    expert.guard.reach = reach;
    expert.guard.warned = warned;
    expert.sharpness = sharpness;
    expert.sharpenedRows = rows;
    System.arraycopy(means, 0, expert.means, 0, SHARPNESSES);
    return expert;
  }
}
