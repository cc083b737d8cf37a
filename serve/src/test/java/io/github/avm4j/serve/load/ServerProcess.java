// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.load;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A server in a process of its own, on a free port that it tells on its first line. */
public final class ServerProcess implements AutoCloseable {
  private final Process process;
  private final int port;

  /** Starts {@code main} with these arguments and the class path of this process. */
  public ServerProcess(Path log, String main, String... arguments) throws IOException {
    this(log, List.of("-Xmx512m"), main, arguments);
  }

  /** The same on one processor from the start on, as the virtual machine shall know. */
  static ServerProcess onProcessor(int processor, Path log, String main, String... arguments)
      throws IOException {
    List<String> binding = List.of("taskset", "-c", Integer.toString(processor));
    return new ServerProcess(binding, log, List.of("-Xmx512m"), main, arguments);
  }

  /** The same with these options of Java. */
  public ServerProcess(Path log, List<String> options, String main, String... arguments)
      throws IOException {
    this(List.of(), log, options, main, arguments);
  }

  private ServerProcess(
      List<String> before, Path log, List<String> options, String main, String... arguments)
      throws IOException {
    List<String> words = new ArrayList<>(before);
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.addAll(options);
    if (ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent()) {
      words.add("--add-modules=jdk.incubator.vector");
    }
    words.add("-cp");
    words.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    words.add(main);
    words.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(words);
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    File errors = log.toFile();
    process = builder.redirectError(ProcessBuilder.Redirect.appendTo(errors)).start();
    BufferedReader out = process.inputReader();
    String line = out.readLine();
    if (line == null || line.lastIndexOf(':') < 0) {
      throw new IOException(main + " did not start: " + java.nio.file.Files.readString(log));
    }
    port = Integer.parseInt(line.substring(line.lastIndexOf(':') + 1).strip());
  }

  public int port() {
    return port;
  }

  public long pid() {
    return process.pid();
  }

  /** Processor time it has used, in seconds. */
  public double processorSeconds() {
    return process.info().totalCpuDuration().orElse(java.time.Duration.ZERO).toMillis() / 1e3;
  }

  /** Memory it holds, in bytes; NaN where the system does not say. */
  public double resident() throws IOException {
    Path status = Path.of("/proc", Long.toString(process.pid()), "status");
    if (!java.nio.file.Files.exists(status)) {
      return Double.NaN;
    }
    for (String line : java.nio.file.Files.readAllLines(status)) {
      if (line.startsWith("VmRSS:")) {
        return 1024.0 * Long.parseLong(line.replaceAll("\\D", ""));
      }
    }
    return Double.NaN;
  }

  /** Whether it runs. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** SIGKILL. */
  public void kill() throws InterruptedException {
    process.destroyForcibly().waitFor(30, TimeUnit.SECONDS);
  }

  /** SIGTERM; the exit code. */
  public int terminate() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      throw new AssertionError("did not end");
    }
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
