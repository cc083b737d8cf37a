// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.EventLoopGroup;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SocketThreadTest {
  private static final int TRIES = 5;

  /** The default of the quiet period that Netty waits for. */
  private static final double QUIET_SECONDS = 2;

  @TempDir Path folder;

  @Test
  void hasItsNameAndEnds() throws Exception {
    EventLoopGroup group = SocketThread.named("a-name");
    assertEquals("a-name", group.submit(() -> Thread.currentThread().getName()).get());
    group.shutdownGracefully().get();
    assertTrue(group.isTerminated());
  }

  /**
   * The shortest of some ends counts: a busy machine makes them longer, nothing makes one shorter.
   */
  @Test
  void aServerWithAnAdministrationEndsBeforeNettyWouldHave() throws Exception {
    RunningServer.put(folder, "m-1.avm", TestModels.numbered(2, 10, 1));
    double shortest = Double.POSITIVE_INFINITY;
    for (int k = 0; k < TRIES && shortest >= QUIET_SECONDS; k++) {
      RunningServer server = new RunningServer(folder, "--admin-port=0");
      assertEquals(200, server.get("/v2/health/ready").statusCode());
      long begin = System.nanoTime();
      server.close();
      shortest = Math.min(shortest, (System.nanoTime() - begin) / 1e9);
    }
    assertTrue(shortest < QUIET_SECONDS, shortest + " s");
  }
}
