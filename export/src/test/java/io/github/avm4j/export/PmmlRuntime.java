// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.export;

import io.github.avm4j.feature.Column;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Row;
import io.github.avm4j.pipeline.RowModel;
import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jpmml.evaluator.Classification;
import org.jpmml.evaluator.Evaluator;
import org.jpmml.evaluator.EvaluatorUtil;
import org.jpmml.evaluator.LoadingModelEvaluatorBuilder;

/** A file in the real PMML evaluator. */
final class PmmlRuntime {
  private final Evaluator evaluator;

  PmmlRuntime(byte[] file) throws Exception {
    evaluator =
        new LoadingModelEvaluatorBuilder().load(new ByteArrayInputStream(file)).build().verify();
  }

  Answers ask(RowModel model, List<String> columns, List<Row> rows) {
    String target = evaluator.getTargetFields().get(0).getName();
    List<String> labels = new ArrayList<>();
    double[][] scores = new double[rows.size()][Math.max(1, model.model().classes())];
    for (int i = 0; i < scores.length; i++) {
      Object answer = evaluator.evaluate(cells(model, columns, rows.get(i))).get(target);
      if (answer instanceof Classification<?, ?> classes) {
        labels.add(classes.getResult().toString());
        for (int j = 0; j < scores[i].length; j++) {
          scores[i][j] = -value(classes, model.name(model.model().label(j)));
        }
      } else {
        scores[i][0] = ((Number) EvaluatorUtil.decode(answer)).doubleValue();
      }
    }
    return new Answers(labels, scores, new double[0][]);
  }

  @SuppressWarnings("unchecked")
  private static double value(Classification<?, ?> classes, String name) {
    return ((Classification<Object, ?>) classes).getValue(name);
  }

  private static Map<String, Object> cells(RowModel model, List<String> columns, Row row) {
    Map<String, Object> cells = new HashMap<>();
    FeatureVector x = row.features();
    for (int k = 0; k < x.count(); k++) {
      cells.put("x" + (x.indices()[k] + 1), x.values()[k]);
    }
    for (Column column : model.schema().columns()) {
      int cell = columns.indexOf(column.name());
      if (column.width() > 0 && row.kind(cell) != Row.Kind.MISSING) {
        cells.put(
            column.name(),
            switch (column.kind()) {
              case CATEGORY -> row.text(cell);
              case DATE -> OnnxRuntime.seconds(row, cell);
              default -> row.number(cell);
            });
      }
    }
    return cells;
  }
}
