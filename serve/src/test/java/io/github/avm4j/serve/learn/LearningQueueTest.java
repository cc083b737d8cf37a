// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.learn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.linecorp.armeria.common.HttpHeaderNames;
import io.github.avm4j.pipeline.WaitingRows;
import io.github.avm4j.serve.http.EventLog;
import io.github.avm4j.serve.http.Problem;
import io.github.avm4j.serve.http.Reply;
import io.github.avm4j.serve.models.ModelRepository;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A queue of rows that is full refuses, and says when to come back. */
class LearningQueueTest {
  @TempDir Path folder;

  @Test
  void aFullQueueRefusesAndTheRestIsLearned() throws Exception {
    Clock clock = Clock.systemUTC();
    PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    EventLog log = new EventLog(nowhere, clock);
    ModelRepository repository = new ModelRepository(3, log, clock);
    WaitingRows waiting = new WaitingRows(1 << 20, Duration.ofHours(1), clock);
    LearnFolder opened = LearnFolder.open(folder, false, Duration.ofHours(1), log, clock);
    Learning learning = new Learning(opened, "", waiting, repository);
    TaughtRow row = new TaughtRow(Map.of("a", "1"), new Truth("yes", false), "");
    List<CompletableFuture<Learning.State>> taken = new ArrayList<>();
    for (int k = 0; k < 20; k++) {
      taken.add(learning.learn(Collections.nCopies(Learning.MOST_ROWS, row)));
      assertFalse(taken.get(k).isDone(), "nobody learns yet");
    }
    assertEquals(20_000, learning.queued());
    ExecutionException full =
        assertThrows(ExecutionException.class, () -> learning.learn(List.of(row)).get());
    Reply reply = Reply.of(Problem.of(full.getCause()));
    assertEquals(503, reply.status().code());
    assertEquals("1", reply.headers().get(HttpHeaderNames.RETRY_AFTER));
    assertTrue(full.getMessage().contains("send it again later"), full::getMessage);
    learning.start();
    assertEquals(20_000, taken.get(19).get().rows());
    learning.close();
    assertEquals(0, learning.queued());
    assertThrows(ExecutionException.class, () -> learning.learn(List.of(row)).get());
  }
}
