// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The first Java block of README.md is at most 20 lines, compiles as it stands, and runs. */
class ReadmeExampleTest {
  private static final int MOST_LINES = 20;

  @TempDir Path folder;

  @Test
  void firstExampleCompilesAndRuns() throws Exception {
    List<String> block = firstJavaBlock(Files.readAllLines(readme(), UTF_8));
    assertTrue(block.size() <= MOST_LINES, "the example has " + block.size() + " lines");
    Path source = folder.resolve("ReadmeExample.java");
    Files.writeString(source, wrapped(block), UTF_8);
    compile(source);
    String printed = run();
    assertTrue(printed.strip().matches("[\\d.,]+ % mistakes, \\d+ core points"), printed);
  }

  /** README.md in the working directory or the nearest folder above it that has one. */
  private static Path readme() throws IOException {
    Path start = Path.of(System.getProperty("user.dir")).toAbsolutePath();
    for (Path at = start; at != null; at = at.getParent()) {
      Path candidate = at.resolve("README.md");
      if (Files.exists(candidate)) {
        return candidate;
      }
    }
    throw new IOException("no README.md in " + start + " or above");
  }

  private static List<String> firstJavaBlock(List<String> lines) {
    int start = lines.indexOf("```java");
    assertTrue(start >= 0, "README.md has no ```java block");
    int end = start + lines.subList(start, lines.size()).indexOf("```");
    assertTrue(end > start, "the first ```java block is not closed");
    return lines.subList(start + 1, end);
  }

  private static String wrapped(List<String> block) {
    String imports =
        block.stream().filter(line -> line.startsWith("import ")).collect(Collectors.joining("\n"));
    String body =
        block.stream()
            .filter(line -> !line.startsWith("import "))
            .collect(Collectors.joining("\n"));
    return imports
        + "\npublic class ReadmeExample {\n"
        + "public static void main(String[] arguments) throws Exception {\n"
        + body
        + "\n}\n}\n";
  }

  private void compile(Path source) throws Exception {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    assertNotNull(compiler, "needs a JDK, not a JRE");
    String library =
        new File(Avm.class.getProtectionDomain().getCodeSource().getLocation().toURI()).getPath();
    ByteArrayOutputStream messages = new ByteArrayOutputStream();
    int status =
        compiler.run(
            null,
            messages,
            messages,
            "-proc:none",
            "-encoding",
            "UTF-8",
            "-classpath",
            library,
            "-d",
            folder.toString(),
            source.toString());
    assertEquals(0, status, () -> "README.md's example does not compile:\n" + text(messages));
  }

  private String run() throws Exception {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream console = System.out;
    URL[] classes = {folder.toUri().toURL()};
    try (URLClassLoader loader = new URLClassLoader(classes, Avm.class.getClassLoader());
        PrintStream capture = new PrintStream(printed, true, UTF_8)) {
      System.setOut(capture);
      loader
          .loadClass("ReadmeExample")
          .getMethod("main", String[].class)
          .invoke(null, (Object) new String[0]);
    } finally {
      System.setOut(console);
    }
    return text(printed);
  }

  private static String text(ByteArrayOutputStream bytes) {
    return bytes.toString(UTF_8);
  }
}
