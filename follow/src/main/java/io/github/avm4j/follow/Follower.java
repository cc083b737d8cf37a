// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.follow;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Looks at a source again and again, in a thread of its own. Whatever goes wrong there, what was
 * loaded stays, the store is notified once, and the next look comes.
 */
public final class Follower implements AutoCloseable {
  /** Waits between two looks. */
  interface Pause {
    void sleep(Duration time) throws InterruptedException;
  }

  /** A look that takes longer than this is interrupted when the follower is closed. */
  private static final int PATIENCE_SECONDS = 10;

  private final ModelSource source;
  private final ModelStore store;
  private final Pause pause;
  private final ReentrantLock looking = new ReentrantLock();
  private volatile @Nullable Thread thread;
  private volatile boolean closed;
  private volatile @Nullable String problem;

  /**
   * Has not looked yet.
   *
   * @param source what to look at; closed with this
   * @param store the source's store, notified when the source goes and comes back
   */
  public Follower(ModelSource source, ModelStore store) {
    this(source, store, time -> Thread.sleep(time.toMillis()));
  }

  /** The same with another way to wait, for tests. */
  Follower(ModelSource source, ModelStore store, Pause pause) {
    this.source = source;
    this.store = store;
    this.pause = pause;
  }

  /** {@return the source's name} */
  public String name() {
    return source.name();
  }

  /** {@return why the source cannot be read at the moment; null if it can} */
  public @Nullable String problem() {
    return problem;
  }

  /**
   * Looks once in this thread, then in one of its own.
   *
   * @param every time between two looks
   */
  public void start(Duration every) {
    poll();
    Thread made = new Thread(() -> run(every), "avm-follow");
    made.setDaemon(true);
    thread = made;
    made.start();
  }

  private void run(Duration every) {
    while (!closed) {
      try {
        pause.sleep(every);
        poll();
      } catch (InterruptedException e) {
        // The end, if closed; nobody else has a say in this thread.
      }
    }
    boolean ignored = Thread.interrupted(); // which would keep the source from closing
    end();
  }

  /** Looks once, in this thread; throws nothing. */
  public void poll() {
    looking.lock();
    try {
      if (!closed) {
        tell(failure());
      }
    } catch (RuntimeException | Error e) {
      // Nobody could be told, as for want of memory; the next look tells it.
    } finally {
      looking.unlock();
    }
  }

  private @Nullable String failure() {
    try {
      source.poll();
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return problem;
    } catch (IOException | RuntimeException | Error e) {
      return e.toString();
    }
  }

  private void tell(@Nullable String reason) {
    if (problem == null && reason != null) {
      store.gone(source.name(), reason);
    } else if (problem != null && reason == null) {
      store.back(source.name());
    }
    problem = reason;
  }

  private void end() {
    try {
      source.close();
    } catch (RuntimeException e) {
      store.gone(source.name(), "it cannot be closed: " + e);
    }
  }

  /** Ends the thread, which closes the source; waits some seconds for a look under way. */
  @Override
  public void close() {
    closed = true;
    Thread running = thread;
    if (running == null) {
      end();
      return;
    }
    try {
      if (looking.tryLock(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        looking.unlock();
      }
      running.interrupt();
      running.join(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
    } catch (InterruptedException e) {
      running.interrupt();
      Thread.currentThread().interrupt();
    }
  }
}
