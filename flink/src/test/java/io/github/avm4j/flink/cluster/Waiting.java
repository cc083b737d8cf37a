// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.cluster;

import java.time.Duration;

/** Waiting for things other processes do. */
public final class Waiting {
  /** How long: six minutes, or {@code -Davm4j.patience} where the machine has other work. */
  public static final Duration PATIENCE = Duration.ofMinutes(Long.getLong("avm4j.patience", 6));

  private Waiting() {}

  /** Something that comes true. */
  public interface Condition {
    /** Whether it has. */
    boolean holds() throws Exception;
  }

  /** Waits until it holds, as long as {@link #PATIENCE}. */
  public static void until(String what, Condition condition) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      try {
        if (condition.holds()) {
          return;
        }
      } catch (RuntimeException e) {
        throw new AssertionError(what, e);
      } catch (InterruptedException e) {
        throw e;
      } catch (Exception e) {
        if (System.nanoTime() > end) {
          throw new AssertionError("no " + what, e);
        }
      }
      if (System.nanoTime() > end) {
        throw new AssertionError("no " + what + " within " + PATIENCE);
      }
      Thread.sleep(100);
    }
  }
}
