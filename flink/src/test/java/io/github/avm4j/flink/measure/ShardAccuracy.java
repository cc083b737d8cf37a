// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.measure;

import io.github.avm4j.Avm;
import io.github.avm4j.data.ReaderOptions;
import io.github.avm4j.data.Readers;
import io.github.avm4j.data.RowReader;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Row;
import io.github.avm4j.feature.RowEncoder;
import io.github.avm4j.feature.SchemaFitter;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.model.Model;
import io.github.avm4j.pipeline.ClassNames;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * How the number of shards and the merge interval change the error, simulated in one thread: rows
 * are dealt round to the paper's learners, all are merged every so many rows, and each row is
 * answered by the newest merged model, as a reader of the model topic would.
 *
 * <p>Arguments: file, label column (or - for LIBSVM), γ, δ, λ, budget, most rows, "shuffled" or
 * "as-is".
 */
public final class ShardAccuracy {
  private static final int[] SHARDS = {1, 4, 16, 64, 256};
  private static final int[] EVERY = {1000, 10_000};

  private record Labelled(FeatureVector x, double y) {}

  private ShardAccuracy() {}

  /** Prints one line a number of shards and interval. */
  public static void main(String[] args) throws Exception {
    List<Labelled> rows = read(Path.of(args[0]), args[1], Integer.parseInt(args[6]));
    if (args[7].equals("shuffled")) {
      Collections.shuffle(rows, new Random(1));
    }
    double gamma = Double.parseDouble(args[2]);
    double delta = Double.parseDouble(args[3]);
    double lambda = Double.parseDouble(args[4]);
    int budget = Integer.parseInt(args[5]);
    for (int every : EVERY) {
      for (int shards : SHARDS) {
        List<Learner> learners = new ArrayList<>();
        for (int s = 0; s < shards; s++) {
          learners.add(
              Avm.paperClassifier()
                  .gamma(gamma)
                  .delta(delta)
                  .lambda(lambda)
                  .budget(budget)
                  .build());
        }
        System.out.println(run(rows, learners, every));
      }
    }
  }

  private static String run(List<Labelled> rows, List<Learner> learners, int every) {
    long wrong = 0;
    long merging = 0;
    Model model = null;
    for (int i = 0; i < rows.size(); i++) {
      Labelled row = rows.get(i);
      wrong += answer(model, row) == row.y ? 0 : 1;
      learners.get(i % learners.size()).learn(row.x, row.y, 1);
      if ((i + 1) % every == 0) {
        long before = System.nanoTime();
        model = (learners.size() == 1 ? learners.get(0) : Avm.merge(learners)).snapshot();
        merging += System.nanoTime() - before;
      }
    }
    return String.format(
        Locale.ROOT,
        "%d shards, merged every %d: error %.4f, merge %.1f ms, %d core points",
        learners.size(),
        every,
        (double) wrong / rows.size(),
        merging / 1e6 / Math.max(1, rows.size() / every),
        model == null ? 0 : model.size());
  }

  private static double answer(@Nullable Model model, Labelled row) {
    return model == null ? Double.NaN : model.predict(row.x);
  }

  private static List<Labelled> read(Path file, String label, int most) throws IOException {
    ReaderOptions options = ReaderOptions.defaults().withLabel(label.equals("-") ? null : label);
    ClassNames names = new ClassNames(List.of());
    List<Labelled> rows = new ArrayList<>();
    Row row = new Row();
    RowEncoder encoder;
    try (RowReader reader = Readers.open(options, file)) {
      SchemaFitter fitter = new SchemaFitter(reader.columns(), Map.of());
      for (int i = 0; i < 1000 && reader.next(row); i++) {
        fitter.add(row);
      }
      encoder = fitter.fit().encoder(reader.columns());
    }
    try (RowReader reader = Readers.open(options, file)) {
      while (rows.size() < most && reader.next(row)) {
        rows.add(new Labelled(encoder.encode(row).copy(), names.add(row.labelText())));
      }
    }
    return rows;
  }
}
