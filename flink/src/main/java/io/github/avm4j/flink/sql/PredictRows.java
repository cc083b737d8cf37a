// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.sql;

import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Row;
import io.github.avm4j.feature.RowEncoder;
import io.github.avm4j.follow.NewestModel;
import io.github.avm4j.follow.NewestModel.Loaded;
import io.github.avm4j.model.Model;
import io.github.avm4j.pipeline.RowModel;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.functions.FunctionContext;
import org.apache.flink.table.functions.PredictFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Predicts rows with the newest model of a source. Public because code that Flink generates calls
 * it. Metrics: {@code swappedModels}, {@code refusedModels}.
 */
public final class PredictRows extends PredictFunction {
  private static final long serialVersionUID = 1;
  private static final Logger LOG = LoggerFactory.getLogger(PredictRows.class);

  private final ModelOptions options;
  private final SqlCells inputs;
  private final ArrayList<OutputColumn> outputs;

  private transient @Nullable NewestModel newest;
  private transient @Nullable Bound bound;

  PredictRows(ModelOptions options, SqlCells inputs, List<OutputColumn> outputs) {
    this.options = options;
    this.inputs = inputs;
    this.outputs = new ArrayList<>(outputs);
  }

  @Override
  public void open(FunctionContext context) throws Exception {
    NewestModel made =
        new NewestModel(
            options.model(),
            rows -> ModelFit.check(rows, inputs, outputs),
            new Told(context.getMetricGroup()));
    made.follow(options.open(made), options.reload());
    newest = made;
  }

  /** Logs and counts what happens to the model. */
  static final class Told implements NewestModel.Listener {
    private final Counter swapped;
    private final Counter refused;

    Told(MetricGroup metrics) {
      swapped = metrics.counter("swappedModels");
      refused = metrics.counter("refusedModels");
    }

    @Override
    public void used(Loaded now, @Nullable Loaded before) {
      if (before != null) {
        swapped.inc();
        LOG.info("predicting with {} from now on", now.arrival());
      }
    }

    @Override
    public void refused(String reason) {
      refused.inc();
      LOG.warn("a model is not used, and the one before stays: {}", reason);
    }
  }

  @Override
  public void close() {
    if (newest != null) {
      newest.close();
    }
  }

  @Override
  public Collection<RowData> predict(RowData row) {
    if (newest == null) {
      throw new IllegalStateException("not open");
    }
    Loaded model = newest.get();
    Bound now = bound;
    if (now == null || !now.loaded.equals(model)) {
      now = new Bound(model, inputs);
      bound = now;
    }
    return List.of(now.predict((GenericRowData) row, inputs, outputs));
  }

  /** A model with the scratch of this thread. */
  static final class Bound {
    private final Loaded loaded;
    private final StringData from;
    private final RowEncoder encoder;
    private final Row cells = new Row();
    private final double[] probabilities;

    Bound(Loaded loaded, SqlCells inputs) {
      this.loaded = loaded;
      this.from = StringData.fromString(loaded.arrival().source());
      RowModel rows = loaded.rows();
      this.encoder = rows.schema().encoder(rows.schema().isNumbered() ? List.of() : inputs.names());
      this.probabilities = new double[rows.model().classes()];
    }

    /** One field for each output column. */
    GenericRowData predict(GenericRowData row, SqlCells inputs, List<OutputColumn> outputs) {
      Model model = loaded.rows().model();
      if (loaded.rows().schema().isNumbered()) {
        inputs.number(row::getField, cells);
      } else {
        inputs.fill(row::getField, cells);
      }
      FeatureVector x = encoder.encode(cells);
      double prediction = model.predict(x);
      GenericRowData out = new GenericRowData(outputs.size());
      for (int k = 0; k < outputs.size(); k++) {
        out.setField(
            k,
            switch (outputs.get(k)) {
              case CLASS -> StringData.fromString(loaded.rows().name(prediction));
              case NUMBER -> number(prediction);
              case PROBABILITY -> probability(model, x, prediction);
              case MODEL -> from;
            });
      }
      return out;
    }

    private double number(double prediction) {
      RowModel rows = loaded.rows();
      return rows.model().task() == Task.REGRESSION
          ? prediction
          : Double.parseDouble(rows.name(prediction));
    }

    private double probability(Model model, FeatureVector x, double prediction) {
      model.probabilities(x, probabilities);
      for (int j = 0; j < probabilities.length; j++) {
        if (model.label(j) == prediction) {
          return probabilities[j];
        }
      }
      return Double.NaN;
    }
  }
}
