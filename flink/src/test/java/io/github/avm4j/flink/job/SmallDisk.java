// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file system of 8 MB in memory, which can be filled to the last byte. Without root it is not
 * mounted, and a folder as any.
 */
final class SmallDisk implements AutoCloseable {
  private final Path folder;
  private final boolean mounted;

  SmallDisk(Path folder) throws Exception {
    this.folder = Files.createDirectories(folder);
    mounted =
        run("mount", "-t", "tmpfs", "-o", "size=8m,mode=777", "tmpfs", folder.toString()) == 0;
  }

  /** Whether it can be filled. */
  boolean mounted() {
    return mounted;
  }

  private static int run(String... command) throws Exception {
    return new ProcessBuilder(command).inheritIO().start().waitFor();
  }

  Path folder() {
    return folder;
  }

  /** Takes all that is left; also what others have given back since. */
  void fill() throws IOException {
    for (int size = 1 << 16; size >= 1; size >>= 4) {
      Path filler = folder.resolve("filler-" + size);
      try (OutputStream out =
          Files.newOutputStream(filler, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
        byte[] block = new byte[size];
        while (true) {
          out.write(block);
        }
      } catch (IOException e) {
        // Full to this block size.
      }
    }
  }

  void free() throws IOException {
    try (var files = Files.list(folder)) {
      for (Path file :
          files.filter(f -> f.getFileName().toString().startsWith("filler")).toList()) {
        Files.delete(file);
      }
    }
  }

  @Override
  public void close() {
    if (!mounted) {
      return;
    }
    try {
      run("umount", "-l", folder.toString());
    } catch (Exception e) {
      throw new IllegalStateException("cannot unmount " + folder, e);
    }
  }
}
