// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Public files, read to the end, against counts that other programs took from them. */
class RealDataTest {
  private static final Path FOLDER = Path.of(System.getProperty("avm4j.data", "none"));
  private static final ReaderOptions OPTIONS = ReaderOptions.defaults();

  private static JsonNode counted(String file) throws IOException {
    Path stats = FOLDER.resolve("stats.json");
    assumeTrue(Files.exists(stats), "no data folder: set -Davm4j.data to test with " + stats);
    return new ObjectMapper().readTree(stats.toFile()).get(file);
  }

  private static void assertClasses(JsonNode counted, Map<String, Integer> found) {
    if (counted.path("classes").isObject()) {
      Map<String, Integer> expected = new TreeMap<>();
      counted
          .get("classes")
          .properties()
          .forEach(e -> expected.put(canonical(e.getKey()), e.getValue().intValue()));
      assertEquals(expected, found);
    }
  }

  private static String canonical(String label) {
    return FormatFinder.isNumber(label) ? Row.canonical(Double.parseDouble(label)) : label;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a9a/a9a",
        "a9a/a9a.t",
        "w8a/w8a",
        "w8a/w8a.t",
        "cod-rna/cod-rna.scale",
        "ijcnn1/ijcnn1",
        "ijcnn1/ijcnn1.t",
        "streams/spam.libsvm",
        "streams/phishing.libsvm",
        "extra/letter.scale",
        "extra/letter.scale.t",
        "extra/pendigits",
        "extra/pendigits.t"
      })
  void libsvm(String file) throws IOException {
    JsonNode counted = counted(file);
    Map<String, Integer> classes = new TreeMap<>();
    long nonZeros = 0;
    int dimension = 0;
    double min = Double.MAX_VALUE;
    double max = -Double.MAX_VALUE;
    Row row = new Row();
    try (RowReader reader = Readers.open(OPTIONS, FOLDER.resolve(file + ".xz"))) {
      while (reader.next(row)) {
        classes.merge(row.labelText(), 1, Integer::sum);
        FeatureVector x = row.features();
        nonZeros += x.count();
        dimension = Math.max(dimension, x.dimension());
        for (int k = 0; k < x.count(); k++) {
          min = Math.min(min, x.values()[k]);
          max = Math.max(max, x.values()[k]);
        }
      }
      assertEquals(counted.get("rows").asLong(), reader.rows());
    }
    assertEquals(counted.get("nnz").asLong(), nonZeros);
    assertEquals(counted.get("max_index").asInt(), dimension);
    assertEquals(counted.get("min").asDouble(), min);
    assertEquals(counted.get("max").asDouble(), max);
    assertClasses(counted, classes);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "covtype/covtype.data",
        "poker/poker-hand-training-true.data",
        "kddcup99/kddcup.data_10_percent",
        "kddcup99/NSL-KDD_KDDTrain.arff",
        "airlines/airlines8_nyc2013.csv",
        "airlines/nycflights13_flights.csv",
        "airlines/nycflights13_planes.csv",
        "casp/CASP.csv",
        "slice/slice_localization_data.head682.csv",
        "year/millionsong.txt",
        "electricity/elec.csv",
        "electricity/electricity.arff",
        "streams/weather.csv",
        "streams/outdoorStream.csv",
        "extra/Skin_NonSkin.txt",
        "extra/magic04.data",
        "extra/cal_housing.data",
        "extra/cpusmall.csv",
        "extra/shuttle.csv",
        "extra/regression/keggundirected.csv",
        "extra/regression/keggdirected.csv",
        "extra/regression/kin40k.csv"
      })
  void tables(String file) throws IOException {
    JsonNode counted = counted(file);
    Map<String, Integer> classes = new TreeMap<>();
    long missing = 0;
    Row row = new Row();
    ReaderOptions options = file.contains("flights13_f") ? OPTIONS.withLabel("distance") : OPTIONS;
    try (RowReader reader = Readers.open(options, FOLDER.resolve(file + ".xz"))) {
      int columns = Integer.parseInt(counted.get("columns").fieldNames().next());
      assertEquals(columns - 1, reader.columns().size());
      while (reader.next(row)) {
        classes.merge(row.labelText(), 1, Integer::sum);
        for (int c = 0; c < row.width(); c++) {
          missing += row.kind(c) == Row.Kind.MISSING ? 1 : 0;
        }
      }
      assertEquals(counted.get("rows").asLong(), reader.rows());
    }
    if (file.contains("planes")) {
      assertTrue(missing >= counted.get("missing").asLong(), "None is text there, missing here");
    } else {
      assertEquals(counted.get("missing").asLong(), missing);
    }
    assertClasses(counted, classes);
  }
}
