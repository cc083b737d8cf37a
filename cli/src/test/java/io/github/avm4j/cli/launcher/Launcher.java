// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.launcher;

import io.github.avm4j.cli.Avm;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Assumptions;

/** A distribution of this build's classes, started by the real launcher script. */
final class Launcher {
  /** Minutes after which what has not ended hangs, however busy the machine is. */
  static final long PATIENCE = 10;

  private final Path home;

  /** Lays out bin and lib in {@code home}. */
  Launcher(Path home) throws IOException {
    Assumptions.assumeTrue(File.separatorChar == '/', "skipped: the script is for POSIX shells");
    this.home = home;
    Path bin = Files.createDirectories(home.resolve("bin"));
    Files.copy(Path.of("src/main/dist/bin/avm"), bin.resolve("avm"));
    assert bin.resolve("avm").toFile().setExecutable(true);
    Path lib = Files.createDirectories(home.resolve("lib"));
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, classPath());
    try (OutputStream file = Files.newOutputStream(lib.resolve("avm4j-cli-test.jar"))) {
      new JarOutputStream(file, manifest).close();
    }
  }

  private static String classPath() {
    List<String> entries = new ArrayList<>();
    for (String entry :
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
            .split(File.pathSeparator, -1)) {
      entries.add(Path.of(entry).toUri().toString());
    }
    return String.join(" ", entries);
  }

  Path script() {
    return home.resolve("bin/avm");
  }

  /** The script with this process's Java and no class archive. */
  ProcessBuilder command(Object... args) {
    List<String> words = new ArrayList<>(List.of(script().toString()));
    for (Object arg : args) {
      words.add(arg.toString());
    }
    ProcessBuilder builder = new ProcessBuilder(words);
    // Bits differ between inner loops: the process uses the ones this one does.
    if (ModuleLayer.boot().findModule("jdk.incubator.vector").isEmpty()) {
      builder.environment().put("AVM_JAVA_OPTS", "-Davm4j.simd=off");
    }
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("AVM_CDS", "off");
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    return builder;
  }

  static Avm.Result finish(ProcessBuilder builder) throws Exception {
    Path err = Files.createTempFile("avm", ".err");
    Process process = builder.redirectError(err.toFile()).start();
    process.getOutputStream().close();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int code = waitFor(process);
    String error = Files.readString(err);
    Files.delete(err);
    return new Avm.Result(code, out, error);
  }

  static int waitFor(Process process) throws InterruptedException {
    if (!process.waitFor(PATIENCE, TimeUnit.MINUTES)) {
      process.destroyForcibly();
      throw new AssertionError("avm did not end within " + PATIENCE + " minutes");
    }
    return process.exitValue();
  }

  /** Waits until the condition holds. */
  static void await(String what, java.util.concurrent.Callable<Boolean> condition)
      throws Exception {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(PATIENCE);
    while (System.nanoTime() < end) {
      if (condition.call()) {
        return;
      }
      Thread.sleep(20);
    }
    throw new AssertionError("still waiting for " + what);
  }
}
