// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.learn;

import io.github.avm4j.feature.SchemaFitter;
import io.github.avm4j.pipeline.RowLearner;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Rows about people, what they turn out to be, and the learner that learned them in a loop. */
final class TaughtRows {
  private static final List<String> CITIES = List.of("Oslo", "Lima", "Rome", "Turin");

  private final Random random;
  private final List<Map<String, Object>> rows = new ArrayList<>();
  private final List<String> labels = new ArrayList<>();

  TaughtRows(long seed) {
    random = new Random(seed);
  }

  /** A row: young or old, of one of four cities, its size with decimals that must survive. */
  Map<String, Object> next() {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("age", 20 + random.nextInt(50));
    row.put("city", CITIES.get(random.nextInt(4)));
    row.put("size", random.nextGaussian() / 3);
    if (random.nextInt(10) > 0) {
      row.put("since", "20%02d-03-04".formatted(10 + random.nextInt(10)));
    }
    return row;
  }

  static String label(Map<String, Object> row) {
    boolean young = (int) row.get("age") < 45;
    return young == (CITIES.indexOf((String) row.get("city")) < 2) ? "yes" : "no";
  }

  static String json(Map<String, Object> row) {
    StringBuilder json = new StringBuilder("{");
    row.forEach(
        (name, value) ->
            json.append(json.length() > 1 ? "," : "")
                .append('"')
                .append(name)
                .append("\":")
                .append(value instanceof String ? "\"" + value + "\"" : value));
    return json.append('}').toString();
  }

  static String json(Map<String, Object> row, String label) {
    String json = json(row);
    return json.substring(0, json.length() - 1) + ",\"label\":\"" + label + "\"}";
  }

  /** The server has said that it learned this. */
  void acknowledged(Map<String, Object> row) {
    rows.add(row);
    labels.add(label(row));
  }

  int size() {
    return rows.size();
  }

  /** What one learner is that learned every acknowledged row, in order. */
  byte[] learned() {
    List<Map<String, Object>> first = rows.subList(0, Math.min(100, rows.size()));
    SchemaFitter fitter = new SchemaFitter(SchemaFitter.columns(first, 100), Map.of());
    first.forEach(fitter::add);
    RowLearner learner = RowLearner.classifier(fitter.fit()).build();
    for (int k = 0; k < rows.size(); k++) {
      learner.learn(rows.get(k), labels.get(k));
    }
    return learner.toBytes();
  }
}
