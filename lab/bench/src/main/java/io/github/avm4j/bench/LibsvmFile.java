// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.bench;

import io.github.avm4j.feature.FeatureVector;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.tukaani.xz.XZInputStream;

/** Reads LIBSVM text, plain or with {@code .xz}; small and trusting, for known files only. */
final class LibsvmFile {
  private LibsvmFile() {}

  /** The lines of {@code name} or {@code name.xz} that hold a row. */
  static List<String> lines(Path data, String name) throws IOException {
    Path plain = data.resolve(name);
    try (InputStream in =
            Files.exists(plain)
                ? Files.newInputStream(plain)
                : new XZInputStream(Files.newInputStream(data.resolve(name + ".xz")));
        BufferedReader reader =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      return reader.lines().filter(line -> !line.isBlank()).toList();
    }
  }

  /** −1 or 1. */
  static double label(String line) {
    return Double.parseDouble(line.strip().split("\\s+", 2)[0]) > 0 ? 1 : -1;
  }

  /** The row's features; {@code features} &gt; 0 for a dense vector of that many. */
  static FeatureVector vector(String line, int features) {
    return row(line.strip().split("\\s+", -1), features);
  }

  private static FeatureVector row(String[] parts, int features) {
    int[] indices = new int[parts.length - 1];
    double[] values = new double[features > 0 ? features : parts.length - 1];
    for (int k = 0; k < indices.length; k++) {
      int colon = parts[k + 1].indexOf(':');
      indices[k] = Integer.parseInt(parts[k + 1].substring(0, colon)) - 1;
      values[features > 0 ? indices[k] : k] = Double.parseDouble(parts[k + 1].substring(colon + 1));
    }
    return features > 0 ? FeatureVector.dense(values) : FeatureVector.sparse(indices, values);
  }
}
