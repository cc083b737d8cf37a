// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.sql;

import java.util.List;
import java.util.Set;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.catalog.Column;
import org.apache.flink.table.catalog.ResolvedCatalogModel;
import org.apache.flink.table.catalog.ResolvedSchema;
import org.apache.flink.table.factories.FactoryUtil;
import org.apache.flink.table.factories.ModelProviderFactory;
import org.apache.flink.table.functions.PredictFunction;
import org.apache.flink.table.ml.ModelProvider;
import org.apache.flink.table.ml.PredictRuntimeProvider;

/**
 * Models for {@code ML_PREDICT} that predict inside Flink: {@code CREATE MODEL m INPUT (…) OUTPUT
 * (…) WITH ('provider' = 'avm', 'path' = …)}. Options: {@code path} or {@code topic}, {@code
 * model}, {@code reload}, {@code properties.*}. See docs/sql.md.
 */
public final class AvmModelFactory implements ModelProviderFactory {
  /** Called by Flink. */
  public AvmModelFactory() {}

  @Override
  public String factoryIdentifier() {
    return "avm";
  }

  @Override
  public Set<ConfigOption<?>> requiredOptions() {
    return Set.of();
  }

  @Override
  public Set<ConfigOption<?>> optionalOptions() {
    return Set.of(ModelOptions.PATH, ModelOptions.TOPIC, ModelOptions.MODEL, ModelOptions.RELOAD);
  }

  @Override
  public ModelProvider createModelProvider(Context context) {
    FactoryUtil.ModelProviderFactoryHelper helper =
        FactoryUtil.createModelProviderFactoryHelper(this, context);
    helper.validateExcept(ModelOptions.KAFKA);
    ResolvedCatalogModel model = context.getCatalogModel();
    ModelOptions options = new ModelOptions(helper.getOptions(), model.getOptions());
    SqlCells inputs = inputs(model.getResolvedInputSchema());
    List<OutputColumn> outputs = OutputColumn.of(model.getResolvedOutputSchema());
    return new Provider(options, inputs, outputs);
  }

  private static SqlCells inputs(ResolvedSchema schema) {
    SqlCells cells = new SqlCells();
    int position = 0;
    for (Column column : schema.getColumns()) {
      try {
        cells.add(column.getName(), column.getDataType().getLogicalType(), position++);
      } catch (IllegalArgumentException e) {
        throw new ValidationException("INPUT: " + e.getMessage(), e);
      }
    }
    return cells;
  }

  /** Makes the function of each query. */
  private record Provider(ModelOptions options, SqlCells inputs, List<OutputColumn> outputs)
      implements PredictRuntimeProvider {
    @Override
    public PredictFunction createPredictFunction(ModelProvider.Context context) {
      return new PredictRows(options, inputs, outputs);
    }

    @Override
    public ModelProvider copy() {
      return this;
    }
  }
}
