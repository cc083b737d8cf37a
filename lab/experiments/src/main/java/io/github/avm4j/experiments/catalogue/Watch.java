// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments.catalogue;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;

/** Reads a stream and closes it, from a thread of its own, when it stays silent for too long. */
final class Watch implements Closeable {
  private final InputStream in;
  private final Duration silence;
  private final Thread thread;
  private volatile long last = System.nanoTime();
  private volatile boolean silent;
  private volatile boolean closed;

  Watch(InputStream in, Duration silence) {
    this.in = in;
    this.silence = silence;
    thread = new Thread(this::watch, "avm4j-download-watch");
    thread.setDaemon(true);
    thread.start();
  }

  private void watch() {
    try {
      while (!closed) {
        long left = silence.toNanos() - (System.nanoTime() - last);
        if (left <= 0) {
          silent = true;
          in.close();
          return;
        }
        Thread.sleep(Math.max(1, left / 1_000_000));
      }
    } catch (InterruptedException | IOException e) {
      // Nothing is left to watch.
      closed = true;
    }
  }

  /** As {@link InputStream#read(byte[])}, but throws when the stream was silent for too long. */
  int read(byte[] target) throws IOException {
    try {
      int got = in.read(target);
      last = System.nanoTime();
      if (silent) {
        throw new IOException("silent for " + silence.toMillis() + " ms");
      }
      return got;
    } catch (IOException e) {
      throw silent ? new IOException("silent for " + silence.toMillis() + " ms", e) : e;
    }
  }

  @Override
  public void close() throws IOException {
    closed = true;
    thread.interrupt();
    in.close();
  }
}
