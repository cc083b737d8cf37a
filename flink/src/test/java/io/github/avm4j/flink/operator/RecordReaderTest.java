// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.data.Format;
import io.github.avm4j.feature.Row;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RecordReaderTest {
  private final Row row = new Row();

  private static TextFormat columns(Format format) {
    return new TextFormat(
        format, List.of("a", "b,\"c", "y", "who"), "y", null, "who", null, null, ',', 2000);
  }

  private void read(RecordReader reader, String text) throws IOException {
    reader.read(text.getBytes(StandardCharsets.UTF_8), row);
  }

  @Test
  void csvRecordsOneByOne() throws Exception {
    RecordReader reader = new RecordReader(columns(Format.CSV));
    assertEquals(List.of("a", "b,\"c", "who"), reader.columns());
    for (int i = 0; i < 5000; i++) {
      read(reader, i + ",2.5,up,\"k, " + i + "\"\r\n");
      assertEquals(i, row.number(0));
      assertEquals("up", row.labelText());
      assertEquals("k, " + i, row.text(2));
    }
  }

  @Test
  void jsonRecordsHaveAnyOrderAndMayLackColumns() throws Exception {
    RecordReader reader = new RecordReader(columns(Format.JSON_LINES));
    read(reader, "{\"y\":1,\"a\":7,\"other\":[1,2]}");
    assertEquals(7, row.number(0));
    assertEquals(Row.Kind.MISSING, row.kind(1));
    assertEquals("1", row.labelText());
    read(reader, "{\"b,\\\"c\":3}");
    assertEquals(3, row.number(1));
    assertEquals(Row.Kind.MISSING, row.labelKind());
  }

  @Test
  void aBadRecordSaysWhyAndTheNextIsRead() throws Exception {
    for (Format format : List.of(Format.CSV, Format.JSON_LINES, Format.LIBSVM)) {
      RecordReader reader =
          new RecordReader(format == Format.LIBSVM ? TextFormat.libsvm() : columns(format));
      String good =
          switch (format) {
            case CSV -> "1,2,3,4";
            case LIBSVM -> "3 1:1 2:2";
            default -> "{\"a\":1,\"y\":3}";
          };
      for (String bad :
          List.of(
              "",
              " ",
              "# no row",
              "a\nb",
              "\"unclosed",
              "{",
              "1 1:",
              "1,2",
              "\u0000",
              "x".repeat(3000))) {
        try {
          read(reader, bad);
          assertTrue(format == Format.CSV || bad.startsWith("#") || bad.isBlank(), format + bad);
        } catch (IOException e) {
          assertTrue(e.getMessage().length() > 10, e.getMessage());
        }
        read(reader, good);
        assertEquals("3", row.labelText(), format + " after " + bad);
      }
    }
  }

  @Test
  void twoRowsInOneRecordAreRefused() {
    RecordReader reader = new RecordReader(TextFormat.libsvm());
    IOException e = assertThrows(IOException.class, () -> read(reader, "1 1:1\n1 1:2"));
    assertTrue(e.getMessage().contains("one line"), e.getMessage());
  }

  @Test
  void noiseNeverBreaksTheReaderForWhatFollows() throws Exception {
    Random random = new Random(5);
    for (Format format : List.of(Format.CSV, Format.JSON_LINES, Format.LIBSVM)) {
      RecordReader reader =
          new RecordReader(format == Format.LIBSVM ? TextFormat.libsvm() : columns(format));
      for (int i = 0; i < 3000; i++) {
        byte[] noise = new byte[random.nextInt(40)];
        random.nextBytes(noise);
        try {
          reader.read(noise, row);
        } catch (IOException e) {
          assertTrue(e.getMessage() != null);
        }
        read(
            reader,
            format == Format.LIBSVM ? "9 1:1" : format == Format.CSV ? "1,2,9,4" : "{\"y\":9}");
        assertEquals("9", row.labelText(), format + " record " + i);
      }
    }
  }

  @Test
  void namedColumnsMustExist() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> new TextFormat(Format.CSV, List.of("a"), "y", null, null, null, null, ',', 100));
    assertTrue(e.getMessage().contains("no column is named y"), e.getMessage());
  }
}
