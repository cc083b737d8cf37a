// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.feature.Row;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RecordParserTest {
  private final Row row = new Row();

  private static RecordParser parser(Format format) {
    ReaderOptions options = ReaderOptions.defaults().withFormat(format).withHasLabel(false);
    return format == Format.LIBSVM
        ? RecordParser.of(options, List.of())
        : RecordParser.of(options.withLabel("y"), List.of("a", "b,\"c", "y", "who"));
  }

  private void read(RecordParser parser, String text) {
    parser.parse(text.getBytes(StandardCharsets.UTF_8), row);
  }

  private String refusal(Format format, String text) {
    return assertThrows(BadRowException.class, () -> read(parser(format), text)).getMessage();
  }

  @Test
  void csvRecordsOneByOne() throws Exception {
    RecordParser reader = parser(Format.CSV);
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
    RecordParser reader = parser(Format.JSONL);
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
    for (Format format : List.of(Format.CSV, Format.JSONL, Format.LIBSVM)) {
      RecordParser reader = parser(format);
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
        } catch (BadRowException e) {
          assertTrue(e.getMessage().length() > 10, e.getMessage());
        }
        read(reader, good);
        assertEquals("3", row.labelText(), format + " after " + bad);
      }
    }
  }

  @Test
  void twoRowsInOneRecordAreRefused() {
    assertTrue(refusal(Format.LIBSVM, "1 1:1\n1 1:2").contains("index:value"));
    assertTrue(refusal(Format.CSV, "1,2,3,4\n1,2,3,4").contains("line end"));
    assertTrue(refusal(Format.JSONL, "{\"a\":1}\n{\"a\":2}").contains("here is more"));
  }

  @Test
  void quotesOfCsv() {
    RecordParser reader = parser(Format.CSV);
    read(reader, "1, \"say \"\"no\"\", or\" ,\"up\",\"two\nlines\"");
    assertEquals(1, row.number(0));
    assertEquals("say \"no\", or", row.text(1));
    assertEquals("up", row.labelText());
    assertEquals("two\nlines", row.text(2));
    read(reader, "\"7\",a\"b,,");
    assertEquals(7, row.number(0));
    assertEquals("a\"b", row.text(1));
    assertEquals(Row.Kind.MISSING, row.labelKind());
    assertEquals(Row.Kind.MISSING, row.kind(2));
    assertTrue(refusal(Format.CSV, "1,2,3,\"4").contains("not closed"));
    assertTrue(refusal(Format.CSV, "1,\"2\"3,4,5").contains("closing quote"));
    assertTrue(refusal(Format.CSV, "1,2,3").contains("3 fields"));
    assertTrue(refusal(Format.CSV, "1,2,3,4,5").contains("5 fields"));
  }

  @Test
  void aRecordIsReadAsALineOfAFileIs() throws Exception {
    Random random = new Random(11);
    String[] cells = {
      "1", " 2.5 ", "", "NA", "-1e3", "x", "\"a b\"", "\"\"\"\"", "é", "1,5", "inf"
    };
    for (char delimiter : new char[] {';', '\t', '|'}) {
      ReaderOptions options =
          ReaderOptions.defaults()
              .withFormat(Format.CSV)
              .withHasLabel(false)
              .withDelimiter(delimiter)
              .withHeader(Header.YES);
      RecordParser parser = RecordParser.of(options, List.of("a", "b", "c"));
      StringBuilder file = new StringBuilder("a|b|c\n".replace('|', delimiter));
      List<String> lines = new ArrayList<>();
      for (int i = 0; i < 300; i++) {
        String line = "";
        for (int k = 0; k < 3; k++) {
          line += (k == 0 ? "" : delimiter) + cells[random.nextInt(cells.length)];
        }
        lines.add(line);
        file.append(line).append('\n');
      }
      Row expected = new Row();
      byte[] bytes = file.toString().getBytes(StandardCharsets.UTF_8);
      try (RowReader reader = Readers.open(options, "x", new ByteArrayInputStream(bytes))) {
        for (String line : lines) {
          assertTrue(reader.next(expected));
          read(parser, line);
          for (int k = 0; k < 3; k++) {
            assertEquals(expected.kind(k), row.kind(k), line);
            if (row.kind(k) != Row.Kind.MISSING) {
              assertEquals(expected.text(k), row.text(k), line);
            }
          }
        }
      }
    }
  }

  @Test
  void noiseNeverBreaksTheReaderForWhatFollows() throws Exception {
    Random random = new Random(5);
    for (Format format : List.of(Format.CSV, Format.JSONL, Format.LIBSVM)) {
      RecordParser reader = parser(format);
      for (int i = 0; i < 3000; i++) {
        byte[] noise = new byte[random.nextInt(40)];
        random.nextBytes(noise);
        try {
          reader.parse(noise, row);
        } catch (BadRowException e) {
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
  void whatIsNoFormatOfRecords() {
    ReaderOptions options = ReaderOptions.defaults().withFormat(Format.PARQUET);
    String message =
        assertThrows(IllegalArgumentException.class, () -> RecordParser.of(options, List.of("a")))
            .getMessage();
    assertTrue(message.contains("PARQUET"), message);
  }
}
