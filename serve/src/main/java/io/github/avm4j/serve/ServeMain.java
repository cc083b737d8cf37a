// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve;

import io.github.avm4j.serve.http.EventLog;
import io.github.avm4j.serve.operate.Setting;
import io.github.avm4j.serve.operate.Settings;
import java.io.IOException;
import java.time.Clock;
import java.util.List;

/** Main class of {@code avm serve MODEL|FOLDER}. Runs until it is terminated. */
public final class ServeMain {
  private ServeMain() {}

  /**
   * Serves until SIGTERM or SIGINT; then drains and ends. Ends with 2 if settings are wrong, with 1
   * if it cannot do what they say.
   *
   * @param arguments flags of {@link Setting} and paths of models
   */
  public static void main(String[] arguments) {
    // What Armeria would fetch or report on its own is not wanted in a small, closed process.
    System.setProperty("com.linecorp.armeria.verboseExceptions", "false");
    EventLog log = new EventLog(System.err, Clock.systemUTC());
    log.adoptLibraries();
    try {
      Settings settings = Settings.read(List.of(arguments), System.getenv());
      AvmServer server = new AvmServer(settings, log, Clock.systemUTC());
      server.start();
      Runtime.getRuntime().addShutdownHook(new Thread(server::close, "avm-drain"));
      System.out.println("avm serve: " + server.address());
      Thread.currentThread().join();
    } catch (IllegalArgumentException e) {
      System.err.println("avm: " + e.getMessage());
      System.exit(2);
    } catch (IOException e) {
      System.err.println("avm: " + e.getMessage());
      System.exit(1);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
