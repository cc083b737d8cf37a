// Copyright avm4j contributors. SPDX-License-Identifier: GPL-3.0-or-later
package moa.classifiers.avm4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.github.javacliparser.ClassOption;
import io.github.avm4j.Avm;
import io.github.avm4j.data.ReaderOptions;
import io.github.avm4j.data.Readers;
import io.github.avm4j.data.RowReader;
import io.github.avm4j.feature.Column;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Row;
import io.github.avm4j.feature.RowEncoder;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.learner.Learner;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import moa.evaluation.preview.LearningCurve;
import moa.tasks.AbstractTask;
import moa.tasks.Task;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tukaani.xz.XZInputStream;

/** MOA's own prequential task beside a plain loop over the same rows. */
class PrequentialTaskTest {
  private static final List<String> DAYS = List.of("1", "2", "3", "4", "5", "6", "7");

  @TempDir Path folder;

  private static double last(LearningCurve curve, String measurement) {
    for (int m = 0; m < curve.getMeasurementNameCount(); m++) {
      if (curve.getMeasurementName(m).equals(measurement)) {
        return curve.getMeasurement(curve.numEntries() - 1, m);
      }
    }
    throw new AssertionError("no measurement " + measurement);
  }

  private static LearningCurve run(String task, String learner, Path stream, String evaluator)
      throws Exception {
    String line =
        task
            + " -l ("
            + learner
            + ") -s (ArffFileStream -f "
            + stream
            + ") -e "
            + evaluator
            + " -f 1000000";
    AbstractTask parsed = (AbstractTask) ClassOption.cliStringToObject(line, Task.class, null);
    parsed.prepareForUse();
    return (LearningCurve) parsed.doTask();
  }

  private Path electricity() throws Exception {
    Path packed =
        Path.of(System.getProperty("avm4j.data", "missing"), "electricity/electricity.arff.xz");
    assumeTrue(Files.exists(packed), "no electricity.arff.xz among the data sets");
    Path plain = folder.resolve("electricity.arff");
    try (InputStream in = new XZInputStream(Files.newInputStream(packed))) {
      Files.copy(in, plain);
    }
    return plain;
  }

  private static List<Row> rows(RowReader reader) throws Exception {
    List<Row> rows = new ArrayList<>();
    Row row = new Row();
    while (reader.next(row)) {
      Row copy = new Row();
      copy.copyFrom(row);
      rows.add(copy);
    }
    return rows;
  }

  private static void sameMistakes(Path stream, String options, Learner own) throws Exception {
    LearningCurve curve =
        run(
            "EvaluatePrequential",
            "avm4j.AvmClassifier " + options,
            stream,
            "BasicClassificationPerformanceEvaluator");
    double instances = last(curve, "classified instances");
    double percent = last(curve, "classifications correct (percent)");
    long moaMistakes = Math.round(instances * (100 - percent) / 100);

    try (RowReader reader = Readers.open(ReaderOptions.defaults(), stream)) {
      List<Column> columns = new ArrayList<>();
      for (String name : reader.columns()) {
        boolean day = name.equals("day");
        Column.Kind kind = day ? Column.Kind.CATEGORY : Column.Kind.NUMBER;
        columns.add(new Column(name, kind, 0, day ? DAYS : List.of(), 0));
      }
      RowEncoder encoder = new Schema(columns).encoder(reader.columns());
      long mistakes = 0;
      List<Row> rows = rows(reader);
      for (Row row : rows) {
        double label = List.of("UP", "DOWN").indexOf(row.labelText());
        mistakes += own.predictThenLearn(encoder.encode(row), label, 1) == label ? 0 : 1;
      }
      assertEquals(rows.size(), instances);
      assertEquals(mistakes, moaMistakes);
      assertEquals(own.size(), last(curve, "core points"));
      System.out.printf("electricity, '%s': %d mistakes in %d%n", options, mistakes, rows.size());
    }
  }

  @Test
  void defaultModeMakesTheMistakesOfOurOwnLoop() throws Exception {
    sameMistakes(electricity(), "", Avm.classifier().labels(0, 1).build());
  }

  @Test
  void paperModeMakesTheMistakesOfOurOwnLoop() throws Exception {
    sameMistakes(
        electricity(),
        "-m Paper -g 0.5 -d 1.0 -l 0.001 -b 0",
        Avm.paperClassifier().gamma(0.5).delta(1).lambda(0.001).labels(0, 1).build());
  }

  @Test
  void regressorMissesAsOurOwnLoopDoes() throws Exception {
    Random random = new Random(1);
    StringBuilder text = new StringBuilder("@relation r\n@attribute a numeric\n");
    text.append("@attribute b numeric\n@attribute y numeric\n@data\n");
    Learner own = Avm.regressor().build();
    double sum = 0;
    int n = 3000;
    for (int i = 0; i < n; i++) {
      double a = random.nextGaussian();
      double b = random.nextGaussian();
      double y = Math.sin(2 * a) + a * b;
      text.append(a).append(',').append(b).append(',').append(y).append('\n');
      double miss = own.predictThenLearn(FeatureVector.dense(a, b), y, 1) - y;
      sum += miss * miss;
    }
    Path stream = Files.writeString(folder.resolve("r.arff"), text);
    LearningCurve curve =
        run(
            "EvaluatePrequentialRegression",
            "avm4j.AvmRegressor",
            stream,
            "BasicRegressionPerformanceEvaluator");
    double rmse = last(curve, "root mean squared error");
    assertEquals(Math.sqrt(sum / n), rmse, 1e-9 * rmse);
  }
}
