// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import io.github.avm4j.fixtures.FreePort;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * {@code avm serve} on one port through all its lives, and somebody who asks it ten times a second.
 */
final class ChaosServing implements AutoCloseable {
  private final Path avm;
  private final Path folder;
  private final String broker;
  private final int port;
  private final Thread questions = new Thread(this::ask, "questions");
  private final AtomicLong predicted = new AtomicLong();
  private volatile boolean asking = true;
  private volatile @Nullable ServeDemo up;
  private volatile @Nullable Exception problem;

  ChaosServing(Path avm, Path folder, String broker) throws Exception {
    this.port = FreePort.take();
    this.avm = avm;
    this.folder = folder;
    this.broker = broker;
    start();
    questions.setDaemon(true);
    questions.start();
  }

  void start() throws Exception {
    up = new ServeDemo(avm, folder, port, broker, "one-models", "feedback");
  }

  void kill() {
    ServeDemo running = up;
    up = null;
    if (running != null) {
      running.close();
    }
  }

  /** HOST:PORT. */
  String address() {
    return "localhost:" + port;
  }

  /** Rows that were predicted; throws if one failed while the server was up. */
  long predicted() throws Exception {
    Exception failed = problem;
    if (failed != null) {
      throw failed;
    }
    return predicted.get();
  }

  boolean serves(String version) throws Exception {
    ServeDemo running = up;
    return running != null && running.model().toString().contains(version);
  }

  /** A question that fails although the server was up before and after it is a problem. */
  private void ask() {
    while (asking) {
      ServeDemo running = up;
      try {
        Thread.sleep(100);
        List<String> labels =
            running == null ? List.of() : running.ask("q", "[{\"a\":0.1,\"b\":0.2,\"c\":0.3}]");
        predicted.addAndGet(labels.size());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      } catch (Exception e) {
        if (running == up) {
          problem = e;
        }
      }
    }
  }

  /** Asks no more; what is under way is waited for. */
  void stopAsking() throws InterruptedException {
    asking = false;
    questions.join();
  }

  @Override
  public void close() {
    asking = false;
    kill();
  }
}
