// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ArffTest {
  private static final ReaderOptions OPTIONS = ReaderOptions.defaults();
  private static final String HEADER =
      """
      % comment
      @RELATION 'a b'

      @attribute a REAL
      @Attribute 'b b' {x, 'y z',"q'q"}
      @attribute s string
      @attribute d date "yyyy-MM-dd"
      @attribute\tk {0,1}%c
      @DATA
      """;

  private static List<String> rows(String text) throws IOException {
    return Shown.rows(OPTIONS, "x", text);
  }

  @Test
  void dense() throws IOException {
    RowReader reader =
        Shown.open(
            OPTIONS,
            "x",
            HEADER
                + "1.5,x,hello,2001-01-01,1\n% comment\n\n"
                + " ? , 'y z' , 'it\\'s, ok' , ? , 0 \r\n"
                + "-1e3,\"q'q\",\"\",'2001',1, {2.5}\n");
    assertEquals(List.of("a", "b b", "s", "d"), reader.columns());
    assertEquals("k", reader.labelName());
    assertEquals(
        List.of(
            "1|1.5,'x','hello','2001-01-01'", "0|?,'y z','it's, ok',?", "1*2.5|-1000,'q'q',?,2001"),
        Shown.rows(reader));
  }

  @Test
  void sparse() throws IOException {
    assertEquals(
        List.of("0|0,'x',?,?", "1|2,'y z','t',?", "0*3|0,'x',?,?"),
        rows(HEADER + "{}\n{0 2, 1 'y z',2 t , 4 1}\n{ }, {3}\n"));
  }

  @Test
  void tabsBetweenFields() throws IOException {
    String header = "@relation r\n@attribute a numeric\n@attribute b numeric\n@data\n";
    assertEquals(List.of("2|1", "4|3", "6|5"), rows(header + "1\t2\n3,\t4\n5\t,6\n"));
  }

  private static void fails(String data, String... parts) {
    BadRowException e = assertThrows(BadRowException.class, () -> rows(HEADER + data));
    for (String part : parts) {
      assertTrue(e.getMessage().contains(part), e.getMessage());
    }
  }

  @Test
  void whatIsNoRow() {
    fails("z,x,s,d,1", "x:10, column 1 (a)", "number or ?", "\"z");
    fails("'z',x,s,d,1", "column 1 (a)", "number or ?");
    fails("1,w,s,d,1", "column 2 (b b)", "not among those declared", "\"w\"");
    fails("1,x,s,d", "4 fields");
    fails("1,x,s,d,1,1", "6 fields");
    fails("1,x,s,d,?", "label is missing");
    fails("1,x,s,d,1,{x}", "weight");
    fails("1,'x,s,d,1", "quote");
    fails("1,'x'y,s,d,1", "quote");
    fails("{0 1", "ends with }");
    fails("{9 1}", "index value");
    fails("{x 1}", "index value");
    fails("{0}", "index value");
  }

  @Test
  void whatIsNoHeader() {
    for (String text :
        List.of(
            "@relation x\n@attribute a\n@data\n1",
            "@relation x\n@attribute a {x,y\n@data\n1",
            "@relation x\n@attribute a relational\n@data\n1",
            "@relation x\n@attribute a real\n1,2",
            "@relation x\n@attribute 'a real\n@data",
            "@relation x\n@attribute a real")) {
      assertThrows(BadFileException.class, () -> rows(text), text);
    }
  }

  @Test
  void declaredValuesAreGiven() throws IOException {
    RowReader reader = Shown.open(OPTIONS.withIgnored(List.of("s")), "x", HEADER + "1,x,a,?,1\n");
    assertEquals(
        Map.of("b b", List.of("x", "y z", "q'q"), "k", List.of("0", "1")), reader.declared());
    RowReader table = Shown.open(OPTIONS, "x", "a,b\n1,2\n");
    assertEquals(Map.of(), table.declared());
  }
}
