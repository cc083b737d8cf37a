// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.cluster;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A JVM of its own whose output goes to a file. All of them end when this JVM ends. */
public final class JavaProcess {
  private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();

  static {
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> RUNNING.forEach(Process::destroyForcibly)));
  }

  private final Process process;
  private final Path log;

  private JavaProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
    RUNNING.add(process);
  }

  /** Starts {@code command} (options, main class, arguments) on that class path. */
  static JavaProcess start(Path log, List<String> classPath, List<String> command)
      throws IOException {
    List<String> all = new ArrayList<>();
    all.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    all.add("-XX:+UseSerialGC");
    all.add("-cp");
    all.add(String.join(File.pathSeparator, classPath));
    all.addAll(command);
    ProcessBuilder builder = new ProcessBuilder(all).redirectErrorStream(true);
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    return new JavaProcess(builder.start(), log);
  }

  /** Starts a main class of this JVM's own class path. */
  public static JavaProcess startHere(Path log, Class<?> main, List<String> arguments)
      throws IOException {
    return start(log, classPath(), false, main, arguments);
  }

  /**
   * Starts a main class of another class path.
   *
   * @param vector whether it may use the Vector API, with which sums have other last digits
   */
  public static JavaProcess start(
      Path log, List<String> classPath, boolean vector, Class<?> main, List<String> arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add("-XX:TieredStopAtLevel=1");
    command.add("-Xmx512m");
    command.add("--add-opens=java.base/java.util=ALL-UNNAMED");
    if (vector) {
      command.add("--add-modules=jdk.incubator.vector");
    }
    command.add(main.getName());
    command.addAll(arguments);
    return start(log, classPath, command);
  }

  /** Whether this JVM may use the Vector API. */
  public static boolean vector() {
    return ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent();
  }

  /** Its number. */
  public long pid() {
    return process.pid();
  }

  /** Waits for its end; the exit code. */
  public int awaitExit() throws IOException, InterruptedException {
    if (!process.waitFor(Waiting.PATIENCE.toMinutes(), TimeUnit.MINUTES)) {
      throw new AssertionError("does not end: " + tail());
    }
    return process.exitValue();
  }

  /** Waits for its end, which must be a good one. */
  public void requireSuccess() throws IOException, InterruptedException {
    int code = awaitExit();
    if (code != 0) {
      throw new IllegalStateException("ended with " + code + ": " + tail());
    }
  }

  /** An empty folder below target, which stays for those who look for logs. */
  public static Path freshFolder(String name) {
    Path folder = Path.of("target", name).toAbsolutePath();
    try {
      if (Files.exists(folder)) {
        try (Stream<Path> all = Files.walk(folder)) {
          for (Path one : all.sorted(Comparator.reverseOrder()).toList()) {
            Files.delete(one);
          }
        }
      }
      return Files.createDirectories(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The class path of this JVM. */
  public static List<String> classPath() {
    return List.of(System.getProperty("java.class.path").split(File.pathSeparator));
  }

  /** SIGKILL: no shutdown hook runs, nothing is flushed. */
  public void kill() {
    process.destroyForcibly();
    process.onExit().orTimeout(30, TimeUnit.SECONDS).join();
    RUNNING.remove(process);
  }

  /** Whether it has not ended. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** Says so if it has ended. */
  public void requireAlive() throws IOException {
    if (!process.isAlive()) {
      throw new IllegalStateException("ended with " + process.exitValue() + ": " + tail());
    }
  }

  /** Waits until the log says {@code words}. */
  public void awaitLog(String words) throws IOException, InterruptedException {
    Waiting.until(
        "'" + words + "' in " + log,
        () -> {
          boolean ended = !process.isAlive();
          boolean said = Files.exists(log) && Files.readString(log).contains(words);
          if (ended && !said) {
            requireAlive();
          }
          return said;
        });
  }

  private String tail() throws IOException {
    String text = Files.readString(log);
    return text.substring(Math.max(0, text.length() - 3000));
  }
}
