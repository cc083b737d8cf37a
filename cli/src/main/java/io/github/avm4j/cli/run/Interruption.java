// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.run;

import java.io.IOException;

/** Runs an action if the process is ended (Ctrl-C, SIGTERM) while this is open. */
public final class Interruption implements AutoCloseable {
  private final Thread hook;

  /** Action that may fail to write. */
  public interface Action {
    /** Runs the action. */
    void run() throws IOException;
  }

  public Interruption(Action action) {
    hook =
        new Thread(
            () -> {
              try {
                action.run();
              } catch (IOException e) {
                System.err.println("avm: could not save: " + e.getMessage());
              }
            },
            "interruption");
    Runtime.getRuntime().addShutdownHook(hook);
  }

  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is ending and the action is running.
    }
  }
}
