// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.function.Executable;

/**
 * The contract of everything that joins rows with labels that come later, in a process or in a job:
 * a row is learned once, with its own label, in time; and whatever is not learned is counted.
 */
public final class LateLabelChecks {
  /** How long a row waits in all these checks. */
  public static final Duration WITHIN = Duration.ofSeconds(10);

  private static final Duration INSTANT = Duration.ofMillis(1);

  private final Supplier<? extends Join> fresh;

  private LateLabelChecks(Supplier<? extends Join> fresh) {
    this.fresh = fresh;
  }

  /** What is checked. Rows and labels are numbers. */
  public interface Join {
    /**
     * A row arrives.
     *
     * @param id no id comes twice
     * @param row the row
     * @throws Exception if the join fails
     */
    void row(String id, int row) throws Exception;

    /**
     * A label arrives.
     *
     * @param id of its row
     * @param label the label
     * @return false if it is refused at once, so that its sender may send it again
     * @throws Exception if the join fails
     */
    boolean label(String id, int label) throws Exception;

    /**
     * Time passes.
     *
     * @param time how much
     * @throws Exception if the join fails
     */
    void pass(Duration time) throws Exception;

    /**
     * It is saved and goes on from there; what was learned so far stays in {@link #learned}.
     *
     * @throws Exception if the join fails
     */
    void restart() throws Exception;

    /**
     * {@return what was learned, in order: {@code row=label}}
     *
     * @throws Exception if the join fails
     */
    List<String> learned() throws Exception;

    /** {@return the number of rows that were learned} */
    long joined();

    /** {@return the number of rows without a label in time} */
    long unlabelled();

    /** {@return the number of labels that were not learned} */
    long lateLabels();
  }

  /**
   * The checks by name.
   *
   * @param fresh makes a join that rows wait in for {@link #WITHIN}
   * @return what fails where the contract is broken
   */
  public static Map<String, Executable> of(Supplier<? extends Join> fresh) {
    LateLabelChecks all = new LateLabelChecks(fresh);
    Map<String, Executable> checks = new LinkedHashMap<>();
    checks.put("rows are learned in the order of their labels", all::inOrderOfLabels);
    checks.put("a row waits so long and no longer", all::expires);
    checks.put("a second label is refused", all::twice);
    checks.put("a label that comes first is learned once", all::labelFirst);
    checks.put("a label of no row is counted", all::ofNoRow);
    checks.put("whatever happens, all is accounted for", all::accounts);
    return checks;
  }

  private static void assertCounts(Join join, long joined, long unlabelled, long late)
      throws Exception {
    join.pass(WITHIN.multipliedBy(2)); // nothing waits any more
    assertEquals(
        List.of(joined, unlabelled, late),
        List.of(join.joined(), join.unlabelled(), join.lateLabels()),
        "joined, unlabelled, late labels");
    assertEquals(joined, join.learned().size());
  }

  private void inOrderOfLabels() throws Exception {
    Join join = fresh.get();
    join.row("a", 1);
    join.row("b", 2);
    join.row("c", 3);
    join.label("c", 30);
    join.restart();
    join.label("a", 10);
    join.pass(INSTANT);
    join.label("b", 20);
    assertEquals(List.of("3=30", "1=10", "2=20"), join.learned());
    assertCounts(join, 3, 0, 0);
  }

  private void expires() throws Exception {
    Join join = fresh.get();
    join.row("a", 1);
    join.row("b", 2);
    join.pass(WITHIN.minus(INSTANT));
    join.label("a", 10);
    join.pass(INSTANT);
    join.label("b", 20);
    assertEquals(List.of("1=10"), join.learned());
    assertCounts(join, 1, 1, 1);
  }

  private void twice() throws Exception {
    Join join = fresh.get();
    join.row("a", 1);
    join.label("a", 10);
    join.label("a", 11);
    join.restart();
    join.label("a", 12);
    assertEquals(List.of("1=10"), join.learned());
    join.pass(WITHIN);
    assertEquals(List.of("1=10"), join.learned());
    assertEquals(2, join.lateLabels());
  }

  /** A sender whose label was refused sends it again. */
  private void labelFirst() throws Exception {
    Join join = fresh.get();
    boolean taken = join.label("a", 10);
    join.restart();
    join.row("a", 1);
    if (!taken) {
      assertEquals(List.of(), join.learned());
      join.label("a", 10);
    }
    assertEquals(List.of("1=10"), join.learned());
    assertCounts(join, 1, 0, taken ? 0 : 1);
  }

  private void ofNoRow() throws Exception {
    Join join = fresh.get();
    join.row("a", 1);
    join.label("b", 20);
    assertEquals(List.of(), join.learned());
    assertCounts(join, 0, 1, 1);
  }

  private void accounts() throws Exception {
    for (int seed = 0; seed < 5; seed++) {
      Random random = new Random(seed);
      Join join = fresh.get();
      int rows = 0;
      int labels = 0;
      for (int step = 0; step < 400; step++) {
        int what = random.nextInt(20);
        if (what < 8) {
          join.row("r" + rows, rows);
          rows++;
        } else if (what < 17) {
          int of = Math.max(0, rows - random.nextInt(8));
          join.label("r" + (of == rows ? "x" + rows : of), 1000 + of);
          labels++;
        } else if (what < 19) {
          join.pass(Duration.ofMillis(1 + random.nextInt(3000)));
        } else if (random.nextInt(5) == 0) {
          join.restart();
        }
      }
      join.pass(WITHIN.multipliedBy(2));
      assertEquals(rows, join.joined() + join.unlabelled(), "rows, seed " + seed);
      assertEquals(labels, join.joined() + join.lateLabels(), "labels, seed " + seed);
      List<String> learned = new ArrayList<>(join.learned());
      assertEquals(join.joined(), learned.size());
      assertEquals(learned.size(), learned.stream().distinct().count(), "each row once");
      for (String one : learned) {
        int at = one.indexOf('=');
        int row = Integer.parseInt(one.substring(0, at));
        assertEquals(1000 + row, Integer.parseInt(one.substring(at + 1)), "its own label");
      }
      if (learned.size() < 20 || join.unlabelled() == 0 || join.lateLabels() == 0) {
        throw new AssertionError("the stream tests too little, seed " + seed);
      }
    }
  }
}
