// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.follow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Exchanger;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Whatever a look throws, the next one comes; no test waits for a time to pass. */
class FollowerTest {
  private static final Duration EVERY = Duration.ofHours(1);

  private final RecordingStore store = new RecordingStore(1);

  /** Throws what is planned for each look, null for nothing; counts down when it is closed. */
  private static final class Planned implements ModelSource {
    private final List<? extends Throwable> plan;
    private final CountDownLatch closed = new CountDownLatch(1);
    private int looks;

    Planned(Throwable... plan) {
      this.plan = java.util.Arrays.asList(plan);
    }

    @Override
    public String name() {
      return "planned";
    }

    @Override
    public void poll() throws IOException {
      Throwable now = looks < plan.size() ? plan.get(looks) : null;
      looks++;
      if (now instanceof IOException e) {
        throw e;
      }
      if (now instanceof Error e) {
        throw e;
      }
      if (now instanceof RuntimeException e) {
        throw e;
      }
    }

    @Override
    public void close() {
      closed.countDown();
    }
  }

  @Test
  void saysOnceThatASourceIsGoneAndThatItIsBack() {
    Planned source =
        new Planned(
            null,
            new IOException("away"),
            new IllegalStateException("still"),
            new OutOfMemoryError("planned"),
            null);
    Follower follower = new Follower(source, store);
    follower.poll();
    assertEquals(List.of(), store.said());
    follower.poll();
    follower.poll();
    follower.poll();
    assertEquals(List.of("gone java.io.IOException: away"), store.said());
    assertEquals("java.lang.OutOfMemoryError: planned", follower.problem());
    follower.poll();
    assertEquals(List.of("back"), store.said());
    assertNull(follower.problem());
  }

  @Test
  void tellsAtTheNextLookWhatCouldNotBeTold() {
    RecordingStore busy =
        new RecordingStore(1) {
          private boolean first = true;

          @Override
          public void gone(String source, String reason) {
            if (first) {
              first = false;
              throw new OutOfMemoryError("planned");
            }
            super.gone(source, reason);
          }
        };
    Follower follower = new Follower(new Planned(new IOException("a"), new IOException("b")), busy);
    follower.poll();
    assertEquals(List.of(), busy.said());
    follower.poll();
    assertEquals(List.of("gone java.io.IOException: b"), busy.said());
  }

  @Test
  void looksAgainAfterEachPauseAndClosesTheSourceInItsThread() throws Exception {
    Exchanger<Boolean> pauses = new Exchanger<>();
    Planned source = new Planned(null, new StackOverflowError("planned"), null);
    Follower follower =
        new Follower(
            source,
            store,
            time -> {
              assertEquals(EVERY, time);
              pauses.exchange(true);
            });
    follower.start(EVERY);
    assertEquals(1, source.looks, "once in this thread");
    // The third pause begins when the second look of the thread is over.
    for (int pause = 0; pause < 3; pause++) {
      assertNotNull(pauses.exchange(true, 1, TimeUnit.MINUTES));
    }
    follower.close();
    assertTrue(source.closed.await(1, TimeUnit.MINUTES));
    assertTrue(source.looks >= 3, () -> source.looks + " looks");
    assertEquals(List.of("gone java.lang.StackOverflowError: planned", "back"), store.said());
    follower.poll();
    assertEquals(List.of(), store.said(), "a closed one looks no more");
  }

  @Test
  void closesASourceThatWasNeverStarted() throws Exception {
    Planned source = new Planned();
    new Follower(source, store).close();
    assertTrue(source.closed.await(1, TimeUnit.MINUTES));
  }
}
