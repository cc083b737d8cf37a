// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments;

import io.github.avm4j.config.Task;
import java.util.List;

/**
 * A data set of the paper's Table 2, as it can be had.
 *
 * @param name what tables call it
 * @param source its name in the catalogue
 * @param task what is learned
 * @param scaling of the features
 * @param label the column to learn, empty for the catalogue's
 * @param ignored columns left out
 * @param threshold makes two classes of a number; NaN for none
 * @param delta δ of Tables 3 and 5
 * @param budget B
 * @param randomFeatures D
 * @param large whether the search uses 1 % and only fast methods run online
 * @param note how it differs from the paper's
 */
record ExperimentData(
    String name,
    String source,
    Task task,
    Preprocessing scaling,
    String label,
    List<String> ignored,
    double threshold,
    double delta,
    int budget,
    int randomFeatures,
    boolean large,
    String note) {

  /** What is done to the features, over the whole set. */
  enum Preprocessing {
    /** Nothing. */
    NONE,
    /** To [0, 1]. */
    MIN_MAX,
    /** To mean 0 and deviation 1. */
    Z_SCORE
  }

  private static final List<String> FLIGHT_LEAKS = List.of("dep_time", "arr_time", "arr_delay");
  private static final String FLIGHTS =
      "stand-in: flights from New York in 2013 (273,853), not the US in 2008 (5,929,413)";

  /** All of them, in the order of the tables. */
  static final List<ExperimentData> ALL =
      List.of(
          classes("a9a", Preprocessing.NONE, 7, 1000, 4000, false, "whole"),
          classes("w8a", Preprocessing.NONE, 13, 1000, 4000, false, "whole"),
          classes(
              "cod-rna",
              Preprocessing.NONE,
              1,
              400,
              1600,
              false,
              "partial: the 59,535 training rows of 331,152; batch tests on a fifth of them"),
          classes("ijcnn1", Preprocessing.NONE, 1, 1000, 4000, false, "whole"),
          classes(
              "kddcup99",
              Preprocessing.MIN_MAX,
              3,
              200,
              400,
              true,
              "partial: the official 10 % file (494,021 of 4,898,431); texts as numbers"),
          classes("covtype", Preprocessing.MIN_MAX, 3, 400, 1600, true, "whole, scaled to [0, 1]"),
          classes(
              "poker",
              Preprocessing.NONE,
              12,
              1000,
              4000,
              true,
              "training hands whole; the 1,000,000 test hands dealt at random, labels exact"),
          new ExperimentData(
              "airlines",
              "airlines",
              Task.CLASSIFICATION,
              Preprocessing.MIN_MAX,
              "dep_delay",
              FLIGHT_LEAKS,
              15,
              1,
              1000,
              4000,
              true,
              FLIGHTS),
          numbers("casp", Preprocessing.Z_SCORE, 4, 400, 2000, "whole"),
          numbers(
              "slice", Preprocessing.Z_SCORE, 16, 200, 3000, "partial: 682 rows of 53,500; B 200"),
          numbers(
              "year",
              Preprocessing.Z_SCORE,
              60,
              400,
              1600,
              "stand-in: 6,724 songs with 12 features"),
          new ExperimentData(
              "airlines-minutes",
              "airlines",
              Task.REGRESSION,
              Preprocessing.MIN_MAX,
              "dep_delay",
              FLIGHT_LEAKS,
              Double.NaN,
              1,
              1000,
              2000,
              true,
              FLIGHTS));

  ExperimentData {
    ignored = List.copyOf(ignored);
  }

  private static ExperimentData classes(
      String name, Preprocessing scaling, double delta, int b, int d, boolean large, String note) {
    return new ExperimentData(
        name,
        name,
        Task.CLASSIFICATION,
        scaling,
        "",
        List.of(),
        Double.NaN,
        delta,
        b,
        d,
        large,
        note);
  }

  private static ExperimentData numbers(
      String name, Preprocessing scaling, double delta, int b, int d, String note) {
    return new ExperimentData(
        name, name, Task.REGRESSION, scaling, "", List.of(), Double.NaN, delta, b, d, false, note);
  }

  /** The set of that name. */
  static ExperimentData of(String name) {
    return ALL.stream()
        .filter(data -> data.name.equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no experiment uses data '" + name + "'"));
  }

  /** Features of the sets whose files are sparse; 0 for the others, whose rows tell. */
  int features() {
    return switch (name) {
      case "a9a" -> 123;
      case "w8a" -> 300;
      case "cod-rna" -> 8;
      case "ijcnn1" -> 22;
      default -> 0;
    };
  }

  /** Whether it has test rows of its own; otherwise the batch table holds some back. */
  boolean hasTest() {
    return List.of("a9a", "w8a", "ijcnn1", "poker").contains(name);
  }

  /** Whether targets are brought to [0, 1], as the paper's Table 2 has them. */
  boolean scalesTarget() {
    return task == Task.REGRESSION && !name.startsWith("airlines");
  }
}
