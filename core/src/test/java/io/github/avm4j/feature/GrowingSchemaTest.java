// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.feature;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class GrowingSchemaTest {
  private static final List<String> NAMES = List.of("v");

  /** Two known values, room for two more, then three buckets. */
  private static Schema schema() {
    Column.Details details = Column.Details.NEWEST.withRoom(2);
    return new Schema(
        List.of(new Column("v", Column.Kind.CATEGORY, Fill.NONE, List.of("a", "b"), 3, details)));
  }

  private static Row row(String value) {
    Row row = new Row();
    row.reset(1);
    row.setText(0, value);
    return row;
  }

  private static int hot(RowEncoder encoder, String value) {
    FeatureVector x = encoder.encode(row(value));
    for (int j = 0; j < x.count(); j++) {
      if (x.get(j) != 0) {
        return j;
      }
    }
    return -1;
  }

  @Test
  void newValuesGetFeaturesUntilThereIsNoRoom() {
    GrowingSchema growing = new GrowingSchema(schema());
    RowEncoder encoder = growing.encoder(NAMES);
    RowEncoder reader = growing.reader(NAMES);
    assertEquals(7, schema().dimension());
    assertEquals(-1, hot(reader, "c"));
    assertEquals(1, reader.unusableCount());
    assertEquals(2, hot(encoder, "c"));
    assertEquals(2, hot(reader, "c"));
    assertEquals(-1, hot(reader, "d"));
    assertEquals(3, hot(encoder, "d"));
    int hashed = 4 + TextHash.MURMUR3.bucket("e", 3);
    assertEquals(hashed, hot(encoder, "e"));
    assertEquals(hashed, hot(reader, "e"));
    assertEquals(0, encoder.unusableCount());
    Column grown = growing.schema().columns().get(0);
    assertEquals(List.of("a", "b", "c", "d"), grown.categories());
    assertEquals(0, grown.details().room());
    assertEquals(7, growing.schema().dimension());
    assertEquals("v=c", growing.schema().featureName(2));
    assertEquals("v#0", growing.schema().featureName(4));
    assertEquals("v+0", schema().featureName(2));
  }

  @Test
  void aSchemaReadAgainGoesOnWhereItStopped() {
    GrowingSchema growing = new GrowingSchema(schema());
    growing.encoder(NAMES).encode(row("c"));
    GrowingSchema again = new GrowingSchema(growing.schema());
    assertEquals(hot(growing.encoder(NAMES), "d"), hot(again.encoder(NAMES), "d"));
    assertEquals(growing.schema(), again.schema());
    assertNotEquals(schema(), again.schema());
  }

  @Test
  void closedSchemasHashWhatIsNew() {
    Schema closed = schema().closed();
    assertEquals(schema().dimension(), closed.dimension());
    RowEncoder one = closed.encoder(NAMES);
    RowEncoder other = new GrowingSchema(closed).encoder(NAMES);
    for (String value : List.of("a", "b", "c", "d", "e", "f")) {
      assertEquals(hot(one, value), hot(other, value));
    }
    assertEquals(2 + TextHash.MURMUR3.bucket("c", 5), hot(one, "c"));
  }

  @Test
  void longTextsAreNotStored() {
    GrowingSchema growing = new GrowingSchema(schema());
    String text = "x".repeat(1001);
    RowEncoder encoder = growing.encoder(NAMES);
    assertEquals(-1, hot(encoder, text));
    assertEquals(1, encoder.unusableCount());
    assertEquals(schema(), growing.schema());
    encoder.encode(row("c"));
    encoder.encode(row("d"));
    assertEquals(4 + TextHash.MURMUR3.bucket(text, 3), hot(encoder, text));
  }
}
