// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.data;

import io.github.avm4j.feature.Row;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * CPU time per row, the best of three seconds' rounds, unpacking left out: {@code java … ReadCost
 * FOLDER [file …]}.
 */
final class ReadCost {
  private static final String[] FILES = {
    "a9a/a9a",
    "ijcnn1/ijcnn1",
    "covtype/covtype.data",
    "kddcup99/kddcup.data_10_percent",
    "streams/outdoorStream.csv",
    "casp/CASP.csv",
    "electricity/electricity.arff",
    "extra/Skin_NonSkin.txt"
  };

  private ReadCost() {}

  public static void main(String[] args) throws IOException {
    for (String file : args.length > 1 ? args[1].split(",", -1) : FILES) {
      byte[] bytes;
      Path path = Path.of(args[0], file + ".xz");
      try (InputStream in = Compression.XZ.unpack(Files.newInputStream(path))) {
        bytes = in.readNBytes(1 << 29);
      }
      double best = Double.MAX_VALUE;
      long rows = 0;
      for (long total = 0; total < 3_000_000_000L; ) {
        long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        rows = read(file, bytes);
        long time = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start;
        best = Math.min(best, (double) time / rows);
        total += time;
      }
      System.out.printf(
          Locale.ROOT,
          "%-34s %8d rows %7.3f µs/row %7.1f MB/s%n",
          file,
          rows,
          best / 1e3,
          1e3 * bytes.length / rows / best);
    }
  }

  private static long read(String file, byte[] bytes) throws IOException {
    try (RowReader reader =
        Readers.open(ReaderOptions.defaults(), file, new ByteArrayInputStream(bytes))) {
      Row row = new Row();
      while (reader.next(row)) {}
      return reader.rows();
    }
  }
}
