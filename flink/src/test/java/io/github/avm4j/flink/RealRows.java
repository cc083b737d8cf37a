// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink;

import io.github.avm4j.data.ReaderOptions;
import io.github.avm4j.data.Readers;
import io.github.avm4j.data.RowReader;
import io.github.avm4j.feature.Row;
import io.github.avm4j.feature.RowEncoder;
import io.github.avm4j.feature.SchemaFitter;
import io.github.avm4j.flink.record.Example;
import io.github.avm4j.pipeline.ClassNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;

/** Public data sets as examples; classes are numbered in the order of their appearance. */
public final class RealRows {
  private static final int LOOK_AHEAD = 1000;

  private RealRows() {}

  /**
   * Rows of a LIBSVM file in the folder that the system property {@code avm4j.data} names; aborts
   * the test, with the reason, if it is not there.
   */
  public static List<Example> libsvm(String name) throws IOException {
    String folder = System.getProperty("avm4j.data", "");
    Path file = Path.of(folder, name + ".xz");
    if (folder.isEmpty() || !Files.isReadable(file)) {
      String message =
          "SKIPPED, data set " + name + " not found: -Davm4j.data=<folder> must hold " + file;
      System.out.println(message);
      Assumptions.abort(message);
    }
    return read(file, "-", Integer.MAX_VALUE);
  }

  /**
   * The first rows of a file.
   *
   * @param label the column of the label, - for LIBSVM
   * @param most at most so many
   */
  public static List<Example> read(Path file, String label, int most) throws IOException {
    ReaderOptions options = ReaderOptions.defaults().withLabel(label.equals("-") ? null : label);
    ClassNames names = new ClassNames(List.of());
    List<Example> rows = new ArrayList<>();
    Row row = new Row();
    RowEncoder encoder;
    try (RowReader reader = Readers.open(options, file)) {
      SchemaFitter fitter = new SchemaFitter(reader.columns(), Map.of());
      for (int i = 0; i < LOOK_AHEAD && reader.next(row); i++) {
        fitter.add(row);
      }
      encoder = fitter.fit().encoder(reader.columns());
    }
    try (RowReader reader = Readers.open(options, file)) {
      while (rows.size() < most && reader.next(row)) {
        double y = names.add(row.labelText());
        rows.add(new Example("", "", encoder.encode(row).copy(), y, 1, rows.size()));
      }
    }
    return rows;
  }
}
