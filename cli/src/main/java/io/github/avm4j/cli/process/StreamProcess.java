// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.process;

import io.github.avm4j.model.AvmException;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;

/**
 * Starts the JVM of {@code avm stream}. Flink needs its own options and over a hundred megabytes of
 * jars that no other command needs, so it has its own process and folder (decision 0012).
 *
 * @param jars folder of the jars
 */
public record StreamProcess(Path jars) {
  private static final String MAIN = "io.github.avm4j.flink.job.StreamMain";

  /** Folder of the jars: AVM_STREAM_LIB, else stream/lib in this distribution. */
  public static Path find() {
    String named = System.getenv("AVM_STREAM_LIB");
    Path folder = named == null ? home().resolve("stream").resolve("lib") : Path.of(named);
    if (!Files.isDirectory(folder)) {
      throw new AvmException(
          "no Flink jars in "
              + folder
              + "; unpack avm4j-stream into this distribution or set AVM_STREAM_LIB");
    }
    return folder;
  }

  /** Folder of the distribution, the parent of lib. */
  private static Path home() {
    CodeSource source = StreamProcess.class.getProtectionDomain().getCodeSource();
    try {
      Path jar = Path.of(source.getLocation().toURI());
      Path lib = jar.getParent();
      Path home = lib == null ? null : lib.getParent();
      return home == null ? Path.of("") : home;
    } catch (URISyntaxException e) {
      throw new AvmException("cannot find the distribution's folder: " + e.getMessage(), e);
    }
  }

  /** Command line of the JVM. */
  public List<String> command(List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--add-opens=java.base/java.util=ALL-UNNAMED");
    // For the Vector API, as the launcher of this process.
    command.add("--add-exports=java.base/jdk.internal.module=ALL-UNNAMED");
    String more = System.getenv("AVM_JAVA_OPTS");
    if (more != null && !more.isBlank()) {
      command.addAll(List.of(more.strip().split("\\s+")));
    }
    command.add("-cp");
    command.add(jars.resolve("*").toString());
    command.add(MAIN);
    command.addAll(arguments);
    return command;
  }

  /** Runs the JVM with this process's input and output and returns its exit code. */
  public int run(List<String> arguments) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command(arguments)).inheritIO().start();
    Thread end = new Thread(process::destroy);
    Runtime.getRuntime().addShutdownHook(end);
    int code = process.waitFor();
    Runtime.getRuntime().removeShutdownHook(end);
    return code;
  }
}
