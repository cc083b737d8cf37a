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
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The Java blocks of README.md have at most 20 lines and compile as they stand, and run. Those of
 * the pages for new users compile, too; those of the home page and of the tutorials run.
 */
class ReadmeExampleTest {
  private static final int MOST_LINES = 20;
  private static final List<String> PAGES =
      List.of(
          "inference.md",
          "coming-from.md",
          "intervals.md",
          "anomalies.md",
          "clusters.md",
          "labels.md");
  private static final List<String> RUN =
      List.of("index.md", "tutorials/java-service.md", "tutorials/anomalies.md");

  @TempDir Path folder;

  @Test
  void examplesCompileAndThoseOfTheReadmeRun() throws Exception {
    List<List<String>> blocks = blocks(Files.readAllLines(readme(), UTF_8), "```java");
    assertTrue(blocks.size() >= 2, "README.md has " + blocks.size() + " ```java blocks");
    for (List<String> block : blocks) {
      assertTrue(block.size() <= MOST_LINES, "an example has " + block.size() + " lines");
    }
    for (String page : PAGES) {
      blocks.addAll(javaBlocks(page));
    }
    compileAll("Example", blocks);
    String rows = run("Example0");
    assertTrue(rows.startsWith("yes\nclassifier, estimating: 1 instances, "), rows);
    String printed = run("Example1");
    assertTrue(printed.strip().matches("[\\d.,]+ % mistakes, \\d+ core points"), printed);
  }

  @Test
  void programsOfTheTutorialsRun() throws Exception {
    List<List<String>> blocks = new ArrayList<>();
    for (String page : RUN) {
      blocks.addAll(javaBlocks(page));
    }
    compileAll("Tutorial", blocks);
    StringBuilder printed = new StringBuilder();
    for (int i = 0; i < blocks.size(); i++) {
      String lines = run("Tutorial" + i);
      assertTrue(!lines.isBlank(), "program " + i + " prints nothing");
      printed.append(lines);
    }
    assertTrue(printed.toString().contains("leaves\nstays\n"), printed::toString);
    List<List<String>> shown = blocks("tutorials/anomalies.md", "```");
    assertEquals(1, shown.size(), "what the first program prints");
    for (String line : shown.get(0)) {
      assertTrue(printed.toString().contains(line + "\n"), () -> line + " is not in " + printed);
    }
  }

  private static List<List<String>> javaBlocks(String page) throws IOException {
    return blocks(page, "```java");
  }

  private static List<List<String>> blocks(String page, String begin) throws IOException {
    Path file = readme().resolveSibling("docs").resolve(page);
    List<List<String>> blocks = blocks(Files.readAllLines(file, UTF_8), begin);
    assertTrue(!blocks.isEmpty(), page + " has no " + begin + " block");
    return blocks;
  }

  private void compileAll(String name, List<List<String>> blocks) throws Exception {
    List<String> sources = new ArrayList<>();
    for (int i = 0; i < blocks.size(); i++) {
      Path source = folder.resolve(name + i + ".java");
      Files.writeString(source, wrapped(name + i, blocks.get(i)), UTF_8);
      sources.add(source.toString());
    }
    compile(sources);
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

  private static List<List<String>> blocks(List<String> lines, String begin) {
    List<List<String>> blocks = new ArrayList<>();
    for (int start = 0; start < lines.size(); start++) {
      if (lines.get(start).startsWith("```")) {
        int end = start + 1 + lines.subList(start + 1, lines.size()).indexOf("```");
        assertTrue(end > start, "a block of code is not closed");
        if (lines.get(start).equals(begin)) {
          blocks.add(lines.subList(start + 1, end));
        }
        start = end;
      }
    }
    return blocks;
  }

  private static String wrapped(String name, List<String> block) {
    String imports =
        block.stream().filter(line -> line.startsWith("import ")).collect(Collectors.joining("\n"));
    String body =
        block.stream()
            .filter(line -> !line.startsWith("import "))
            .collect(Collectors.joining("\n"));
    return imports
        + "\npublic class "
        + name
        + " {\n"
        + "public static void main(String[] arguments) throws Exception {\n"
        + body
        + "\n}\n}\n";
  }

  private void compile(List<String> sources) throws Exception {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    assertNotNull(compiler, "needs a JDK, not a JRE");
    String library =
        new File(Avm.class.getProtectionDomain().getCodeSource().getLocation().toURI()).getPath();
    ByteArrayOutputStream messages = new ByteArrayOutputStream();
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("-proc:none", "-encoding", "UTF-8", "-classpath", library));
    arguments.addAll(List.of("-d", folder.toString()));
    arguments.addAll(sources);
    int status = compiler.run(null, messages, messages, arguments.toArray(String[]::new));
    assertEquals(0, status, () -> "an example does not compile:\n" + text(messages));
  }

  private String run(String name) throws Exception {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream console = System.out;
    URL[] classes = {folder.toUri().toURL()};
    try (URLClassLoader loader = new URLClassLoader(classes, Avm.class.getClassLoader());
        PrintStream capture = new PrintStream(printed, true, UTF_8)) {
      System.setOut(capture);
      loader.loadClass(name).getMethod("main", String[].class).invoke(null, (Object) new String[0]);
    } finally {
      System.setOut(console);
    }
    return text(printed);
  }

  private static String text(ByteArrayOutputStream bytes) {
    return bytes.toString(UTF_8);
  }
}
