// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A program that does a job per line of its input, such as {@link Worker}, in a process of its own,
 * on a processor of its own where {@code taskset} is there to say so: its garbage and its compiler
 * disturb no other's time. Ended, and begun anew for the next job, when a job takes too long. For
 * one thread.
 */
public final class WorkerProcess implements AutoCloseable {
  private final List<String> command = new ArrayList<>();
  private final ObjectMapper mapper = new ObjectMapper();
  private Process process;
  private BufferedReader answers;

  /** A processor that leaves the choice to the system. */
  public static final int ANY = -1;

  /**
   * Starts the program.
   *
   * @param processor where it runs, or {@link #ANY}
   * @param memory its heap, as {@code -Xmx} takes it
   * @param main its main class, of this process' class path
   */
  public WorkerProcess(int processor, String memory, String main, List<String> arguments)
      throws IOException {
    if (processor != ANY && isOnPath("taskset")) {
      command.addAll(List.of("taskset", "-c", Integer.toString(processor)));
    }
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx" + memory, "-XX:+UseSerialGC"));
    if (ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent()) {
      command.addAll(List.of("--add-modules", "jdk.incubator.vector"));
    }
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path", ""));
    command.addAll(List.of("-cp", classPath, main));
    command.addAll(arguments);
    process = start();
    answers = process.inputReader(StandardCharsets.UTF_8);
  }

  private static boolean isOnPath(String program) {
    String path = System.getenv("PATH");
    if (path == null) {
      return false;
    }
    for (String folder : path.split(File.pathSeparator, -1)) {
      if (Path.of(folder, program).toFile().canExecute()) {
        return true;
      }
    }
    return false;
  }

  private Process start() throws IOException {
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
  }

  /**
   * Does a job; its result says so if it failed or took longer than {@code seconds} of processor
   * time: a worker that others keep from running is not slow.
   */
  public ObjectNode run(ObjectNode job, double seconds) throws IOException, InterruptedException {
    if (!process.isAlive()) {
      process = start();
      answers =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }
    OutputStream in = process.getOutputStream();
    in.write((mapper.writeValueAsString(job) + "\n").getBytes(StandardCharsets.UTF_8));
    in.flush();
    BufferedReader reader = answers;
    CompletableFuture<String> answer =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                String line = reader.readLine();
                return line == null ? "" : line;
              } catch (IOException e) {
                return "";
              }
            });
    try {
      String line = await(answer, seconds);
      return line.isEmpty()
          ? end(job, "failed", "the worker ended: out of memory?")
          : (ObjectNode) mapper.readTree(line);
    } catch (TimeoutException e) {
      return end(job, "out of time", "stopped after " + seconds + " s");
    } catch (ExecutionException e) {
      return end(job, "failed", String.valueOf(e.getCause()));
    }
  }

  private String await(CompletableFuture<String> answer, double seconds)
      throws ExecutionException, InterruptedException, TimeoutException {
    double begun = processorSeconds();
    while (true) {
      try {
        return answer.get(1, TimeUnit.SECONDS);
      } catch (TimeoutException e) {
        if (processorSeconds() - begun > seconds) {
          throw e;
        }
      }
    }
  }

  /** Of the worker, or of the clock where the system does not say. */
  private double processorSeconds() {
    return process
        .info()
        .totalCpuDuration()
        .map(time -> time.toMillis() / 1e3)
        .orElseGet(() -> System.nanoTime() / 1e9);
  }

  private ObjectNode end(ObjectNode job, String status, String message)
      throws InterruptedException {
    close();
    process.waitFor();
    return job.deepCopy().put("status", status).put("message", message);
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
