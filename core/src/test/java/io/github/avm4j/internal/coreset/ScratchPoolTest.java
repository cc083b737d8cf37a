// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.coreset;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ScratchPoolTest {
  @Test
  void oneThreadGetsItsScratchBack() {
    ScratchPool<Object> pool = new ScratchPool<>(Object::new);
    Object first = pool.take();
    assertNotSame(first, pool.take());
    pool.give(first);
    assertSame(first, pool.take());
  }

  /** However many threads come and go, there is as much scratch as are inside at once. */
  @Test
  void scratchIsNeverShared() throws InterruptedException {
    AtomicInteger made = new AtomicInteger();
    ScratchPool<AtomicBoolean> pool =
        new ScratchPool<>(
            () -> {
              made.incrementAndGet();
              return new AtomicBoolean();
            });
    AtomicBoolean shared = new AtomicBoolean();
    for (int round = 0; round < 50; round++) {
      List<Thread> threads = new ArrayList<>();
      for (int t = 0; t < 4; t++) {
        Thread thread =
            new Thread(
                () -> {
                  for (int i = 0; i < 1000; i++) {
                    AtomicBoolean mine = pool.take();
                    if (!mine.compareAndSet(false, true)) {
                      shared.set(true);
                    }
                    mine.set(false);
                    pool.give(mine);
                  }
                });
        threads.add(thread);
        thread.start();
      }
      for (Thread thread : threads) {
        thread.join();
      }
    }
    assertFalse(shared.get());
    assertTrue(made.get() <= 64, made + " made for four threads at a time");
  }
}
