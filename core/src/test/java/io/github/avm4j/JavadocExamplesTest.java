// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.detector.Clusters;
import io.github.avm4j.detector.Detector;
import io.github.avm4j.evaluation.ClassificationScore;
import io.github.avm4j.evaluation.CurvePoint;
import io.github.avm4j.evaluation.Instances;
import io.github.avm4j.evaluation.LearningCurve;
import io.github.avm4j.evaluation.Prequential;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Row;
import io.github.avm4j.feature.RowEncoder;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.feature.SchemaFitter;
import io.github.avm4j.learner.AutoLearner;
import io.github.avm4j.learner.CellPlan;
import io.github.avm4j.learner.LabelBudget;
import io.github.avm4j.model.Calibration;
import io.github.avm4j.model.Interval;
import io.github.avm4j.model.Model;
import io.github.avm4j.pipeline.Inference;
import io.github.avm4j.pipeline.Pending;
import io.github.avm4j.pipeline.RowLearner;
import io.github.avm4j.pipeline.RowModel;
import io.github.avm4j.pipeline.WaitingRows;
import io.github.avm4j.testing.Streams;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The examples of the javadoc. Each stands here between two comments, where it is compiled and run,
 * and word for word in the comment of its type: {@code {@snippet}} would fetch it from here, but
 * JDK 17 does not know that tag.
 */
class JavadocExamplesTest {
  private static final Path SOURCES = Path.of("src", "main", "java", "io", "github", "avm4j");
  private static final Path THIS =
      Path.of("src", "test", "java", "io", "github", "avm4j", "JavadocExamplesTest.java");
  private static final Pattern HERE =
      Pattern.compile("    // example of (\\w+)\n(.*?)\n    // end\n", Pattern.DOTALL);
  private static final Pattern THERE =
      Pattern.compile(" \\* <pre>\\{@code\n(.*?)\n \\* }</pre>", Pattern.DOTALL);

  @TempDir Path folder;

  private record Instance(FeatureVector x, double label) {}

  /** Two classes, divided by a circle. */
  private static List<Instance> stream() {
    return Streams.gaussian(1, 3000, 2).stream()
        .map(x -> new Instance(FeatureVector.dense(x), Math.hypot(x[0], x[1]) < 1 ? 1 : 0))
        .toList();
  }

  private static AutoLearner trained() {
    AutoLearner learner = Avm.classifier().build();
    stream().forEach(instance -> learner.learn(instance.x(), instance.label()));
    return learner;
  }

  @Test
  void detector() {
    List<FeatureVector> stream = stream().stream().map(Instance::x).toList();
    // example of Detector
    Detector detector = Avm.detector().alarm(0.01).build();
    for (FeatureVector x : stream) {
      if (detector.isAlarm(detector.pValue(x))) {
        System.out.println(detector.explain(x, 3));
      }
      detector.detectThenLearn(x);
    }
    // end
    assertEquals(3000, detector.instances());
  }

  @Test
  void clusters() {
    List<FeatureVector> stream = stream().stream().map(Instance::x).toList();
    // example of Clusters
    Detector detector = Avm.detector().build();
    for (FeatureVector x : stream) {
      detector.detectThenLearn(x);
    }
    Clusters clusters = detector.clusters();
    int cluster = clusters.of(stream.get(0));
    FeatureVector typical = clusters.peak(cluster);
    // end
    assertEquals(cluster, clusters.of(typical));
  }

  @Test
  void avm() throws IOException {
    List<Instance> stream = stream();
    Path path = folder.resolve("circle.avm");
    // example of Avm
    AutoLearner learner = Avm.classifier().build();
    int mistakes = 0;
    for (Instance instance : stream) {
      if (learner.predict(instance.x()) != instance.label()) {
        mistakes++;
      }
      learner.learn(instance.x(), instance.label());
    }
    Avm.save(learner, path);
    Model model = Avm.loadModel(path); // immutable, for any number of threads
    // end
    assertTrue(mistakes < 300, mistakes + " mistakes");
    assertEquals(1, model.predict(0, 0));
  }

  @Test
  void autoLearner() {
    FeatureVector x = FeatureVector.dense(0.1, 0.2);
    double y = 1;
    double weight = 1;
    // example of AutoLearner
    AutoLearner learner = Avm.classifier().budget(256).memory(16 << 20).build();
    double[] scores = {}; // or one element per class, to be filled
    double prediction = learner.predictThenLearn(x, y, weight, scores);
    // end
    assertTrue(Double.isNaN(prediction), "predicted before anything was learned");
    assertEquals(1, learner.instances());
  }

  private static double labelOf(FeatureVector x) {
    return x.get(0) > 0 ? 1 : 0;
  }

  @Test
  void labelBudget() {
    AutoLearner learner = Avm.classifier().build();
    FeatureVector x = FeatureVector.dense(1, 2);
    // example of LabelBudget
    LabelBudget budget = LabelBudget.of(0.2);
    double prediction = learner.predict(x);
    if (budget.wants(learner, x)) {
      learner.learn(x, labelOf(x)); // now or later
    }
    // end
    assertTrue(Double.isNaN(prediction), "nothing was learned before");
    assertEquals(1, budget.asked());
  }

  @Test
  void calibration() {
    AutoLearner learner = Avm.regressor().build();
    stream().forEach(instance -> learner.learn(instance.x(), instance.label()));
    Model model = learner.snapshot();
    FeatureVector x = FeatureVector.dense(0.1, 0.2);
    // example of Calibration
    Calibration calibration = model.calibration();
    Interval interval = calibration.interval(model.predict(x), 0.9); // as model.interval(x, 0.9)
    // end
    assertEquals(model.interval(x, 0.9), interval);
  }

  @Test
  void rowLearner() {
    // example of RowLearner
    Schema schema = Schema.builder().number("age").category("city").build();
    RowLearner learner = RowLearner.classifier(schema).build();
    learner.learn(Map.of("age", 41, "city", "Oslo"), "yes");
    learner.learn(Map.of("age", 19, "city", "Lima"), "no");
    String predicted = learner.predictClass(Map.of("age", 39, "city", "Oslo")).orElseThrow();
    RowModel model = learner.snapshot(); // immutable, for other threads
    // end
    assertEquals("yes", predicted);
    assertEquals("yes", model.predictClass(Map.of("age", 39, "city", "Oslo")).orElseThrow());
  }

  @Test
  void pending() {
    Schema schema = Schema.builder().number("age").category("city").build();
    RowLearner learner = RowLearner.classifier(schema).build();
    learner.learn(Map.of("age", 19, "city", "Lima"), "no");
    // example of Pending
    WaitingRows waiting = new WaitingRows(64 << 20, Duration.ofHours(1), Clock.systemUTC());
    Pending pending = new Pending(learner, waiting);
    String id = pending.predict(Map.of("age", 41, "city", "Oslo"));
    Optional<String> predicted = pending.predictedClass();
    pending.label(id, "yes"); // hours later: learns that row
    // end
    assertEquals("no", predicted.orElseThrow());
    assertEquals(2, learner.learner().instances());
  }

  @Test
  void model() {
    AutoLearner learner = trained();
    FeatureVector x = FeatureVector.dense(0, 0);
    // example of Model
    Model model = learner.snapshot();
    double label = model.predict(x);
    double[] probabilities = model.probabilities(x); // of model.label(0), model.label(1), …
    // end
    assertEquals(1, label);
    assertEquals(1, Arrays.stream(probabilities).sum(), 1e-12);
  }

  @Test
  void cellPlan() {
    AutoLearner learner = Avm.classifier().build();
    stream().forEach(instance -> learner.learn(instance.x(), instance.label()));
    List<FeatureVector> rows = stream().stream().map(Instance::x).toList();
    FeatureVector x = rows.get(0);
    List<@Nullable Model> models = new ArrayList<>(Collections.nCopies(64, null));
    long instances = learner.instances();
    // example of CellPlan
    CellPlan plan = CellPlan.of(learner, rows, 64); // a learner of these rows, which is then frozen
    int cell = plan.cellOf(x); // who learns from x
    Model whole = plan.model(models, instances); // of the models of all cells
    // end
    assertTrue(cell >= 0 && cell < 64);
    assertEquals(learner.predict(x), whole.predict(x));
  }

  @Test
  void prequential() throws IOException {
    AutoLearner learner = Avm.classifier().build();
    Instances instances = cursor(stream());
    Map<Long, Double> curve = new TreeMap<>();
    // example of Prequential
    Prequential run = new Prequential(learner, new ClassificationScore());
    run.listen(
        LearningCurve.Sampling.powersOfTwo(), point -> curve.put(point.instances(), point.error()));
    CurvePoint end = run.run(instances);
    boolean learns = end.error() < end.baseline();
    // end
    assertTrue(learns && curve.containsKey(2048L), curve.toString());
  }

  @Test
  void schema() {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      Row row = new Row();
      row.reset(2);
      row.setNumber(0, i * 1.5);
      row.setText(1, i % 2 == 0 ? "Oslo" : "Lima");
      rows.add(row);
    }
    // example of Schema
    List<String> names = List.of("age", "city");
    SchemaFitter fitter = new SchemaFitter(names, Map.of());
    rows.forEach(fitter::add);
    Schema schema = fitter.fit();
    RowEncoder encoder = schema.encoder(names); // one per thread
    FeatureVector x = encoder.encode(rows.get(0)); // valid until the next call
    // end
    assertEquals(schema.dimension(), x.dimension());
  }

  @Test
  void inference() {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      String city = i % 2 == 0 ? "Oslo" : "Lima";
      rows.add(Map.of("age", i * 37 % 60, "city", city, "bought", i % 3 == 0 ? "yes" : "no"));
    }
    // example of Inference
    Inference inferred = Inference.of(rows, "bought"); // rows are maps from names to values
    System.out.println(inferred); // classification (2 classes so far, inferred) of bought from …
    inferred.notes().forEach(System.out::println); // task: classification, because …
    RowLearner learner = inferred.learner(); // has learned nothing yet
    // end
    assertEquals(
        "classification (2 classes so far, inferred) of bought from 1 number, 1 category [city]"
            + " columns (3 features)",
        inferred.toString());
    assertEquals(List.of("task: classification, because the labels are texts"), inferred.notes());
    assertEquals(inferred.schema(), learner.schema());
  }

  private static Instances cursor(List<Instance> rows) {
    return new Instances() {
      private int at = -1;

      @Override
      public boolean next() {
        return ++at < rows.size();
      }

      @Override
      public FeatureVector x() {
        return rows.get(at).x();
      }

      @Override
      public double y() {
        return rows.get(at).label();
      }
    };
  }

  @Test
  void theJavadocHasTheseAndNoOthers() throws IOException {
    Map<String, String> here = new TreeMap<>();
    Matcher example = HERE.matcher(Files.readString(THIS));
    while (example.find()) {
      here.put(example.group(1), example.group(2).indent(-4).strip());
    }
    Map<String, String> there = new TreeMap<>();
    try (Stream<Path> files = Files.walk(SOURCES)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
        Matcher block = THERE.matcher(Files.readString(file));
        while (block.find()) {
          String name = file.getFileName().toString().replace(".java", "");
          there.put(name, block.group(1).replaceAll("(?m)^ \\* ?", "").strip());
        }
      }
    }
    assertEquals(here, there);
    assertTrue(here.size() >= 7, here.keySet().toString());
  }
}
