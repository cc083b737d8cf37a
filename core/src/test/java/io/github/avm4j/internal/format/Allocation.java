// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.format;

import com.sun.management.ThreadMXBean;
import io.github.avm4j.model.InvalidModelException;
import java.io.IOException;
import java.lang.management.ManagementFactory;

/** Bytes that the current thread allocates on the heap. */
public final class Allocation {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private Allocation() {}

  /** What is measured. */
  public interface Action {
    void run() throws IOException;
  }

  /** All bytes this thread has allocated so far. */
  public static long soFar() {
    return THREADS.getCurrentThreadAllocatedBytes();
  }

  /** Bytes one run allocates; whatever it throws is part of it. The least of three runs. */
  public static long of(Action action) {
    long least = Long.MAX_VALUE;
    for (int run = 0; run < 3; run++) {
      long before = soFar();
      try {
        action.run();
      } catch (IOException | InvalidModelException e) {
        // The refusal is measured too.
      }
      least = Math.min(least, soFar() - before);
    }
    return least;
  }
}
