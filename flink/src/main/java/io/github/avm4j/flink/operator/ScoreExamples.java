// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.GrowingSchema;
import io.github.avm4j.flink.record.Example;
import io.github.avm4j.flink.record.Formats;
import io.github.avm4j.flink.record.ModelVersion;
import io.github.avm4j.flink.record.Prediction;
import io.github.avm4j.flink.record.PredictionRange;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.model.Model;
import io.github.avm4j.pipeline.RowModel;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ReadOnlyBroadcastState;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.functions.co.BroadcastProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;

/**
 * Predicts examples with the newest model of a name, in any job: connect the examples with the
 * models broadcast under {@link #MODELS}.
 *
 * <pre>{@code
 * examples
 *     .connect(models.broadcast(ScoreExamples.MODELS))
 *     .process(new ScoreExamples("flights"));
 * }</pre>
 *
 * <p>The model is state: after a restart the first example is predicted with the model of the
 * checkpoint, not after the next one arrives. Examples that come before any model go to {@link
 * #UNSCORED} at once; nothing is held back. A model that cannot be read is counted and the one
 * before stays. Metrics: {@code modelVersion}, {@code predictions}, {@code unpredicted}, {@code
 * unreadableModels}.
 */
public final class ScoreExamples
    extends BroadcastProcessFunction<Example, ModelVersion, Prediction> {
  /** The broadcast state: models by name. */
  public static final MapStateDescriptor<String, ModelVersion> MODELS =
      new MapStateDescriptor<>("avm-models", Types.STRING, Formats.MODEL_VERSION.type());

  /** Side output of examples that no model could predict. */
  public static final OutputTag<Example> UNSCORED =
      new OutputTag<>("unscored", Formats.EXAMPLE.type());

  private static final long serialVersionUID = 1;

  private final String name;
  private final double level;

  private transient @Nullable RowModel model;
  private transient @Nullable GrowingSchema fills;
  private transient long version;
  private transient long instances;
  private transient @Nullable Counter predictions;
  private transient @Nullable Counter unscored;
  private transient @Nullable Counter unreadable;

  /**
   * Predicts with the model called {@code name}.
   *
   * @param name name of the model
   */
  public ScoreExamples(String name) {
    this(name, 0);
  }

  /**
   * Predicts with the model called {@code name}, with intervals or prediction sets. A model that
   * does not keep the level predicts without.
   *
   * @param name name of the model
   * @param level coverage of intervals or prediction sets; 0 for none
   */
  public ScoreExamples(String name, double level) {
    this.name = name;
    this.level = level;
  }

  @Override
  public void open(OpenContext context) {
    var metrics = getRuntimeContext().getMetricGroup();
    metrics.gauge("modelVersion", () -> version);
    predictions = metrics.counter("predictions");
    unscored = metrics.counter("unpredicted");
    unreadable = metrics.counter("unreadableModels");
  }

  @Override
  public void processElement(Example example, ReadOnlyContext context, Collector<Prediction> out)
      throws Exception {
    if (model == null) {
      restore(context.getBroadcastState(MODELS));
    }
    RowModel newest = model;
    Prediction prediction =
        newest == null || fills == null
            ? null
            : predict(newest.model(), fills.filled(example.x(), false), example);
    if (prediction == null) {
      count(unscored);
      context.output(UNSCORED, example);
      return;
    }
    count(predictions);
    out.collect(prediction);
  }

  /** Null if the model cannot predict it. */
  private @Nullable Prediction predict(Model newest, FeatureVector x, Example example) {
    try {
      if (level == 0) {
        double value = newest.predict(x);
        return Double.isNaN(value) ? null : Prediction.of(example, value, instances, null);
      }
      PredictionRange range = new PredictionRange(newest, level);
      double value;
      if (newest.task() == Task.REGRESSION) {
        value = newest.predict(x);
      } else {
        newest.scores(x, range.scores());
        value = range.winner();
      }
      return Double.isNaN(value)
          ? null
          : Prediction.of(example, value, instances, range.around(value));
    } catch (RuntimeException e) {
      return null;
    }
  }

  private static void count(@Nullable Counter counter) {
    if (counter != null) {
      counter.inc();
    }
  }

  private void restore(ReadOnlyBroadcastState<String, ModelVersion> models) throws Exception {
    ModelVersion kept = models.get(name);
    if (kept != null) {
      use(kept);
    }
  }

  private void use(ModelVersion newest) throws InvalidModelException {
    model = RowModel.read(newest.file());
    fills = new GrowingSchema(model.schema());
    version = newest.version();
    instances = newest.instances();
  }

  @Override
  public void processBroadcastElement(
      ModelVersion newest, Context context, Collector<Prediction> out) throws Exception {
    if (!newest.name().equals(name)) {
      return;
    }
    try {
      use(newest);
    } catch (InvalidModelException e) {
      count(unreadable);
      return;
    }
    context.getBroadcastState(MODELS).put(name, newest);
  }
}
