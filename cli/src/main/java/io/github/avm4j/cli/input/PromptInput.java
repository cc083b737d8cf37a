// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.input;

import io.github.avm4j.data.Header;
import io.github.avm4j.data.ReaderOptions;
import io.github.avm4j.data.Readers;
import io.github.avm4j.data.RowReader;
import io.github.avm4j.feature.Column;
import io.github.avm4j.feature.Schema;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;

/** Reads rows from a pipe without reading ahead: its writer may wait for each prediction. */
public final class PromptInput {
  private static final String NAME = "standard input";
  private static final int LONGEST_LOOK = 1 << 20;

  private PromptInput() {}

  /** Opens {@code in}; it has a header if its first line contains a column name of the schema. */
  public static RowReader open(ReaderOptions options, Schema schema, InputStream in)
      throws IOException {
    byte[] first = firstLine(in);
    InputStream all = new SequenceInputStream(new ByteArrayInputStream(first), in);
    if (isCompressed(first)) {
      return Readers.open(options, NAME, all);
    }
    ReaderOptions found = options;
    if (options.header() == Header.AUTO && !schema.isNumbered()) {
      String line = new String(first, StandardCharsets.UTF_8);
      boolean names = schema.columns().stream().map(Column::name).anyMatch(n -> hasName(line, n));
      found = options.withHeader(names ? Header.YES : Header.NO);
    }
    return Readers.openPrompt(found, NAME, all);
  }

  private static byte[] firstLine(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    int next = 0;
    while (next != '\n' && line.size() < LONGEST_LOOK && (next = in.read()) >= 0) {
      line.write(next);
    }
    return line.toByteArray();
  }

  private static boolean hasName(String line, String name) {
    for (String field : line.strip().split("[,;|\t]| +", -1)) {
      if (field.strip().replaceAll("^\"|\"$", "").equals(name)) {
        return true;
      }
    }
    return false;
  }

  /** Whether the bytes begin as gzip, bzip2, xz or zstd do. */
  private static boolean isCompressed(byte[] b) {
    if (b.length < 3) {
      return false;
    }
    int start = (b[0] & 0xFF) << 16 | (b[1] & 0xFF) << 8 | (b[2] & 0xFF);
    return start == 0x1F8B08 || start == 0x425A68 || start == 0xFD377A || start == 0x28B52F;
  }
}
