// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.report;

import io.github.avm4j.baselines.Method;
import io.github.avm4j.baselines.comparison.ComparisonChart;
import io.github.avm4j.baselines.comparison.PrequentialRun;
import io.github.avm4j.cli.text.Html;
import io.github.avm4j.config.Task;
import io.github.avm4j.evaluation.CurvePoint;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Results of several methods on the same rows, as text, charts and an HTML page.
 *
 * @param files names of the files
 * @param task the task
 * @param rows number of rows
 * @param entries methods in the order of the command line
 * @param errors of each method in that order, one for each permutation
 */
public record Comparison(
    List<String> files, Task task, int rows, List<Entry> entries, List<List<Double>> errors) {

  /**
   * Result of one method.
   *
   * @param parameters parameters chosen by the search
   * @param tried settings among which they were chosen
   */
  public record Entry(Method method, String parameters, int tried, PrequentialRun run) {}

  /** The comparison of one permutation. */
  public Comparison(List<String> files, Task task, int rows, List<Entry> entries) {
    this(files, task, rows, entries, ofOne(entries));
  }

  private static List<List<Double>> ofOne(List<Entry> entries) {
    return entries.stream().map(entry -> List.of(entry.run().end().error())).toList();
  }

  public Comparison {
    files = List.copyOf(files);
    entries = List.copyOf(entries);
    errors = List.copyOf(errors);
  }

  /** The same with the errors of another permutation, of the same methods, added. */
  public Comparison with(Comparison other) {
    List<List<Double>> all = new ArrayList<>();
    for (int i = 0; i < entries.size(); i++) {
      List<Double> more = new ArrayList<>(errors.get(i));
      more.addAll(other.errors.get(i));
      all.add(List.copyOf(more));
    }
    return new Comparison(files, task, rows, entries, all);
  }

  /** Number of permutations. */
  public int runs() {
    return errors.get(0).size();
  }

  /** Mean error of a method. */
  public double mean(Entry entry) {
    return errors(entry).stream().mapToDouble(v -> v).average().orElse(Double.NaN);
  }

  /** Deviation of a method's errors, with n − 1; 0 of a single one. */
  public double deviation(Entry entry) {
    double mean = mean(entry);
    double squares = errors(entry).stream().mapToDouble(v -> (v - mean) * (v - mean)).sum();
    return runs() < 2 ? 0 : Math.sqrt(squares / (runs() - 1));
  }

  private List<Double> errors(Entry entry) {
    return errors.get(entries.indexOf(entry));
  }

  private String error(Entry entry) {
    return error(mean(entry)) + (runs() < 2 ? "" : " ± " + error(deviation(entry)));
  }

  /** Error of the better baseline. */
  public double baseline() {
    return entries.get(0).run().end().baseline();
  }

  private String unit() {
    return task == Task.CLASSIFICATION ? "mistakes %" : "RMSE";
  }

  private String error(double value) {
    return String.format(Locale.ROOT, task == Task.CLASSIFICATION ? "%.2f" : "%.5g", value);
  }

  /** Table as text. */
  public String text() {
    StringBuilder text = new StringBuilder();
    text.append(line("method", unit(), "seconds", "size", "parameters"));
    for (Entry entry : entries) {
      CurvePoint end = entry.run().end();
      text.append(
          line(
              entry.method().title(),
              error(entry),
              String.format(Locale.ROOT, "%.2f", end.cpuSeconds()),
              Integer.toString(end.corePoints()),
              entry.parameters()));
    }
    text.append(line("baseline", error(baseline()), "", "", ""));
    String repeated = runs() < 2 ? "" : " " + runs() + " permutations; the rest is of the first.";
    return text.append("Seconds are processor time, without the search for parameters.")
        .append(repeated)
        .append('\n')
        .toString();
  }

  private String line(String name, String error, String time, String size, String more) {
    String format = runs() < 2 ? "%-16s %11s %9s %7s  %s" : "%-16s %19s %9s %7s  %s";
    return String.format(Locale.ROOT, format, name, error, time, size, more).stripTrailing() + "\n";
  }

  private String title() {
    return String.join(", ", files).replaceAll("[^,]*[/\\\\]", "");
  }

  /** Chart of the error so far over the rows. */
  public ComparisonChart overRows() {
    ComparisonChart chart = new ComparisonChart(title(), "rows", unit() + " so far", false);
    for (int i = 0; i < entries.size(); i++) {
      List<CurvePoint> points = entries.get(i).run().points();
      chart.add(
          entries.get(i).method().title(),
          points.stream().mapToDouble(CurvePoint::instances).toArray(),
          points.stream().mapToDouble(CurvePoint::error).toArray(),
          i);
    }
    List<CurvePoint> points = entries.get(0).run().points();
    return chart.add(
        "baseline",
        points.stream().mapToDouble(CurvePoint::instances).toArray(),
        points.stream().mapToDouble(CurvePoint::baseline).toArray(),
        entries.size());
  }

  /** Chart of the final error over processor time. */
  ComparisonChart overTime() {
    ComparisonChart chart =
        new ComparisonChart(title(), "processor seconds", unit() + " at the end", true);
    for (int i = 0; i < entries.size(); i++) {
      CurvePoint end = entries.get(i).run().end();
      chart.add(
          entries.get(i).method().title(),
          new double[] {end.cpuSeconds()},
          new double[] {end.error()},
          i);
    }
    return chart;
  }

  /** HTML page with the table and the charts. */
  public String page() throws IOException {
    StringBuilder table = new StringBuilder("<div class=\"wide\"><table>\n");
    row(table, "th", "method", unit(), "seconds", "size", "parameters");
    for (Entry entry : entries) {
      CurvePoint end = entry.run().end();
      row(
          table,
          "td",
          entry.method().title(),
          error(entry),
          String.format(Locale.ROOT, "%.2f", end.cpuSeconds()),
          Integer.toString(end.corePoints()),
          entry.parameters());
    }
    row(table, "td", "baseline", error(baseline()), "", "", "");
    table.append("</table></div>\n");
    return EvaluationReport.page(
        "Comparison on " + title(),
        "<p>"
            + rows
            + " rows, prequential evaluation; seconds are processor time, without the search for"
            + " parameters.</p>\n"
            + table
            + "<figure>"
            + overRows().toSvg()
            + "</figure>\n<figure>"
            + overTime().toSvg().replace("#plot", "#plot-time").replace("\"plot\"", "\"plot-time\"")
            + "</figure>\n");
  }

  private static void row(StringBuilder table, String tag, String... cells) {
    table.append("<tr>");
    for (String cell : cells) {
      table.append('<').append(tag).append('>').append(Html.escape(cell));
      table.append("</").append(tag).append('>');
    }
    table.append("</tr>\n");
  }
}
