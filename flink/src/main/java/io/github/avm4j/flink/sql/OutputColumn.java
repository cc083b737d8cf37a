// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.sql;

import java.util.ArrayList;
import java.util.List;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.catalog.Column;
import org.apache.flink.table.catalog.ResolvedSchema;
import org.apache.flink.table.types.logical.LogicalTypeRoot;

/** What a column of a model's OUTPUT holds. */
enum OutputColumn {
  /** The predicted class by name. */
  CLASS,
  /** The predicted number. */
  NUMBER,
  /** The probability of the predicted class. */
  PROBABILITY,
  /** The file or version that predicted. */
  MODEL;

  /**
   * The columns of an OUTPUT clause.
   *
   * @throws ValidationException that says what can be asked
   */
  static List<OutputColumn> of(ResolvedSchema schema) {
    List<OutputColumn> outputs = new ArrayList<>();
    for (Column column : schema.getColumns()) {
      LogicalTypeRoot type = column.getDataType().getLogicalType().getTypeRoot();
      String name = column.getName();
      if (outputs.isEmpty() && type == LogicalTypeRoot.VARCHAR) {
        outputs.add(CLASS);
      } else if (outputs.isEmpty() && type == LogicalTypeRoot.DOUBLE) {
        outputs.add(NUMBER);
      } else if (name.equalsIgnoreCase("probability") && type == LogicalTypeRoot.DOUBLE) {
        outputs.add(PROBABILITY);
      } else if (name.equalsIgnoreCase("model") && type == LogicalTypeRoot.VARCHAR) {
        outputs.add(MODEL);
      } else {
        throw new ValidationException(
            "OUTPUT: a model cannot fill "
                + name
                + " "
                + column.getDataType()
                + "; the first column is the prediction, STRING for a class or DOUBLE for a number,"
                + " then may come 'probability DOUBLE' and 'model STRING'");
      }
    }
    return List.copyOf(outputs);
  }
}
