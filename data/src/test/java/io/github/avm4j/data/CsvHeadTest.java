// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.feature.Row;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is found, or refused, from the first lines of CSV. */
class CsvHeadTest {
  private static final ReaderOptions OPTIONS = ReaderOptions.defaults().withFormat(Format.CSV);

  private static void refused(String text, String words) {
    String message =
        assertThrows(BadFileException.class, () -> Shown.open(OPTIONS, "x.csv", text)).getMessage();
    assertTrue(message.startsWith("x.csv: ") && message.contains(words), message);
  }

  @Test
  void twoColumnsOfOneNameAreRefused() throws IOException {
    refused("a,b,a,label\n1,2,3,yes\n4,5,6,no\n", "two columns are called 'a'; rename one");
    refused("a, a ,label\np,q,yes\nr,s,no\n", "--no-header if the first line is a row");
    String rows = "no,no,1\nno,yes,2\nyes,no,1\n";
    assertEquals(3, Shown.rows(OPTIONS, "x", rows).size(), "no names, but rows");
    String unnamed = ",,c\n1,2,3\n4,5,6\n";
    assertEquals(List.of("c1", "c2"), Shown.open(OPTIONS, "x", unnamed).columns());
  }

  @Test
  void aLabelAloneIsNoData() {
    refused("label\nyes\nno\n", "there is no feature column besides the label label");
    refused("1\n2\n3\n", "there is no feature column besides the label c1");
  }

  @Test
  void commasArePointsWhereSemicolonsStandBetweenFields() throws IOException {
    assertEquals(
        List.of("ja|0.1234,-5.5", "nein|7,'1.234,5'"),
        Shown.rows(OPTIONS, "x", "0,1234;-5,5;ja\n7;1.234,5;nein\n"));
    RowReader named = Shown.open(OPTIONS, "x", "a;b\n0,5;1,5\n,25;2.5\n");
    assertEquals(List.of("a"), named.columns());
    assertEquals(List.of("1.5|0.5", "2.5|0.25"), Shown.rows(named));
    assertEquals(List.of("ja|0.5", "ja|1.5"), Shown.rows(OPTIONS, "x", "0,5;ja\n1,5;ja\n"));
    assertEquals(List.of("3|1,2"), Shown.rows(OPTIONS, "x", "1,2,3\n"), "as ever");
  }

  @Test
  void bytesThatAreNotUtf8AreSaid() throws IOException {
    byte[] latin =
        "a,city,label\n1,Rom,x\n2,K\u00f6ln,y\n3,N\u00eemes,x\n"
            .getBytes(StandardCharsets.ISO_8859_1);
    RowReader reader = Readers.open(OPTIONS, "x", new ByteArrayInputStream(latin));
    assertEquals(3, Shown.rows(reader).size());
    assertEquals(1, reader.notes().size());
    String note = reader.notes().get(0);
    assertTrue(note.startsWith("x: line 3 is the first with bytes that are not UTF-8"), note);
    byte[] names = "a,gr\u00f6\u00dfe\n1,x\n2,y\n".getBytes(StandardCharsets.ISO_8859_1);
    reader = Readers.open(OPTIONS, "x", new ByteArrayInputStream(names));
    assertEquals(2, Shown.rows(reader).size());
    assertTrue(reader.notes().get(0).startsWith("x: a column's name has"), reader.notes().get(0));
    byte[] fine = "a,city,label\n1,K\u00f6ln,x\n".getBytes(StandardCharsets.UTF_8);
    reader = Readers.open(OPTIONS, "x", new ByteArrayInputStream(fine));
    assertEquals(1, Shown.rows(reader).size());
    assertEquals(List.of(), reader.notes());
  }

  @Test
  void howACellIsWrittenIsKept() throws IOException {
    Row row = new Row();
    assertTrue(Shown.open(OPTIONS, "x", "id,a,y\n007,2,1\n3,4,1\n").next(row));
    assertEquals("007", row.written(0));
    assertEquals("7", row.text(0));
    ReaderOptions json = OPTIONS.withFormat(Format.JSONL);
    String line = "{\"id\": 12345678901234567890, \"a\": 2, \"y\": 1}\n";
    assertTrue(Shown.open(json, "x", line).next(row));
    assertEquals("12345678901234567890", row.written(0));
  }
}
