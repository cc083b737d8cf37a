// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.avm4j.baselines.comparison.ComparisonChart;
import io.github.avm4j.lab.baselines.PaperMethods;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** The paper's figures as SVG files. */
final class Figures {
  private final Results results;
  private final Path folder;

  Figures(Results results, Path folder) throws IOException {
    this.results = results;
    this.folder = Files.createDirectories(folder);
  }

  /** Error and time over the rows, and error over time; returns the names of the files. */
  List<String> online(ExperimentData data, ReportTable table, String measure) throws IOException {
    ComparisonChart error = new ComparisonChart(data.name(), "rows", measure + " so far", false);
    ComparisonChart time = new ComparisonChart(data.name(), "rows", "seconds of processor", false);
    ComparisonChart both =
        new ComparisonChart(data.name(), "seconds of processor", measure + " so far", true);
    List<String> methods = new ArrayList<>(table.methods());
    methods.removeAll(PaperMethods.OURS);
    methods.addAll(0, PaperMethods.OURS);
    for (int place = 0; place < methods.size(); place++) {
      String method = methods.get(place);
      if (table.methods().contains(method)) {
        Runs runs = table.runs(method);
        String title = Plan.title(method, data.task());
        error.add(title, runs.curve(0), runs.curve(1), place);
        time.add(title, runs.curve(0), runs.curve(2), place);
        both.add(title, runs.curve(2), runs.curve(1), place);
      }
    }
    return List.of(
        write(data.name() + "-error.svg", error),
        write(data.name() + "-time.svg", time),
        write(data.name() + "-error-time.svg", both));
  }

  private String write(String name, ComparisonChart chart) throws IOException {
    Files.writeString(folder.resolve(name), chart.toSvg());
    return name;
  }

  /** A figure with one line a method (or β) over what is varied; empty if nothing was run. */
  List<String> studied(String study, ExperimentData data) throws IOException {
    return switch (study) {
      case Plan.BUDGET ->
          List.of(
              varied(study, data, "B", "error", "mistakes %"),
              varied(study, data, "B", "cpuSeconds", "seconds of processor"));
      case Plan.DELTA ->
          List.of(
              varied(study, data, "delta", "error", "mistakes %"),
              varied(study, data, "delta", "size", "core points"));
      default -> List.of(varied(study, data, "rho", "error", "mistakes %"));
    };
  }

  private String varied(String study, ExperimentData data, String axis, String field, String label)
      throws IOException {
    String ours = Plan.title("avm", data.task());
    Map<String, Map<Double, List<Double>>> lines =
        // Ours first, for the first line is drawn bold. β by its size: 10.00 comes after 8.89.
        new TreeMap<>(
            Comparator.comparing((String name) -> !name.equals(ours))
                .thenComparingInt(String::length)
                .thenComparing(name -> name));
    TreeSet<Double> places = new TreeSet<>();
    List<JsonNode> fixed = new ArrayList<>();
    for (JsonNode node : results.all()) {
      boolean wanted =
          node.get("study").asText().equals(study)
              && node.get("data").asText().equals(data.name())
              && node.get("status").asText().equals("done");
      if (wanted && node.get("variant").asText().isEmpty()) {
        fixed.add(node);
      } else if (wanted) {
        double place = place(node.get("variant").asText(), axis);
        places.add(place);
        lines
            .computeIfAbsent(name(node, data), k -> new TreeMap<>())
            .computeIfAbsent(place, k -> new ArrayList<>())
            .add(node.get(field).asDouble());
      }
    }
    for (JsonNode node : fixed) {
      for (double place : places) {
        lines
            .computeIfAbsent(name(node, data), k -> new TreeMap<>())
            .computeIfAbsent(place, k -> new ArrayList<>())
            .add(node.get(field).asDouble());
      }
    }
    ComparisonChart chart = new ComparisonChart(data.name(), axis, label, axis.equals("B")).whole();
    int line = 0;
    for (Map.Entry<String, Map<Double, List<Double>>> entry : lines.entrySet()) {
      Map<Double, List<Double>> points = entry.getValue();
      chart.add(
          entry.getKey(),
          points.keySet().stream().mapToDouble(v -> v).toArray(),
          points.values().stream()
              .mapToDouble(list -> list.stream().mapToDouble(v -> v).average().orElse(0))
              .toArray(),
          line++);
    }
    return write(study + "-" + data.name() + "-" + field + ".svg", chart);
  }

  private static String name(JsonNode node, ExperimentData data) {
    String variant = node.get("variant").asText();
    return variant.startsWith("beta")
        ? variant.substring(0, variant.indexOf(' ')).replace("beta=", "β = ")
        : Plan.title(node.get("method").asText(), data.task());
  }

  private static double place(String variant, String axis) {
    for (String part : variant.split(" ", -1)) {
      if (part.startsWith(axis + "=")) {
        return Double.parseDouble(part.substring(axis.length() + 1));
      }
    }
    throw new IllegalArgumentException("'" + variant + "' does not say " + axis);
  }
}
