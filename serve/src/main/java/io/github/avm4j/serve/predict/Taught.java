// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.predict;

import io.github.avm4j.serve.http.Call;
import io.github.avm4j.serve.http.Permission;
import io.github.avm4j.serve.http.Problem;
import io.github.avm4j.serve.learn.JsonRows;
import io.github.avm4j.serve.learn.Learning;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The model that callers teach.
 *
 * @param learning learns
 */
public record Taught(Learning learning) {
  /** Whether a request is for it. */
  boolean isMeant(@Nullable String model, @Nullable String version) {
    boolean named = model == null || model.isEmpty() || model.equals(learning.name());
    return named && (version == null || version.isEmpty());
  }

  /**
   * Lets the rows of a request wait for their labels, if its caller may teach.
   *
   * @param most how many rows are allowed
   * @return an id per row, and whether it was one row, not an array of them
   */
  Ids await(Call call, int most) {
    boolean may = call.allows(Permission.LEARN);
    JsonRows.Read read = JsonRows.read(call.body(), most);
    List<String> ids = new ArrayList<>(1);
    read.rows().forEach(this::check);
    for (Map<String, String> row : read.rows()) {
      ids.add(may ? add(row) : read.single() ? call.id() : Predict.rowId(call.id(), ids.size()));
    }
    return new Ids(read.single(), ids);
  }

  /** Ids of rows. */
  record Ids(boolean single, List<String> rows) {}

  private void check(Map<String, String> row) {
    JsonRows.check(row);
    for (String truth : List.of("label", "target")) {
      if (row.containsKey(truth) && learning.target().isEmpty()) {
        throw Problem.badRequest(
            "the row has a cell \""
                + truth
                + "\", which is what is to be predicted: leave it out here, and send it to"
                + " /v1/label, or the whole row to /v1/learn");
      }
    }
  }

  private String add(Map<String, String> row) {
    try {
      return learning.waiting().add(row);
    } catch (IllegalArgumentException e) {
      throw Problem.tooLarge(String.valueOf(e.getMessage()));
    }
  }
}
