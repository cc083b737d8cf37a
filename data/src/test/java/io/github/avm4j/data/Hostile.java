// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.data;

import io.github.avm4j.feature.Row;
import java.io.ByteArrayInputStream;
import java.io.IOException;

/** Reads any bytes as a format and checks what must hold whatever they are. */
final class Hostile {
  private Hostile() {}

  /** Reads to the end or to an error; only IOExceptions with a message may come out. */
  static void read(Format format, byte[] bytes) {
    for (OnBadRow onBadRow : OnBadRow.values()) {
      ReaderOptions options =
          ReaderOptions.defaults()
              .withFormat(format)
              .withOnBadRow(onBadRow)
              .withMaxLineBytes(1 << 16)
              .withHasLabel(bytes.length % 2 == 0);
      try (RowReader reader = Readers.open(options, "x", new ByteArrayInputStream(bytes))) {
        check(reader, bytes.length);
      } catch (BadRowException e) {
        require(onBadRow != OnBadRow.SKIP, "a bad row came out: " + e.getMessage());
        require(e.getMessage().startsWith("x:"), e.getMessage());
        require(e.getMessage().length() < 400, "the message is long");
      } catch (BadFileException e) {
        require(e.getMessage().startsWith("x"), e.getMessage());
      } catch (IOException e) {
        throw new AssertionError("neither a bad row nor a bad file", e);
      }
    }
  }

  private static void check(RowReader reader, int length) throws IOException {
    Row row = new Row();
    long rows = 0;
    int width = reader.columns().size();
    while (reader.next(row)) {
      rows++;
      require(row.width() == width, "width " + row.width() + " of " + width);
      require(row.weight() >= 0 && Double.isFinite(row.weight()), "weight " + row.weight());
      row.features();
      for (int k = 0; k < row.featureCount(); k++) {
        require(Double.isFinite(row.features().values()[k]), "a feature is not finite");
      }
      for (int c = 0; c < width; c++) {
        require(row.kind(c) != Row.Kind.NUMBER || Double.isFinite(row.number(c)), "cell " + c);
      }
      require(reader.position().line() >= 1, "no line");
      require(reader.rows() == rows, "rows");
      require(rows <= length + 1L, "more rows than bytes");
    }
    require(!reader.next(row), "goes on after the end");
    reader.notes();
  }

  private static void require(boolean condition, String message) {
    if (!condition) {
      throw new AssertionError(message);
    }
  }
}
