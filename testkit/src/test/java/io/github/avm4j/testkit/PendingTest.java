// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.feature.CellReader;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.pipeline.Pending;
import io.github.avm4j.pipeline.RowLearner;
import io.github.avm4j.pipeline.RowModel;
import io.github.avm4j.pipeline.WaitingRows;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Labels that come later. */
class PendingTest {
  private static final long BYTES = 1 << 20;
  private static final Schema SCHEMA = Schema.builder().number("age").category("city").build();

  /** A clock that is set. */
  private static final class SetClock extends Clock {
    private Instant now = Instant.parse("2026-06-01T00:00:00Z");

    void pass(Duration time) {
      now = now.plus(time);
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }

    @Override
    public Instant instant() {
      return now;
    }
  }

  /** Rows and labels are numbers, and what is learned is seen by the sum that the learner fits. */
  private static final class Numbers implements LateLabelChecks.Join {
    private final SetClock clock = new SetClock();
    private final List<String> learned = new ArrayList<>();
    private String next = "";
    private WaitingRows waiting = waiting();
    private final Map<String, Integer> rows = new HashMap<>();
    private Pending pending =
        new Pending(RowLearner.regressor(Schema.builder().number("row").build()).build(), waiting);
    private long counted;

    private WaitingRows waiting() {
      return new WaitingRows(BYTES, LateLabelChecks.WITHIN, clock, () -> next);
    }

    @Override
    public void row(String id, int row) {
      next = id;
      rows.put(id, row);
      assertEquals(id, pending.predict(Map.of("row", row)));
    }

    @Override
    public boolean label(String id, int label) {
      byte[] before = pending.learner().toBytes();
      try {
        pending.label(id, label);
      } catch (NoSuchElementException | IllegalStateException e) {
        assertArrayEquals(before, pending.learner().toBytes(), "refused, and yet learned");
        return false;
      }
      learned.add(rows.get(id) + "=" + label);
      counted++;
      assertEquals(counted, pending.learner().snapshot().model().provenance().instances());
      return true;
    }

    @Override
    public void pass(Duration time) {
      clock.pass(time);
      pending.expire();
    }

    @Override
    public void restart() throws Exception {
      byte[] file = pending.toBytes();
      waiting = waiting();
      pending = Pending.read(file, waiting, null);
      assertArrayEquals(file, pending.toBytes());
    }

    @Override
    public List<String> learned() {
      return learned;
    }

    @Override
    public long joined() {
      return waiting.joined();
    }

    @Override
    public long unlabelled() {
      return waiting.unlabelled();
    }

    @Override
    public long lateLabels() {
      return waiting.lateLabels();
    }
  }

  @TestFactory
  Stream<DynamicTest> contract() {
    return LateLabelChecks.of(Numbers::new).entrySet().stream()
        .map(check -> DynamicTest.dynamicTest(check.getKey(), check.getValue()));
  }

  private static Map<String, Object> row(Random random) {
    return Map.of("age", 20 + random.nextInt(50), "city", random.nextBoolean() ? "Oslo" : "Lima");
  }

  private static String truth(Map<String, Object> row) {
    return row.get("city").equals("Oslo") == ((int) row.get("age") < 45) ? "yes" : "no";
  }

  @Test
  void itLearnsWhatALearnerWithoutDelayLearnsAndGoesOnBitForBit() throws Exception {
    SetClock clock = new SetClock();
    RowLearner plain = RowLearner.classifier(SCHEMA).build();
    WaitingRows waiting = new WaitingRows(BYTES, Duration.ofHours(1), clock);
    Pending pending = new Pending(RowLearner.classifier(SCHEMA).build(), waiting);
    Random random = new Random(1);
    List<String> ids = new ArrayList<>();
    Map<String, Map<String, Object>> rows = new HashMap<>();
    for (int t = 0; t < 600; t++) {
      Map<String, Object> row = row(random);
      String id = pending.predict(row);
      assertEquals(plain.predictClass(row), pending.predictedClass());
      ids.add(id);
      rows.put(id, row);
      if (random.nextInt(3) > 0) {
        String due = ids.remove(random.nextInt(ids.size()));
        pending.label(due, truth(rows.get(due)));
        plain.learn(rows.get(due), truth(rows.get(due)));
      }
      if (t % 97 == 0) {
        byte[] file = pending.toBytes();
        waiting = new WaitingRows(BYTES, Duration.ofHours(1), clock);
        pending = Pending.read(file, waiting, null);
        assertArrayEquals(file, pending.toBytes());
      }
    }
    assertEquals(ids.size(), waiting.waiting());
    assertArrayEquals(plain.toBytes(), pending.learner().toBytes());
    assertArrayEquals(plain.toBytes(), RowLearner.read(pending.toBytes()).toBytes());
    assertEquals(
        SCHEMA.columns().size(), RowModel.read(pending.toBytes()).schema().columns().size());
  }

  @Test
  void everyCellComesBackAsItWas() {
    Schema schema =
        Schema.builder()
            .category("code")
            .number("size")
            .number("share")
            .category("flag")
            .date("since")
            .cells(CellReader.DEFAULT.withVerbatim(Set.of("code")))
            .build();
    Map<String, @Nullable Object> row = new HashMap<>();
    row.put("code", "007");
    row.put("size", new BigDecimal("1e400"));
    row.put("share", 0.1f);
    row.put("flag", true);
    row.put("since", LocalDate.of(2026, 2, 3));
    row.put("none", null);
    RowLearner direct = RowLearner.classifier(schema).build().lenient();
    direct.learn(row, "yes");
    assertEquals("2 unusable cells {none=1, size=1}", direct.unusable().toString());
    Pending pending =
        new Pending(
            RowLearner.classifier(schema).build().lenient(),
            new WaitingRows(BYTES, Duration.ofHours(1), new SetClock()));
    pending.label(pending.predict(row), "yes");
    assertArrayEquals(direct.toBytes(), pending.learner().toBytes());
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class, () -> pending.predict(Map.of("code", List.of(1))));
    assertTrue(String.valueOf(refused.getMessage()).startsWith("column code: "), refused::toString);
    assertEquals(0, pending.waiting().waiting());
  }

  @Test
  void aRowWithoutALabelInTimeGetsTheDefault() {
    SetClock clock = new SetClock();
    WaitingRows waiting = new WaitingRows(BYTES, Duration.ofMinutes(5), clock);
    Pending pending = new Pending(RowLearner.classifier(SCHEMA).build(), waiting, "no");
    String first = pending.predict(Map.of("age", 30, "city", "Oslo"));
    clock.pass(Duration.ofMinutes(4));
    String second = pending.predict(Map.of("age", 50, "city", "Lima"));
    clock.pass(Duration.ofMinutes(2));
    pending.label(second, "yes");
    RowLearner plain = RowLearner.classifier(SCHEMA).build();
    plain.learn(Map.of("age", 30, "city", "Oslo"), "no");
    plain.learn(Map.of("age", 50, "city", "Lima"), "yes");
    assertArrayEquals(plain.toBytes(), pending.learner().toBytes());
    assertThrows(NoSuchElementException.class, () -> pending.label(first, "yes"));
    assertEquals(1, waiting.unlabelled());
    assertThrows(
        IllegalArgumentException.class,
        () -> new Pending(RowLearner.classifier(SCHEMA).build(), waiting, 0.5));
  }

  @Test
  void bytesAreBoundedAndTheOldestRowGoes() {
    WaitingRows waiting = new WaitingRows(2000, Duration.ofHours(1), new SetClock());
    List<String> ids = new ArrayList<>();
    for (int t = 0; t < 100; t++) {
      ids.add(waiting.add(Map.of("age", t, "city", "Oslo")));
      assertTrue(waiting.bytes() <= 2000);
    }
    assertTrue(waiting.waiting() > 3 && waiting.waiting() < 20);
    assertEquals(100, waiting.waiting() + waiting.dropped());
    assertEquals(99.0, waiting.take(ids.get(99)).get("age"));
    assertThrows(NoSuchElementException.class, () -> waiting.take(ids.get(0)));
    String id = waiting.add(Map.of("age", 1));
    assertEquals(1.0, waiting.find(id).get("age"));
    for (int t = 0; t < 100; t++) {
      waiting.add(Map.of("age", t, "city", "Oslo"));
    }
    waiting.settle(id); // it was dropped between: its label counts all the same
    assertThrows(IllegalStateException.class, () -> waiting.take(id));
    IllegalArgumentException large =
        assertThrows(
            IllegalArgumentException.class, () -> waiting.add(Map.of("city", "x".repeat(3000))));
    assertTrue(String.valueOf(large.getMessage()).contains("allow more"), large::toString);
  }

  @Test
  void refusalsSayWhatToDo() {
    WaitingRows waiting = new WaitingRows(BYTES, Duration.ofHours(1), new SetClock());
    Pending pending = new Pending(RowLearner.classifier(SCHEMA).build(), waiting);
    String id = pending.predict(Map.of("age", 3));
    assertThrows(IllegalArgumentException.class, () -> pending.label(id, 0.5));
    assertEquals(1, waiting.waiting(), "a label that cannot be learned takes no row");
    pending.label(id, "yes");
    String twice =
        String.valueOf(
            assertThrows(IllegalStateException.class, () -> pending.label(id, "yes")).getMessage());
    assertTrue(twice.contains("learned once"), twice);
    String unknown =
        String.valueOf(
            assertThrows(NoSuchElementException.class, () -> pending.label("x", "yes"))
                .getMessage());
    assertTrue(unknown.contains("learn it together with its label"), unknown);
    waiting.settle("of a journal");
    assertThrows(IllegalStateException.class, () -> pending.label("of a journal", "yes"));
  }

  @Test
  void aDamagedFileIsRefused() {
    WaitingRows waiting = new WaitingRows(BYTES, Duration.ofHours(1), new SetClock());
    Pending pending = new Pending(RowLearner.classifier(SCHEMA).build(), waiting);
    pending.predict(Map.of("age", 3, "city", "Oslo"));
    byte[] good = pending.toBytes();
    Random random = new Random(5);
    int read = 0;
    for (int k = 0; k < 300; k++) {
      byte[] bad = good.clone();
      bad[bad.length - 1 - random.nextInt(100)] ^= (byte) (1 + random.nextInt(255));
      WaitingRows empty = new WaitingRows(BYTES, Duration.ofHours(1), new SetClock());
      assertThrows(InvalidModelException.class, () -> Pending.read(bad, empty, null));
      read++;
    }
    assertEquals(300, read);
    assertFalse(waiting.bytes() == 0);
  }
}
