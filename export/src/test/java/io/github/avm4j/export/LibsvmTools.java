// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.export;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Row;
import io.github.avm4j.feature.RowEncoder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** LIBSVM's real programs, of Debian's libsvm-tools. */
final class LibsvmTools {
  private LibsvmTools() {}

  static boolean areHere() {
    return Files.isExecutable(Path.of("/usr/bin/svm-predict"));
  }

  /** Rows as LIBSVM writes them; labels are not looked at when predicting. */
  static Path data(Path folder, RowEncoder encoder, List<Row> rows, boolean labels)
      throws IOException {
    StringBuilder text = new StringBuilder();
    for (Row row : rows) {
      text.append(labels ? row.labelText() : "0");
      FeatureVector x = encoder.encode(row);
      for (int k = 0; k < x.count(); k++) {
        if (x.values()[k] != 0) {
          int index = x.isSparse() ? x.indices()[k] : k;
          text.append(' ').append(index + 1).append(':').append(x.values()[k]);
        }
      }
      text.append('\n');
    }
    return Files.writeString(folder.resolve(labels ? "train.txt" : "rows.txt"), text);
  }

  /** What svm-predict says, a line a row. */
  static List<String> predict(Path folder, Path rows, byte[] model) throws Exception {
    Path file = Files.write(folder.resolve("a.model"), model);
    Path out = folder.resolve("answers.txt");
    run("svm-predict", rows.toString(), file.toString(), out.toString());
    return Files.readAllLines(out);
  }

  /** What svm-train makes of rows. */
  static byte[] train(Path folder, Path rows, String... options) throws Exception {
    Path out = folder.resolve("trained.model");
    List<String> command = new ArrayList<>(List.of("svm-train", "-q"));
    command.addAll(List.of(options));
    command.addAll(List.of(rows.toString(), out.toString()));
    run(command.toArray(String[]::new));
    return Files.readAllBytes(out);
  }

  private static void run(String... command) throws Exception {
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (!process.waitFor(120, TimeUnit.SECONDS) || process.exitValue() != 0) {
      process.destroyForcibly();
      throw new IOException(String.join(" ", command) + " failed");
    }
  }
}
