// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.bench;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;

/** Runs other programs, and hands them the sources that travel in the jar. */
final class Programs {
  private Programs() {}

  /** Copies a resource of the jar's root into {@code folder}. */
  static Path extract(String resource, Path folder) throws IOException {
    try (InputStream in = Programs.class.getResourceAsStream("/" + resource)) {
      if (in == null) {
        throw new FileNotFoundException(resource + " is not in the jar");
      }
      Path file = folder.resolve(resource);
      Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
      return file;
    }
  }

  /** Compiles the C loops for this processor; the program's path. */
  static Path compileLoops(Path folder) throws IOException {
    Path source = extract("avm_loops.c", folder);
    extract("avm_loops.h", folder);
    Path program = folder.resolve("avm_loops");
    run(
        Map.of(),
        List.of("gcc", "-O3", "-march=native", "-o", program.toString(), source.toString()));
    return program;
  }

  /** Whether the program starts at all. */
  static boolean works(String... command) {
    try {
      run(Map.of(), List.of(command));
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * What the program prints.
   *
   * @throws IOException if it is absent or fails, with its error output
   */
  static String run(Map<String, String> environment, List<String> command) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    Process process = builder.start();
    process.getOutputStream().close();
    String output;
    try (InputStream in = process.getInputStream()) {
      output = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
    try {
      if (process.waitFor() != 0) {
        throw new IOException(String.join(" ", command) + " failed: " + output);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    return output;
  }

  /** Removes a folder of files. */
  static void delete(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }
}
