// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.inference;

import io.github.avm4j.config.Task;
import io.github.avm4j.feature.Column;
import io.github.avm4j.pipeline.Inference;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.function.IntFunction;

/** A table made from a seed, with what must be inferred from it. */
final class GeneratedTable {
  private static final int[] SIZES = {30, 60, 250, 1300};
  private static final char[] DELIMITERS = {',', ';', '\t', '|', '{'};

  /** What a column is and what must come of it. */
  private record Kind(
      String name, Column.Kind kind, String said, boolean gaps, IntFunction<Object> cells) {}

  private record Target(String name, Task task, IntFunction<Object> labels) {}

  private final Random random;
  private final int rows;
  private final char delimiter;
  private final Target target;
  private final List<Kind> kinds = new ArrayList<>();
  private final List<Set<Object>> values = new ArrayList<>();

  GeneratedTable(int seed) {
    random = new Random(seed);
    rows = SIZES[seed % SIZES.length];
    delimiter = DELIMITERS[seed % DELIMITERS.length];
    List<Target> targets = targets();
    target = targets.get(seed % targets.size());
    kinds.add(kind("x0", Column.Kind.NUMBER, "", i -> gaussian(3)));
    List<Kind> all = all();
    int more = 2 + random.nextInt(6);
    for (int c = 0; c < more; c++) {
      kinds.add(all.remove(random.nextInt(all.size())));
    }
  }

  private double gaussian(double scale) {
    return Math.round(1e4 * scale * random.nextGaussian()) / 1e4;
  }

  private static Kind kind(String name, Column.Kind kind, String said, IntFunction<Object> cells) {
    return new Kind(name, kind, said, true, cells);
  }

  private static Kind whole(String name, String said, IntFunction<Object> cells) {
    return new Kind(name, Column.Kind.DROPPED, said, false, cells);
  }

  private List<Kind> all() {
    int many = Math.max(4, rows / 8);
    Column.Kind number = Column.Kind.NUMBER;
    Column.Kind category = Column.Kind.CATEGORY;
    Column.Kind date = Column.Kind.DATE;
    return new ArrayList<>(
        List.of(
            kind("width", number, "", i -> gaussian(100)),
            kind("rooms", number, "", i -> 1 + random.nextInt(8)),
            kind("income", number, "", i -> 20_000 + 10 * i),
            kind("colour", category, "", i -> "c" + random.nextInt(5)),
            kind("city", category, "", i -> "town " + random.nextInt(many)),
            kind("smoker", category, "", i -> random.nextBoolean() ? "yes" : "no"),
            kind("iso", date, "dates read as yyyy-MM-dd: ", i -> day(i, "%3$04d-%2$02d-%1$02d")),
            kind(
                "stamp",
                date,
                "dates read as yyyy-MM-dd: ",
                i -> day(i, "%3$04d-%2$02d-%1$02dT07:30:00Z")),
            kind("seen", date, "dates read as dd/MM/yyyy: ", i -> day(i, "%1$02d/%2$02d/%3$04d")),
            kind(
                "bill",
                date,
                "dates read as MM/dd/yyyy: ",
                i -> day(i, "%2$d/%1$d/%3$04d 4:05 PM")),
            kind("fee", number, "numbers parsed from texts such as '", i -> "$" + money()),
            kind("share", number, "numbers parsed from texts such as '", i -> gaussian(9) + "%"),
            whole("customer_id", "identifiers", i -> 70_000 + i * 7919 % 9973),
            whole("email", "identifiers", i -> "u" + i + "@example.org"),
            whole("notes", "free text: ", i -> "the guest of room " + i + " was happy again"),
            whole("gone", "empty: ", i -> "")));
  }

  private String money() {
    return String.format(Locale.ROOT, "%,.2f", 1000 + 1e5 * random.nextDouble());
  }

  private static String day(int i, String pattern) {
    return String.format(Locale.ROOT, pattern, 1 + i % 28, 1 + i / 5 % 12, 1990 + i % 40);
  }

  private List<Target> targets() {
    Task classes = Task.CLASSIFICATION;
    Task numbers = Task.REGRESSION;
    return List.of(
        new Target("label", classes, i -> "k" + i % 3),
        new Target("bought", classes, i -> i % 2),
        new Target("class", classes, i -> 1 + i % 7),
        new Target("digit", classes, i -> i * 7 % 10),
        new Target("sign", classes, i -> i % 3 == 0 ? -1 : 1),
        new Target("answer", classes, i -> i % 3 == 0 ? "yes" : "no"),
        new Target("strength", numbers, i -> gaussian(5) + 0.00005),
        new Target("age", numbers, i -> 18 + random.nextInt(70)),
        new Target("cost", numbers, i -> 1000 * (20 + random.nextInt(60))),
        new Target("visits", numbers, i -> (int) (9 * Math.pow(random.nextDouble(), 2))),
        new Target("score", numbers, i -> (int) gaussian(30)),
        new Target("paid", numbers, i -> "$" + money()),
        new Target("growth", numbers, i -> gaussian(4) + "%"));
  }

  Task task() {
    return target.task();
  }

  /** The name of a file of this table's format. */
  String fileName() {
    return delimiter == '{' ? "table.jsonl" : "table.csv";
  }

  String label() {
    return target.name();
  }

  /** The expected kinds by column. */
  List<Column.Kind> columnKinds() {
    return kinds.stream().map(Kind::kind).toList();
  }

  /** What must be said of the columns. */
  List<String> said() {
    List<String> said = new ArrayList<>();
    for (Kind kind : kinds) {
      said.add(kind.said());
    }
    return said;
  }

  String name(int c) {
    return kinds.get(c).name();
  }

  /** The expected number of features, once the text was written. */
  int features() {
    int features = 0;
    for (int c = 0; c < kinds.size(); c++) {
      features +=
          switch (kinds.get(c).kind()) {
            case NUMBER -> 1;
            case DATE -> 6;
            case CATEGORY -> values.get(c).size();
            default -> 0;
          };
    }
    return features;
  }

  /** The table. */
  String write() {
    StringBuilder text = new StringBuilder();
    values.clear();
    kinds.forEach(kind -> values.add(new HashSet<>()));
    if (delimiter != '{') {
      kinds.forEach(kind -> text.append(kind.name()).append(delimiter));
      text.append(target.name()).append('\n');
    }
    for (int i = 0; i < rows; i++) {
      List<Object> cells = new ArrayList<>();
      for (int c = 0; c < kinds.size(); c++) {
        boolean gap = kinds.get(c).gaps() && c > 0 && i > 0 && random.nextInt(20) == 0;
        Object cell = gap ? "" : kinds.get(c).cells().apply(i);
        cells.add(cell);
        if (i < Inference.ROWS && !cell.equals("")) {
          values.get(c).add(cell);
        }
      }
      cells.add(target.labels().apply(i));
      text.append(delimiter == '{' ? json(cells) : line(cells)).append('\n');
    }
    return text.toString();
  }

  private String line(List<Object> cells) {
    List<String> texts = new ArrayList<>();
    for (Object cell : cells) {
      String text = cell.toString();
      texts.add(text.indexOf(delimiter) >= 0 ? '"' + text + '"' : text);
    }
    return String.join(String.valueOf(delimiter), texts);
  }

  private String json(List<Object> cells) {
    List<String> texts = new ArrayList<>();
    for (int c = 0; c < cells.size(); c++) {
      Object cell = cells.get(c);
      String name = c < kinds.size() ? kinds.get(c).name() : target.name();
      String value = cell instanceof Number ? cell.toString() : '"' + cell.toString() + '"';
      texts.add('"' + name + "\":" + value);
    }
    return '{' + String.join(",", texts) + '}';
  }

  @Override
  public String toString() {
    return rows
        + " rows, '"
        + delimiter
        + "', "
        + kinds.stream().map(Kind::name).toList()
        + " -> "
        + target.name();
  }
}
