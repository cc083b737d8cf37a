// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.document;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The commands of the documents other than {@code avm}'s, which {@link DocumentedCommandsTest}
 * runs. Maven's and Java's take minutes to hours, so what they name is looked up instead: modules,
 * profiles, executions, test classes, main classes and scripts exist. {@link #NOT_RUN} says why the
 * rest is not run.
 */
class ShellCommandsTest {
  private static final Path ROOT = Path.of("..");

  /** First word of a command to the reason why no test runs it. */
  private static final Map<String, String> NOT_RUN =
      Map.ofEntries(
          Map.entry("avm", "run by DocumentedCommandsTest"),
          Map.entry("cat", "feeds avm, run by DocumentedCommandsTest"),
          Map.entry("tail", "feeds avm, run by DocumentedCommandsTest"),
          Map.entry("curl", "needs a server; the same requests are made by the tests of serve"),
          Map.entry("export", "sets the environment of later commands"),
          Map.entry("tar", "run by .ci/artifacts.sh"),
          Map.entry("sudo", "run by .ci/artifacts.sh"),
          Map.entry("podman", "the same is done by .ci/artifacts.sh with buildah"),
          Map.entry("xz", "a program of the system"),
          Map.entry("vw", "another tool's program"),
          Map.entry("svm-scale", "another tool's program"),
          Map.entry("svm-train", "another tool's program"),
          Map.entry("svm-predict", "another tool's program"));

  private static final Pattern SPAN = Pattern.compile("`((?:\\w+=\\S+ )*(?:mvn|java) [^`]+)`");
  private static final Pattern START =
      Pattern.compile("(?:mvn|java|curl|export|xz|vw|svm-\\w+|examples/\\S+|lab/\\S+\\.sh)( .*)?");
  private static final Pattern MODULES = Pattern.compile("-pl (\\S+)");
  private static final Pattern TESTS = Pattern.compile("-Dtest='?([\\w*,]+)");
  private static final Pattern PROFILE = Pattern.compile("-P(\\w+)");
  private static final Pattern EXECUTION = Pattern.compile("surefire:test@([\\w-]+)");
  private static final Pattern MAIN = Pattern.compile("(io\\.github\\.avm4j(?:\\.\\w+)+)");
  private static final Pattern JAR = Pattern.compile("((?:lab/)?[\\w-]+)/target/\\S*");

  private record Command(String place, String text) {}

  @Test
  void everyCommandIsRunLookedUpOrListed() throws IOException {
    List<Command> commands = new ArrayList<>();
    for (Path file : documents()) {
      commands.addAll(commands(file));
    }
    assertTrue(commands.size() > 60, "found only " + commands.size());
    String poms = poms();
    List<Path> sources = sources();
    List<String> wrong = new ArrayList<>();
    for (Command command : commands) {
      String problem = problem(command.text(), poms, sources);
      if (!problem.isEmpty()) {
        wrong.add(command.place() + ": " + problem + ": " + command.text());
      }
    }
    assertEquals(List.of(), wrong);
  }

  @Test
  void mistakesAreFound() throws IOException {
    String poms = poms();
    List<Path> sources = sources();
    assertEquals("", problem("mvn -pl core test -Dtest=HuberTest", poms, sources));
    assertEquals("no module cor", problem("mvn -pl cor test", poms, sources));
    assertEquals("no test NoSuchTest", problem("mvn test -Dtest=NoSuchTest", poms, sources));
    assertEquals("no profile nope", problem("mvn -Pnope verify", poms, sources));
    assertEquals("no execution nope", problem("mvn surefire:test@nope", poms, sources));
    assertEquals(
        "no class io.github.avm4j.Nope", problem("java io.github.avm4j.Nope", poms, sources));
    assertEquals("no module nope", problem("java -jar nope/target/a.jar", poms, sources));
    assertEquals("no file examples/nope.sh", problem("examples/nope.sh a", poms, sources));
    assertEquals("not run, and no reason is listed", problem("rm -r x", poms, sources));
  }

  private static List<Path> documents() throws IOException {
    List<Path> files = new ArrayList<>();
    files.add(ROOT.resolve("README.md"));
    files.add(ROOT.resolve("CONTRIBUTING.md"));
    files.addAll(DocumentedCommandsTest.pages());
    try (Stream<Path> results = Files.list(ROOT.resolve("lab/results"))) {
      results.filter(file -> file.toString().endsWith(".md")).forEach(files::add);
    }
    return files;
  }

  /** Lines of blocks of shell commands, lines of other blocks that begin as one, and code spans. */
  private static List<Command> commands(Path file) throws IOException {
    List<Command> commands = new ArrayList<>();
    List<String> lines = Files.readAllLines(file);
    String block = null;
    for (int i = 0; i < lines.size(); i++) {
      String place = file.getFileName() + ":" + (i + 1);
      String line = lines.get(i);
      if (line.startsWith("```")) {
        block = block == null ? line.substring(3).strip() : null;
        continue;
      }
      if (block == null) {
        SPAN.matcher(line).results().forEach(m -> commands.add(new Command(place, m.group(1))));
      }
      if (block == null && !line.startsWith("    ")) {
        continue;
      }
      while (line.endsWith("\\") && i + 1 < lines.size()) {
        line = line.substring(0, line.length() - 1) + lines.get(++i).strip();
      }
      String text = line.replaceFirst("(^| +)# .*", "").strip();
      boolean shell = "sh".equals(block) || START.matcher(text).matches();
      if (shell && !text.isEmpty()) {
        commands.add(new Command(place, text));
      }
    }
    return commands;
  }

  /** What is wrong with a command; empty if nothing is. */
  private static String problem(String text, String poms, List<Path> sources) {
    String program = text.replaceFirst("^(?:[A-Z_]+=\\S+ )*", "").split(" ", 2)[0];
    if (program.equals("mvn")) {
      return maven(text, poms, sources);
    }
    if (program.equals("java")) {
      return java(text, sources);
    }
    if (program.startsWith("examples/")
        || program.startsWith("lab/")
        || program.startsWith(".ci/")) {
      boolean there = Files.isExecutable(ROOT.resolve(program));
      return there ? java(text, sources) : "no file " + program;
    }
    return NOT_RUN.containsKey(program) ? "" : "not run, and no reason is listed";
  }

  private static String maven(String text, String poms, List<Path> sources) {
    for (String module : all(MODULES, text)) {
      if (!Files.exists(ROOT.resolve(module).resolve("pom.xml"))) {
        return "no module " + module;
      }
    }
    for (String test : all(TESTS, text)) {
      PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + test + ".java");
      if (sources.stream().map(Path::getFileName).noneMatch(matcher::matches)) {
        return "no test " + test;
      }
    }
    for (String profile : all(PROFILE, text)) {
      if (!poms.contains("<id>" + profile + "</id>")) {
        return "no profile " + profile;
      }
    }
    for (String execution : all(EXECUTION, text)) {
      if (!poms.contains("<id>" + execution + "</id>")) {
        return "no execution " + execution;
      }
    }
    return "";
  }

  private static String java(String text, List<Path> sources) {
    for (String type : all(MAIN, text)) {
      Path file = Path.of(type.replace('.', '/') + ".java");
      if (sources.stream().noneMatch(source -> source.endsWith(file))) {
        return "no class " + type;
      }
    }
    for (String module : all(JAR, text)) {
      if (!Files.exists(ROOT.resolve(module).resolve("pom.xml"))) {
        return "no module " + module;
      }
    }
    return "";
  }

  /** The first groups of all matches, each divided at its commas. */
  private static List<String> all(Pattern pattern, String text) {
    List<String> found = new ArrayList<>();
    Matcher matcher = pattern.matcher(text);
    while (matcher.find()) {
      found.addAll(List.of(matcher.group(1).split(",", -1)));
    }
    return found;
  }

  private static String poms() throws IOException {
    StringBuilder text = new StringBuilder(Files.readString(ROOT.resolve("pom.xml")));
    for (Path folder : folders()) {
      Path pom = folder.resolve("pom.xml");
      text.append(Files.exists(pom) ? Files.readString(pom) : "");
    }
    return text.toString();
  }

  private static List<Path> sources() throws IOException {
    List<Path> sources = new ArrayList<>();
    for (Path folder : folders().stream().filter(f -> Files.exists(f.resolve("src"))).toList()) {
      try (Stream<Path> files = Files.walk(folder.resolve("src"))) {
        files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
      }
    }
    return sources;
  }

  /** The folders of the library's modules and of the laboratory's. */
  private static List<Path> folders() throws IOException {
    try (Stream<Path> library = Files.list(ROOT);
        Stream<Path> laboratory = Files.list(ROOT.resolve("lab"))) {
      return Stream.concat(library, laboratory).toList();
    }
  }
}
