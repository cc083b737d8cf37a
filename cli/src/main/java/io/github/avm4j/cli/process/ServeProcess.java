// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.process;

import io.github.avm4j.model.AvmException;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs the server in this process. Its libraries in {@code lib/serve} have a separate class loader,
 * so other commands do not load them.
 */
public final class ServeProcess {
  private static final String MAIN = "io.github.avm4j.serve.ServeMain";

  private ServeProcess() {}

  /** Runs the server until the process ends. */
  public static void run(List<String> arguments) throws IOException, ReflectiveOperationException {
    URL[] jars = jars(home());
    // Never closed: the server needs it until the process ends.
    URLClassLoader loader = new URLClassLoader("serve", jars, ClassLoader.getPlatformClassLoader());
    Thread.currentThread().setContextClassLoader(loader);
    loader
        .loadClass(MAIN)
        .getMethod("main", String[].class)
        .invoke(null, (Object) arguments.toArray(new String[0]));
  }

  /** Folder of this class's jar. */
  private static Path home() {
    try {
      URI jar = ServeProcess.class.getProtectionDomain().getCodeSource().getLocation().toURI();
      Path parent = Path.of(jar).toAbsolutePath().getParent();
      return parent == null ? Path.of(".") : parent;
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static URL[] jars(Path lib) throws IOException {
    Path serve = lib.resolve("serve");
    if (!Files.isDirectory(serve)) {
      throw new AvmException(
          serve + ": the libraries of the server are missing; use a distribution that has them");
    }
    List<URL> urls = new ArrayList<>();
    for (Path folder : List.of(serve, lib)) {
      String glob = folder.equals(lib) ? "avm4j-{core,follow,serve}-*.jar" : "*.jar";
      try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, glob)) {
        for (Path jar : found) {
          urls.add(jar.toUri().toURL());
        }
      }
    }
    return urls.toArray(new URL[0]);
  }
}
