// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class CsvTest {
  private static final ReaderOptions OPTIONS = ReaderOptions.defaults().withFormat(Format.CSV);

  private static List<String> rows(ReaderOptions options, String text) throws IOException {
    return Shown.rows(options, "x", text);
  }

  private static List<String> columns(ReaderOptions options, String text) throws IOException {
    try (RowReader reader = Shown.open(options, "x", text)) {
      return reader.columns();
    }
  }

  @Test
  void headerQuotesMissingAndText() throws IOException {
    String text =
        "\uFEFFa,\"b, c\",d,label\r\n"
            + "1,\"x \"\"y\"\"\",?,yes\r\n\r\n"
            + " +2.50 , NA,\"3\",\"no\n"
            + "way\"\r\n";
    RowReader reader = Shown.open(OPTIONS, "x", text);
    assertEquals(List.of("a", "b, c", "d"), reader.columns());
    assertEquals("label", reader.labelName());
    assertEquals(List.of("yes|1,'x \"y\"',?", "no\nway|2.5,?,3"), Shown.rows(reader));
    assertEquals(new Position("x", 4), reader.position());
  }

  @Test
  void rowsWithoutALabelMayBeLeftOutAndCounted() throws IOException {
    ReaderOptions options = OPTIONS.withOnBadRow(OnBadRow.SKIP_UNLABELLED);
    RowReader reader = Shown.open(options, "x", "a,y\n1,p\n2,\n3,q\n4,?\n");
    assertEquals(List.of("p|1", "q|3"), Shown.rows(reader));
    assertEquals(2, reader.skipped());
    assertEquals(List.of("2 rows without a label left out"), reader.notes());
    RowReader broken = Shown.open(options, "x", "a,y\n1,p\n2,q,3\n");
    assertThrows(BadRowException.class, () -> Shown.rows(broken));
  }

  /** A part without a defect, a patient without a finding: often the most frequent class. */
  @Test
  void noneIsAClass() throws IOException {
    RowReader reader = Shown.open(OPTIONS, "x", "a,defect\n1,none\nnone,dent\n3,None\n");
    assertEquals(List.of("none|1", "dent|?", "None|3"), Shown.rows(reader));
  }

  @Test
  void theSurestNameOfALabelWins() throws IOException {
    assertEquals("label", Shown.open(OPTIONS, "x", "x,y,label\n1,2,3\n4,5,6\n").labelName());
    assertEquals("Class", Shown.open(OPTIONS, "x", "y,Class,z\n1,2,3\n4,5,6\n").labelName());
  }

  /** A price between other columns is a feature, and y beside x is a coordinate. */
  @Test
  void someNamesAreOfALabelInTheFirstOrLastPlaceAlone() throws IOException {
    assertEquals("bought", Shown.open(OPTIONS, "x", "a,price,bought\n1,2,3\n4,5,6\n").labelName());
    assertEquals("z", Shown.open(OPTIONS, "x", "x,y,z\n1,2,3\n4,5,6\n").labelName());
    assertEquals("Price", Shown.open(OPTIONS, "x", "Price,a,b\n1,2,3\n4,5,6\n").labelName());
    assertEquals("price", Shown.open(OPTIONS, "x", "class,a,price\n1,2,3\n4,5,6\n").labelName());
    assertEquals("outcome", Shown.open(OPTIONS, "x", "y,outcome,b\n1,2,3\n4,5,6\n").labelName());
    ReaderOptions ignoring = OPTIONS.withIgnored(List.of("id", "end"));
    String text = "id,y,a,end\n1,2,3,4\n4,5,6,7\n";
    assertEquals("y", Shown.open(ignoring, "x", text).labelName());
  }

  @Test
  void noHeader() throws IOException {
    RowReader reader = Shown.open(OPTIONS, "x", "1,2,a\n3,4,b\n");
    assertEquals(List.of("c1", "c2"), reader.columns());
    assertEquals("c3", reader.labelName());
    assertEquals(List.of("a|1,2", "b|3,4"), Shown.rows(reader));
  }

  @Test
  void headersAreFound() throws IOException {
    assertEquals(List.of("a", "b"), columns(OPTIONS, "a,b,c\n1,2,3"));
    assertEquals(List.of("0", "1"), columns(OPTIONS, "0,1,target\n5,5,5\n6,6,6"));
    assertEquals(
        List.of("name", "town"), columns(OPTIONS, "name,town,kind\nann,york,p\nbob,bath,q"));
    assertEquals(List.of("c1", "c2"), columns(OPTIONS, "p,x,s\np,y,s\np,x,s"));
    assertEquals(List.of("c1", "c2"), columns(OPTIONS, "tcp,1,s\nudp,2,s"));
    assertEquals(List.of("c1", "c2"), columns(OPTIONS, "-,1,2\n1,1,2\n2,2,2\n".replace('-', '1')));
    assertEquals(List.of("c1", "a"), columns(OPTIONS, ",a,y\n1,2,3"));
    assertEquals(List.of("c1", "c2"), columns(OPTIONS.withHeader(Header.NO), "a,b,c\n1,2,3"));
    assertEquals(List.of("1", "2"), columns(OPTIONS.withHeader(Header.YES), "1,2,3\n1,2,3"));
    assertEquals(
        List.of("x", "x.1", "c3"), columns(OPTIONS.withHeader(Header.YES), "x,x,,y\n1,2,3,4"));
  }

  @Test
  void delimitersAreFound() throws IOException {
    assertEquals(List.of("3|1,2"), rows(OPTIONS, "1\t2\t3\n"));
    assertEquals(List.of("3|1,2"), rows(OPTIONS, "1;2;3\n"));
    assertEquals(List.of("3|1,2"), rows(OPTIONS, "1|2|3\n"));
    assertEquals(List.of("3|1,2", "6|4,5"), rows(OPTIONS, " 1   2\t3\n\n4 5 6  \n"));
    assertEquals(List.of("z|'a,b','c'", "z|'a','c'"), rows(OPTIONS, "a,b\tc\tz\na\tc\tz\n"));
    assertEquals(List.of("2|1.5"), rows(OPTIONS, "a;b\n1,5;2\n"));
    assertEquals(List.of("x y|1"), rows(OPTIONS.withDelimiter('/'), "1/x y\n"));
    assertEquals(List.of("b|?", "b|?"), Shown.rows(OPTIONS, "x.tsv", "\tb\n\tb"));
  }

  @Test
  void theLabel() throws IOException {
    String text = "a,Class,c\n1,2,3\n";
    assertEquals(List.of("2|1,3"), rows(OPTIONS, text));
    assertEquals(List.of("1|2,3"), rows(OPTIONS.withLabel("a"), text));
    assertEquals(List.of("1|2,3"), rows(OPTIONS.withLabel("1"), text));
    assertEquals(List.of("3|1,2"), rows(OPTIONS.withLabel("-1"), text));
    assertEquals(List.of("3|1,2"), rows(OPTIONS.withLabel("C"), text));
    BadFileException e =
        assertThrows(BadFileException.class, () -> rows(OPTIONS.withLabel("zip"), text));
    assertEquals("x: no column \"zip\" for the label; the columns are a, Class, c", e.getMessage());
    BadFileException near =
        assertThrows(BadFileException.class, () -> rows(OPTIONS.withLabel("clas"), text));
    assertEquals(
        "x: no column \"clas\" for the label (did you mean \"Class\"?); the columns are a, Class,"
            + " c",
        near.getMessage());
    assertThrows(BadFileException.class, () -> rows(OPTIONS.withLabel("4"), text));
    assertThrows(BadFileException.class, () -> rows(OPTIONS.withLabel("-4"), text));
  }

  @Test
  void rowsToPredict() throws IOException {
    ReaderOptions options = OPTIONS.withHasLabel(false);
    assertEquals(List.of("|1,2"), rows(options, "a,b\n1,2\n"));
    assertEquals(List.of("2|1", "|3"), rows(options, "a,y\n1,2\n3,\n"));
    assertEquals(List.of("|1,2"), rows(options.withLabel("zip"), "a,b\n1,2\n"));
  }

  @Test
  void weightsAndIgnoredColumns() throws IOException {
    ReaderOptions options = OPTIONS.withWeight("w").withIgnored(List.of("id", "2"));
    assertEquals(List.of("9*0.5|4", "8*0|5"), rows(options, "id,a,b,y,w\n1,2,4,9,.5\n2,3,5,8,0\n"));
    for (String weight : List.of("-1", "x", "1e999")) {
      BadRowException e =
          assertThrows(BadRowException.class, () -> rows(options, "id,a,b,y,w\n1,2,3,4," + weight));
      assertTrue(e.getMessage().startsWith("x:2"), e.getMessage());
      assertTrue(e.getMessage().contains("weight"), e.getMessage());
    }
    assertThrows(BadFileException.class, () -> rows(OPTIONS.withIgnored(List.of("q")), "a,b\n1,2"));
  }

  @Test
  void missingTokens() throws IOException {
    assertEquals(
        List.of("1|?,?,?,?,?,?,?,?,?,'1e999'"),
        rows(OPTIONS, ",?,na,N/A,nan,NULL,None,inf,-Infinity,1e999,1\n"));
    assertEquals(
        List.of("1|?,?,-9"),
        rows(OPTIONS.withMissing(List.of("-999", "x")), "-999.0,X,-9,1\n-999,?,-9,1")
            .subList(0, 1));
  }

  @Test
  void whatIsNoRow() throws IOException {
    String text = "a,b,y\n1,2,3\n1,2\n1,2,3,4\n1,2,\n5,6,7\n";
    BadRowException e = assertThrows(BadRowException.class, () -> rows(OPTIONS, text));
    assertEquals("x:3: the row has 2 fields, the columns are 3", e.getMessage());
    assertEquals(new Position("x", 3), e.position());
    RowReader reader = Shown.open(OPTIONS.withOnBadRow(OnBadRow.SKIP), "x", text);
    assertEquals(List.of("3|1,2", "7|5,6"), Shown.rows(reader));
    assertEquals(3, reader.skipped());
    assertThrows(BadFileException.class, () -> rows(OPTIONS, ""));
    assertThrows(BadFileException.class, () -> rows(OPTIONS, "\n\n"));
    BadFileException open =
        assertThrows(BadFileException.class, () -> rows(OPTIONS, "1,2\n3,\"4\n5,6\n"));
    assertTrue(open.getMessage().startsWith("x:2: not CSV from here on"), open.getMessage());
  }

  @Test
  void aFieldThatIsTooLong() {
    String text = "1,2\n3,\"" + "z".repeat(100_000) + "\"\n";
    ReaderOptions options = OPTIONS.withMaxLineBytes(50_000);
    assertThrows(BadFileException.class, () -> rows(options, text));
  }

  @Test
  void wideRows() throws IOException {
    String row = "1.5,".repeat(100_000) + "7\n";
    try (RowReader reader = Shown.open(OPTIONS, "x", row + row)) {
      assertEquals(100_000, reader.columns().size());
      assertEquals(2, Shown.rows(reader).size());
    }
  }
}
