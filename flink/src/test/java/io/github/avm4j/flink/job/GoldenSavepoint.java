// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;

/**
 * A savepoint among the resources, with a file that says what it holds. It is never replaced: a
 * change of a state's layout adds a new savepoint, and the old one must still be restored.
 *
 * <pre>
 * mvn -pl flink -am test -Dcluster=on -Dtest='FaultTest#writes*' -Dsurefire.failIfNoSpecifiedTests=false \
 *     -Dgolden.write=src/test/resources/golden-2
 * </pre>
 *
 * <p>{@code GoldenCellsTest#writes} writes the other, in the same way.
 */
final class GoldenSavepoint {
  /** One shard of a default learner, after 3000 instances. */
  static final GoldenSavepoint OF_A_LEARNER = new GoldenSavepoint("golden-1", "learner.avm");

  /** Learners of six cells, on their way. */
  static final GoldenSavepoint OF_CELLS = new GoldenSavepoint("golden-cells-1", "cells.plan");

  private final String resource;
  private final String content;

  private GoldenSavepoint(String resource, String content) {
    this.resource = resource;
    this.content = content;
  }

  /** Copies a savepoint, and writes what it holds beside it. */
  void keep(String savepoint, Path target, byte[] holds) throws IOException {
    Files.createDirectories(target);
    try (Stream<Path> files = Files.list(Path.of(URI.create(savepoint)))) {
      for (Path file : files.toList()) {
        Files.copy(file, target.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
      }
    }
    Files.write(target.resolve(content), holds);
    try (Stream<Path> files = Files.list(target)) {
      List<String> names = files.map(file -> file.getFileName().toString()).sorted().toList();
      Files.writeString(target.resolve("files.txt"), String.join("\n", names));
    }
  }

  /** Its address in a folder. */
  String unpack(Path folder) throws IOException {
    Files.createDirectories(folder);
    for (String name : new String(read("files.txt"), StandardCharsets.UTF_8).split("\n")) {
      Files.write(folder.resolve(name), read(name));
    }
    return folder.toUri().toString();
  }

  /** The file that says what it holds. */
  byte[] holds() throws IOException {
    return read(content);
  }

  private byte[] read(String name) throws IOException {
    String path = "/" + resource + "/" + name;
    try (InputStream in = GoldenSavepoint.class.getResourceAsStream(path)) {
      if (in == null) {
        throw new IOException("no " + path);
      }
      return in.readAllBytes();
    }
  }
}
