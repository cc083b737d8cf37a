// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.data;

import io.github.avm4j.feature.Decimals;
import java.util.List;
import java.util.Locale;

/** Finds a file's format from its name, else from its first lines. */
final class FormatFinder {
  private FormatFinder() {}

  static Format find(Input input) throws BadFileException {
    byte[] b = input.head().bytes();
    if (b.length >= 4 && b[0] == 'P' && b[1] == 'A' && b[2] == 'R' && b[3] == '1') {
      return Format.PARQUET;
    }
    Format named = byName(input.name());
    return named == Format.AUTO ? byContent(input) : named;
  }

  private static Format byName(String name) {
    String plain = name.toLowerCase(Locale.ROOT).replaceFirst("\\.(gz|bz2|xz|zst)$", "");
    return switch (plain.substring(plain.lastIndexOf('.') + 1)) {
      case "libsvm", "svm", "svmlight" -> Format.LIBSVM;
      case "csv", "tsv" -> Format.CSV;
      case "arff" -> Format.ARFF;
      case "jsonl", "ndjson" -> Format.JSONL;
      case "parquet" -> Format.PARQUET;
      default -> Format.AUTO;
    };
  }

  private static Format byContent(Input input) throws BadFileException {
    List<String> lines = input.head().lines();
    boolean libsvm = false;
    boolean onlyLibsvm = true;
    for (String line : lines) {
      String start = line.strip();
      String lower = start.substring(0, Math.min(start.length(), 12)).toLowerCase(Locale.ROOT);
      if (lower.startsWith("@relation") || lower.startsWith("@attribute")) {
        return Format.ARFF;
      }
      if (!libsvm && onlyLibsvm && start.startsWith("{")) {
        return Format.JSONL;
      }
      if (!start.startsWith("#") && !start.startsWith("%")) {
        onlyLibsvm &= isLibsvm(start);
        libsvm |= start.indexOf(':') >= 0;
      }
    }
    if (lines.isEmpty()) {
      throw new BadFileException(input.name() + ": there is nothing in it");
    }
    return libsvm && onlyLibsvm ? Format.LIBSVM : Format.CSV;
  }

  /** Whether every token is {@code index:value}, but for a number at the start. */
  private static boolean isLibsvm(String line) {
    boolean first = true;
    for (String token : line.split("\\s+", 1000)) {
      if (token.startsWith("#") || token.length() > 1000) {
        return true;
      }
      int colon = token.indexOf(':');
      boolean pair =
          colon > 0
              && (token.startsWith("qid:")
                  || (token.substring(0, colon).matches("[0-9]{1,10}")
                      && isNumber(token.substring(colon + 1))));
      if (!pair && !(first && isNumber(token))) {
        return false;
      }
      first = false;
    }
    return true;
  }

  static boolean isNumber(String text) {
    return !Double.isNaN(Decimals.parse(text));
  }
}
