// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * One event loop in time of our own: what is read, refused and computed takes as long as we say.
 */
class AdmissionTest {
  private static final int READ = 15;
  private static final int REFUSE = 10;

  private long nanos;
  private final Random random = new Random(1);
  private final ArrayDeque<Long> arrived = new ArrayDeque<>();
  private final ArrayDeque<Waiting> inside = new ArrayDeque<>();
  private double next;
  private long shed;
  private int completed;
  private final double[] millis = new double[1 << 20];
  private final Admission admission = Admission.adaptive(new Limits(1000, 10, 100, 256, 10), 1);

  private record Waiting(long due, Admission.Place place) {}

  /** Share of requests shed, share of the capacity that was used, and the 99th percentile. */
  private record Outcome(double shed, double goodput, double p99) {}

  /**
   * Requests at random times.
   *
   * @param work microseconds of a request
   * @param level load as a share of what can be computed
   */
  private Outcome run(int work, double level, double seconds) {
    shed = 0;
    completed = 0;
    long start = nanos;
    next = nanos;
    while (nanos - start < seconds * 1e9) {
      double gap = 1e3 * (READ + work) / level;
      for (; next <= nanos; next -= gap * Math.log(1 - random.nextDouble())) {
        arrived.add((long) next);
      }
      long reading = readAll();
      compute(work, reading);
      if (arrived.isEmpty() && inside.isEmpty()) {
        nanos = Math.max(nanos, (long) next + 1);
      }
    }
    Arrays.sort(millis, 0, completed);
    return new Outcome(
        (double) shed / (shed + completed),
        completed * (READ + work) / (seconds * 1e6),
        millis[(int) (0.99 * completed)]);
  }

  private long readAll() {
    long start = nanos;
    for (int k = arrived.size(); k > 0; k--) {
      long due = arrived.remove();
      Admission.Place place = admission.isFull() ? null : admission.enter();
      nanos += place == null ? REFUSE * 1000 : READ * 1000;
      if (place == null) {
        shed++;
      } else {
        inside.add(new Waiting(due, place));
      }
    }
    return nanos - start;
  }

  /** As Netty does: for as long as reading took, looking at the clock every 64 tasks. */
  private void compute(int work, long reading) {
    long start = nanos;
    for (int k = 1; !inside.isEmpty(); k++) {
      Waiting one = inside.remove();
      nanos += work * 1000L;
      one.place.leave(work * 1000L);
      millis[completed++] = (nanos - one.due) / 1e6;
      if (k % 64 == 0 && nanos - start > reading) {
        break;
      }
    }
  }

  @Test
  void smallRequests() {
    Outcome light = run(25, 0.8, 5);
    assertTrue(light.shed < 0.005 && light.p99 < 20, light.toString());
    Outcome heavy = run(25, 1.2, 5);
    assertTrue(heavy.shed < 0.25 && heavy.p99 < 50, heavy.toString());
    Outcome twice = run(25, 2, 5);
    assertTrue(twice.goodput > 0.6 && twice.p99 < 50, twice.toString());
    Outcome after = run(25, 0.8, 1);
    assertTrue(after.shed < 0.005 && after.p99 < 20, "recovered in a second: " + after);
  }

  /** 256 of them at once would wait a quarter of a second: the limit follows what they take. */
  @Test
  void largeRequests() {
    Outcome light = run(900, 0.8, 20);
    assertTrue(light.shed < 0.005 && light.p99 < 20, light.toString());
    run(900, 1.2, 5);
    Outcome heavy = run(900, 1.2, 10);
    assertTrue(heavy.shed < 0.25 && heavy.p99 < 50, heavy.toString());
    Outcome twice = run(900, 2, 10);
    assertTrue(twice.goodput > 0.85 && twice.p99 < 50, twice.toString());
    assertTrue(admission.limit() < 40, "limit " + admission.limit());
    run(25, 1.2, 1);
    assertTrue(admission.limit() > 100, "rises again: " + admission.limit());
  }

  @Test
  void noMoreThanAllowedComeIn() {
    Admission few = Admission.fixed(2);
    Admission.Place first = few.enter();
    assertNotNull(few.enter());
    assertTrue(few.isFull());
    assertNull(few.enter());
    assertEquals(2, few.inside());
    assertEquals(1, few.shed());
    assertNotNull(first);
    first.leave(1000);
    assertNotNull(few.enter());
  }

  @Test
  void timesThatSayNothingChangeNothing() {
    for (int k = 0; k < 1000; k++) {
      Admission.Place place = admission.enter();
      assertNotNull(place);
      nanos += 100_000_000;
      place.leaveUnmeasured();
    }
    assertEquals(256, admission.limit());
    assertEquals(0, admission.inside());
  }
}
