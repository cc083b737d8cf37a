// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import io.github.avm4j.flink.TestStream;
import io.github.avm4j.learner.Learner;
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
 * A savepoint of the job of {@link FaultRun} after exactly 3000 instances, and the learner in it as
 * a file. Kept for ever: whoever changes a state's layout adds a new one and leaves this.
 *
 * <pre>
 * mvn -pl flink -am test -Dcluster=on -Dtest='FaultTest#writes*' -Dsurefire.failIfNoSpecifiedTests=false \
 *     -DargLine=-Dgolden.write=src/test/resources/golden-2
 * </pre>
 */
final class GoldenSavepoint {
  static final String NAME = "golden";
  static final int INSTANCES = 3000;
  private static final String RESOURCE = "/golden-1/";

  private GoldenSavepoint() {}

  /** Copies the savepoint and its learner. */
  static void keep(String savepoint, Path target) throws IOException {
    Files.createDirectories(target);
    try (Stream<Path> files = Files.list(Path.of(URI.create(savepoint)))) {
      for (Path file : files.toList()) {
        Files.copy(file, target.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
      }
    }
    Learner learner = TestStream.blank();
    TestStream.teach(learner, 0, INSTANCES);
    Files.write(target.resolve("learner.avm"), learner.toBytes());
    try (Stream<Path> files = Files.list(target)) {
      List<String> names = files.map(file -> file.getFileName().toString()).sorted().toList();
      Files.writeString(target.resolve("files.txt"), String.join("\n", names));
    }
  }

  /** Its address in a folder. */
  static String unpack(Path folder) throws IOException {
    Files.createDirectories(folder);
    for (String name : new String(read("files.txt"), StandardCharsets.UTF_8).split("\n")) {
      Files.write(folder.resolve(name), read(name));
    }
    return folder.toUri().toString();
  }

  static Learner learner() throws IOException {
    return Learner.fromBytes(read("learner.avm"));
  }

  private static byte[] read(String name) throws IOException {
    try (InputStream in = GoldenSavepoint.class.getResourceAsStream(RESOURCE + name)) {
      if (in == null) {
        throw new IOException("no " + RESOURCE + name);
      }
      return in.readAllBytes();
    }
  }
}
