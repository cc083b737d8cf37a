// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/** The jars of a job during a build, when modules are folders of classes. */
public final class JobJar {
  private JobJar() {}

  /** This process's class path with every folder but that of tests as a jar in {@code target}. */
  public static List<String> classPath(Path target) throws IOException {
    Files.createDirectories(target);
    return JavaProcess.classPath().stream()
        .filter(entry -> !entry.contains("test-classes"))
        .map(entry -> Files.isDirectory(Path.of(entry)) ? pack(Path.of(entry), target) : entry)
        .toList();
  }

  private static String pack(Path classes, Path target) {
    Path module = classes.getParent().getParent().getFileName();
    Path jar = target.resolve("avm4j-" + module + "-classes.jar");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
        Stream<Path> files = Files.walk(classes)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        out.putNextEntry(new JarEntry(classes.relativize(file).toString()));
        Files.copy(file, out);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return jar.toString();
  }
}
