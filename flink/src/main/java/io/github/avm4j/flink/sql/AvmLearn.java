// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.sql;

import io.github.avm4j.config.Task;
import io.github.avm4j.feature.Row;
import io.github.avm4j.flink.record.EvaluatedRows;
import io.github.avm4j.flink.record.Formats;
import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Optional;
import org.apache.flink.metrics.Counter;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.dataview.MapView;
import org.apache.flink.table.catalog.DataTypeFactory;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.functions.FunctionContext;
import org.apache.flink.table.functions.ProcessTableFunction;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.inference.CallContext;
import org.apache.flink.table.types.inference.StateTypeStrategy;
import org.apache.flink.table.types.inference.StaticArgument;
import org.apache.flink.table.types.inference.StaticArgumentTrait;
import org.apache.flink.table.types.inference.TypeInference;
import org.apache.flink.table.types.inference.TypeStrategies;
import org.apache.flink.types.ColumnList;
import org.jspecify.annotations.Nullable;

/**
 * A table function that predicts each row, then learns from it: {@code SELECT * FROM
 * avm_learn(input => TABLE events PARTITION BY k, label => DESCRIPTOR(y))} for classes, {@code
 * target => …} for numbers. Rows come out with three more columns: {@code prediction}, made before
 * learning; {@code error} of the predictions so far, this one included; {@code learned}, the number
 * of rows learned from. Each partition has a learner of its own, in Flink's state. A row without a
 * label is predicted alone. See docs/sql.md.
 *
 * <p>Metric: {@code refusedRows}, rows that the learner did not accept; they are predicted alone.
 */
public final class AvmLearn extends ProcessTableFunction<RowData> {
  private static final long serialVersionUID = 1;
  private static final String INPUT = "input";
  private static final int ONLY = 0;

  /** Any other time, and none, has Flink copy every learner on every access to heap state. */
  private static final Duration FOR_EVER = Duration.ZERO;

  private transient @Nullable LearningColumns columns;
  private transient @Nullable Row cells;
  private transient @Nullable Counter refused;

  /** Called by Flink. */
  public AvmLearn() {}

  @Override
  public void open(FunctionContext context) {
    refused = context.getMetricGroup().counter("refusedRows");
  }

  /**
   * Predicts and learns one row; called by Flink.
   *
   * @param context of the call
   * @param state the partition's learner
   * @param row the row
   * @param label name of the column of classes; null if numbers are learned
   * @param target name of the column of numbers; null if classes are learned
   * @param features names of the columns to learn from; null for all others
   * @throws Exception if the state cannot be read or written
   */
  public void eval(
      Context context,
      MapView<Integer, EvaluatedRows> state,
      org.apache.flink.types.Row row,
      @Nullable ColumnList label,
      @Nullable ColumnList target,
      @Nullable ColumnList features)
      throws Exception {
    LearningColumns known = columns;
    if (known == null) {
      known = new LearningColumns(context.tableSemanticsFor(INPUT), label, target, features);
      columns = known;
    }
    EvaluatedRows learner = state.get(ONLY);
    if (learner == null) {
      learner = new EvaluatedRows(known.learner());
    }
    Row scratch = cells;
    if (scratch == null) {
      scratch = new Row();
      cells = scratch;
    }
    known.fill(row, scratch);
    double prediction = predictThenLearn(learner, known, scratch);
    state.put(ONLY, learner);
    collect(output(learner, prediction));
  }

  private double predictThenLearn(EvaluatedRows learner, LearningColumns known, Row row) {
    if (row.labelKind() != Row.Kind.MISSING) {
      try {
        return learner.step(known.names(), row);
      } catch (IllegalArgumentException e) {
        if (refused != null) {
          refused.inc();
        }
      }
    }
    return learner.predict(known.names(), row);
  }

  private static GenericRowData output(EvaluatedRows learner, double prediction) {
    Object named = null;
    if (!Double.isNaN(prediction)) {
      named =
          learner.rows().learner().task() == Task.CLASSIFICATION
              ? StringData.fromString(learner.rows().names().nameOf(prediction))
              : (Object) prediction;
    }
    long learned = learner.instances();
    return GenericRowData.of(named, learned == 0 ? null : (Object) learner.error(), learned);
  }

  @Override
  public TypeInference getTypeInference(DataTypeFactory types) {
    LinkedHashMap<String, StateTypeStrategy> state = new LinkedHashMap<>();
    DataType learner = DataTypes.RAW(EvaluatedRows.class, Formats.EVALUATED_ROWS);
    state.put(
        "learner",
        StateTypeStrategy.of(
            TypeStrategies.explicit(MapView.newMapViewDataType(DataTypes.INT(), learner)),
            FOR_EVER));
    return TypeInference.newBuilder()
        .staticArguments(
            StaticArgument.table(
                INPUT,
                org.apache.flink.types.Row.class,
                false,
                EnumSet.of(
                    StaticArgumentTrait.SET_SEMANTIC_TABLE,
                    StaticArgumentTrait.OPTIONAL_PARTITION_BY,
                    StaticArgumentTrait.PASS_COLUMNS_THROUGH)),
            StaticArgument.scalar("label", DataTypes.DESCRIPTOR(), true),
            StaticArgument.scalar("target", DataTypes.DESCRIPTOR(), true),
            StaticArgument.scalar("features", DataTypes.DESCRIPTOR(), true))
        .stateTypeStrategies(state)
        .outputTypeStrategy(AvmLearn::outputType)
        .build();
  }

  private static Optional<DataType> outputType(CallContext call) {
    LearningColumns known;
    try {
      known =
          new LearningColumns(
              call.getTableSemantics(0)
                  .orElseThrow(() -> new IllegalArgumentException("input => TABLE t is needed")),
              call.getArgumentValue(1, ColumnList.class).orElse(null),
              call.getArgumentValue(2, ColumnList.class).orElse(null),
              call.getArgumentValue(3, ColumnList.class).orElse(null));
    } catch (IllegalArgumentException e) {
      throw call.newValidationError("%s", e.getMessage());
    }
    boolean classes = known.task() == Task.CLASSIFICATION;
    return Optional.of(
        DataTypes.ROW(
                DataTypes.FIELD("prediction", classes ? DataTypes.STRING() : DataTypes.DOUBLE()),
                DataTypes.FIELD("error", DataTypes.DOUBLE()),
                DataTypes.FIELD("learned", DataTypes.BIGINT().notNull()))
            .bridgedTo(RowData.class));
  }
}
