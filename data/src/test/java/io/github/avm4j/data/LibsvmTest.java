// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.feature.CellReader;
import io.github.avm4j.feature.Row;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class LibsvmTest {
  private static final ReaderOptions OPTIONS = ReaderOptions.defaults().withFormat(Format.LIBSVM);

  private static List<String> rows(String text) throws IOException {
    return Shown.rows(OPTIONS, "x", text);
  }

  private static void fails(String text, String... parts) {
    BadRowException e = assertThrows(BadRowException.class, () -> rows(text));
    for (String part : parts) {
      assertTrue(e.getMessage().contains(part), e.getMessage());
    }
  }

  @Test
  void labelsAndFeatures() throws IOException {
    assertEquals(
        List.of("1|0:0.5,2:-2", "-1|", "2.5|9:1000"), rows("+1 1:.5 3:-2 \n-1\n2.5\t10:1e3"));
  }

  @Test
  void commentsBlankLinesQueriesLineEndsAndMark() throws IOException {
    RowReader reader =
        Shown.open(OPTIONS, "x", "\uFEFF# hello\r\n1 qid:3 2:1 # note 3:x\r\n\r\n  \n 0 qid:4");
    assertEquals(List.of("1|1:1", "0|"), Shown.rows(reader));
    assertEquals(List.of("x: qid ignored on 2 rows"), reader.notes());
    assertEquals(new Position("x", 5), reader.position());
    assertEquals(List.of(), reader.columns());
  }

  @Test
  void indices() throws IOException {
    fails("1 0:1", "x:1", "\"0:1\"", "zeroBased");
    assertEquals(List.of("1|0:1,1:2"), Shown.rows(OPTIONS.withZeroBased(true), "x", "1 0:1 1:2"));
    fails("1 1:1\n1 5:1 4:1", "x:2", "ascend", "after 5", "4:1");
    fails("1 5:1 5:1", "ascend");
    fails("1 -5:1", "index:value");
    fails("1 99999999999999999999:1", "at most");
    fails("1 2147483648:1", "at most");
    assertEquals(List.of("1|2147483646:1"), rows("1 2147483647:1"));
  }

  @Test
  void whatIsNoRow() {
    fails("spam 1:1", "label", "spam", "finite number");
    fails("nan 1:1", "label");
    fails("1:1 2:1", "label", "no label");
    fails("1 1:x", "finite number", "1:x");
    fails("1 1:", "finite number");
    fails("1 1:nan", "finite");
    fails("1 1:1e999", "finite");
    fails("1 1", "index:value");
    fails("1 :1", "index:value");
    fails("1 q:1", "index:value");
    fails("1 1:\u0000", "finite");
  }

  @Test
  void rowsToPredictMayLackTheLabel() throws IOException {
    assertEquals(
        List.of("|0:1,1:2", "3|0:1"),
        Shown.rows(OPTIONS.withHasLabel(false), "x", "1:1 2:2\n3 1:1"));
  }

  @Test
  void badRowsAreSkippedAndCounted() throws IOException {
    RowReader reader =
        Shown.open(OPTIONS.withOnBadRow(OnBadRow.SKIP), "x", "1 1:1\nx\n2 1:1\n3 0:1\n4 1:1\n");
    assertEquals(List.of("1|0:1", "2|0:1", "4|0:1"), Shown.rows(reader));
    assertEquals(2, reader.skipped());
    assertEquals(3, reader.rows());
    assertTrue(reader.notes().get(0).startsWith("2 bad rows skipped, the first: x:2"));
  }

  @Test
  void readingGoesOnAfterAFailure() throws IOException {
    Row row = new Row();
    try (RowReader reader = Shown.open(OPTIONS, "x", "1 1:1 0:2\n7 2:1")) {
      assertThrows(BadRowException.class, () -> reader.next(row));
      assertTrue(reader.next(row));
      assertEquals("7|1:1", Shown.row(row, CellReader.DEFAULT));
      assertFalse(reader.next(row));
      assertFalse(reader.next(row));
    }
  }

  @Test
  void aLineThatIsTooLongCostsNoMemory() throws IOException {
    String text = "1 1:1\n2 " + "1".repeat(200_000) + ":1\n3 1:1\n4 " + "1".repeat(200_000);
    ReaderOptions options = OPTIONS.withMaxLineBytes(70_000).withOnBadRow(OnBadRow.SKIP);
    RowReader reader = Shown.open(options, "x", text);
    assertEquals(List.of("1|0:1", "3|0:1"), Shown.rows(reader));
    assertTrue(reader.notes().get(0).contains("x:2: the line is longer than 70000 bytes"));
  }

  @Test
  void longLinesAcrossBufferEnds() throws IOException {
    StringBuilder text = new StringBuilder();
    for (int r = 0; r < 300; r++) {
      text.append(r);
      for (int k = 1; k <= (r * 37) % 5000; k++) {
        text.append(' ').append(k).append(":0.25");
      }
      text.append(r % 2 == 0 ? "\n" : "\r\n");
    }
    Row row = new Row();
    try (RowReader reader = Shown.open(OPTIONS, "x", text.toString())) {
      for (int r = 0; r < 300; r++) {
        assertTrue(reader.next(row));
        assertEquals(r, row.labelNumber());
        assertEquals((r * 37) % 5000, row.featureCount());
      }
      assertFalse(reader.next(row));
    }
  }
}
