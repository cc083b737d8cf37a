// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.model;

import io.github.avm4j.Avm;
import io.github.avm4j.cli.text.Escaped;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.Column;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.learner.AutoLearner;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.learner.Relabelling;
import io.github.avm4j.model.AvmException;
import io.github.avm4j.pipeline.ClassNames;
import io.github.avm4j.pipeline.RowLearner;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Merges learners of rows. Their columns must be equal; their classes are matched by name. Error
 * messages name the file that does not match.
 */
public final class RowMerge {
  private final List<Path> files = new ArrayList<>();
  private final List<RowLearner> parts = new ArrayList<>();
  private final ClassNames names = new ClassNames(List.of());

  public RowMerge() {}

  /**
   * Adds a part.
   *
   * @throws AvmException if it does not match the parts before it
   */
  public void add(Path file, RowLearner part) {
    if (!parts.isEmpty()) {
      String problem = difference(parts.get(0), part);
      if (problem != null) {
        throw new AvmException(
            file + ": does not match " + files.get(0) + ": " + problem + ". " + ADVICE);
      }
      requireNew(file, part);
    }
    files.add(file);
    parts.add(part);
  }

  private static final String ADVICE =
      "Train all parts with the same options, preferably as shards of one model (avm train"
          + " --shard-of)";

  private void requireNew(Path file, RowLearner part) {
    byte[] bytes = part.toBytes();
    for (int i = 0; i < parts.size(); i++) {
      if (part.learner().instances() > 0 && Arrays.equals(bytes, parts.get(i).toBytes())) {
        throw new AvmException(
            file
                + ": is the same model as "
                + files.get(i)
                + "; its rows would count twice: remove one of them");
      }
    }
  }

  /** Merges all parts. */
  public RowLearner all() {
    rename(parts);
    try {
      return rows(Avm.merge(parts.stream().map(RowLearner::learner).toList()));
    } catch (IllegalArgumentException e) {
      throw new AvmException("cannot merge the models: " + e.getMessage(), e);
    }
  }

  /** Merges a start model with the shards trained from it; the start counts once. */
  public RowLearner with(Path file, RowLearner start) {
    String problem = difference(start, parts.get(0));
    if (problem != null) {
      throw new AvmException(files.get(0) + ": is no shard of " + file + ": " + problem);
    }
    if (!(start.learner() instanceof AutoLearner begun)) {
      throw new AvmException(file + ": only the default learner has shards; merge without --start");
    }
    List<RowLearner> learners = new ArrayList<>(List.of(start));
    learners.addAll(parts);
    rename(learners);
    try {
      return rows(Avm.merge(begun, parts.stream().map(p -> (AutoLearner) p.learner()).toList()));
    } catch (IllegalArgumentException e) {
      throw new AvmException("cannot merge the models with " + file + ": " + e.getMessage(), e);
    }
  }

  /** Renumbers the classes of all learners as in {@link #names}. */
  private void rename(List<RowLearner> learners) {
    for (RowLearner rows : learners) {
      List<String> own = rows.names().toList();
      double[] numbers = own.stream().mapToDouble(names::add).toArray();
      boolean same = true;
      for (int k = 0; k < numbers.length; k++) {
        same &= numbers[k] == k;
      }
      if (!same) {
        Relabelling.apply(rows.learner(), label -> numbers[(int) label]);
      }
    }
  }

  private RowLearner rows(Learner learner) {
    RowLearner first = parts.get(0);
    RowLearner merged = new RowLearner(first.schema(), first.targetName(), learner);
    names.toList().forEach(merged.names()::add);
    return merged;
  }

  private static @Nullable String difference(RowLearner one, RowLearner other) {
    if (one.learner().task() != other.learner().task()) {
      return "one is for " + task(one) + ", the other for " + task(other);
    }
    String columns = columns(one.schema(), other.schema());
    return columns != null ? columns : options(one.learner(), other.learner());
  }

  private static String task(RowLearner rows) {
    return rows.learner().task() == Task.CLASSIFICATION ? "classification" : "regression";
  }

  /**
   * Difference of the features, null if there is none; replacements of missing numbers may differ.
   */
  private static @Nullable String columns(Schema one, Schema other) {
    List<Column> a = one.columns();
    List<Column> b = other.columns();
    for (int c = 0; c < Math.max(a.size(), b.size()); c++) {
      if (c >= a.size() || c >= b.size() || !a.get(c).name().equals(b.get(c).name())) {
        return "their columns differ (" + brief(a) + " and " + brief(b) + ")";
      }
      Column x = a.get(c);
      Column y = b.get(c);
      if (x.kind() != y.kind()
          || x.buckets() != y.buckets()
          || !x.categories().equals(y.categories())) {
        return "column "
            + x.name()
            + " has different features ("
            + features(x)
            + " and "
            + features(y)
            + ")";
      }
    }
    return null;
  }

  private static String brief(List<Column> columns) {
    return columns.isEmpty()
        ? "numbered features"
        : Escaped.brief(columns.stream().map(Column::name).toList());
  }

  private static String features(Column column) {
    String kind = column.kind().name().toLowerCase(java.util.Locale.ROOT);
    return column.categories().isEmpty() ? kind : kind + " " + Escaped.brief(column.categories());
  }

  private static @Nullable String options(Learner one, Learner other) {
    Map<String, Object> a = set(one);
    Map<String, Object> b = set(other);
    if (!a.keySet().equals(b.keySet())) {
      return "one was trained by the paper's algorithm, the other was not";
    }
    for (Map.Entry<String, Object> entry : a.entrySet()) {
      Object found = b.get(entry.getKey());
      if (!Objects.equals(entry.getValue(), found)) {
        return "%s is %s and %s".formatted(entry.getKey(), entry.getValue(), found);
      }
    }
    return null;
  }

  /** Settings of the user; for the paper's learner the complete configuration. */
  private static Map<String, Object> set(Learner learner) {
    return learner instanceof AutoLearner auto ? auto.settings().toMap() : learner.config().toMap();
  }
}
