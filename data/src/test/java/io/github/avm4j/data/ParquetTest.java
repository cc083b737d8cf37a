// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import blue.strategic.parquet.Dehydrator;
import blue.strategic.parquet.ParquetWriter;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ParquetTest {
  private static final ReaderOptions OPTIONS = ReaderOptions.defaults();

  @TempDir Path folder;

  private static Path write(Path file, String schema, List<Object[]> rows) throws IOException {
    MessageType type = MessageTypeParser.parseMessageType(schema);
    Dehydrator<Object[]> writer =
        (row, out) -> {
          for (int c = 0; c < row.length; c++) {
            if (row[c] != null) {
              out.write(type.getFieldName(c), row[c]);
            }
          }
        };
    try (ParquetWriter<Object[]> out = ParquetWriter.writeFile(type, file.toFile(), writer)) {
      for (Object[] row : rows) {
        out.write(row);
      }
    }
    return file;
  }

  static Path sample(Path file) throws IOException {
    return write(
        file,
        """
        message m {
          optional double d; optional float f; optional int32 i; optional int64 l;
          optional boolean b; optional binary s (STRING); optional int64 p (DECIMAL(9,2));
          optional binary y (STRING);
        }
        """,
        List.of(
            new Object[] {1.5, 2.5f, 3, 4L, true, "héllo", 125L, "up"},
            new Object[] {null, null, null, null, null, null, null, "down"},
            new Object[] {Double.NaN, -1f, -2, -3L, false, "7", -50L, "up"}));
  }

  @Test
  void flatColumns() throws IOException {
    Path file = sample(folder.resolve("x"));
    List<String> rows =
        List.of(
            "up|1.5,2.5,3,4,'true','héllo',1.25",
            "down|?,?,?,?,?,?,?",
            "up|?,-1,-2,-3,'false',7,-0.5");
    RowReader reader = Readers.open(OPTIONS, file);
    assertEquals(List.of("d", "f", "i", "l", "b", "s", "p"), reader.columns());
    assertEquals("y", reader.labelName());
    assertEquals(rows, Shown.rows(reader));
    byte[] bytes = Files.readAllBytes(file);
    assertEquals(rows, Shown.rows(Readers.open(OPTIONS, "-", new ByteArrayInputStream(bytes))));
    assertEquals(6, Shown.rows(Readers.open(OPTIONS, file, file)).size());
    ReaderOptions chosen =
        OPTIONS
            .withLabel("l")
            .withIgnored(List.of("f", "i", "b", "s", "p", "y"))
            .withOnBadRow(OnBadRow.SKIP);
    assertEquals(List.of("4|1.5", "-3|?"), Shown.rows(Readers.open(chosen, file)));
  }

  @Test
  void datesAndTimestamps() throws IOException {
    Path file =
        write(
            folder.resolve("t"),
            """
            message m {
              optional int32 d (DATE); optional int64 i (TIMESTAMP(MILLIS,true));
              optional int64 u (TIMESTAMP(MICROS,false)); optional double y;
            }
            """,
            List.<Object[]>of(
                new Object[] {19_723, 1_704_153_600_000L, 1_704_153_601_000_000L, 1.5}));
    assertEquals(
        List.of("1.5|'2024-01-01','2024-01-02T00:00:00Z','2024-01-02T00:00:01'"),
        Shown.rows(Readers.open(OPTIONS, file)));
  }

  @Test
  void nestedColumnsAreRefused() throws IOException {
    Path file =
        write(
            folder.resolve("n"),
            "message m { optional double a; repeated double y; }",
            List.<Object[]>of(new Object[] {1.5}));
    BadFileException e = assertThrows(BadFileException.class, () -> Readers.open(OPTIONS, file));
    assertTrue(e.getMessage().contains("column y is nested"), e.getMessage());
  }

  @Test
  void brokenFiles() throws IOException {
    byte[] whole = Files.readAllBytes(sample(folder.resolve("x")));
    for (int size = 4; size < whole.length; size += 17) {
      byte[] cut = Arrays.copyOf(whole, size);
      assertThrows(
          BadFileException.class,
          () -> Shown.rows(Readers.open(OPTIONS, "x", new ByteArrayInputStream(cut))));
    }
  }
}
