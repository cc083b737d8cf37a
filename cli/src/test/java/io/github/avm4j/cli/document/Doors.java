// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.document;

import io.github.avm4j.cli.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The names that each door of the project has. Flags are those of the commands. The others are read
 * from the sources, where they are literals: there is no list of them that could be forgotten.
 */
final class Doors {
  static final Path ROOT = Path.of("..");

  private static final List<String> MODULES = List.of("serve", "cli", "flink");
  private static final Pattern LITERAL = Pattern.compile("\"([^\"\\\\]+)\"");

  private static final Pattern JOB_KEY =
      Pattern.compile(
          "\\b(?:text|texts|whole|number|flag|duration|choice|required|has|section)"
              + "\\(\\s*\"([^\"]+)\"");

  private static final Pattern JOB_LIST =
      Pattern.compile("\\b(?:OUTPUTS|SETTINGS) =\\s*(?:List|Set)\\.of\\(([^)]*)\\)");
  private static final Pattern JOB_VALUE = Pattern.compile("case \"([^\"]+)\"");
  private static final Pattern JOB_CHOICE = Pattern.compile("\\bchoice\\(([^)]*)\\)");

  /** Calls that write a key, with the first literal as the key; a choice of two has both. */
  private static final List<Pattern> JSON_KEYS =
      List.of(
          Pattern.compile("write\\w*Field\\w*\\(([^;,]*)"),
          Pattern.compile("\\.(?:put|putObject|putArray|putPOJO|putNull)\\(\\s*(\"[^\"]+\")"),
          Pattern.compile("\\b(?:put|repeat|value)\\(\\s*\\w+,\\s*(?:repeats,\\s*)?([^;,]*)"),
          Pattern.compile("\\b(?:name|truth)\\.equals\\((\"[^\"]+\")\\)"),
          Pattern.compile("\\.query\\((\"[^\"]+\")"),
          Pattern.compile("String [A-Z]+ = (\"[a-zA-Z_]+\");"));

  private static final Pattern JSON_TEXT = Pattern.compile("\\\\\"(\\w+)\\\\\":");
  private static final Pattern SERVER_METRIC = Pattern.compile("\"(avm_\\w+)\"");

  private static final Pattern JOB_METRIC =
      Pattern.compile("\\.(?:counter|gauge)\\(\\s*\"([^\"]+)\"");
  private static final Pattern EVENT = Pattern.compile("log\\.(?:info|warn)\\(\\s*\"([^\"]+)\"");

  private Doors() {}

  /** Every option of every command, and the values that some of them list. */
  static Set<String> flags() {
    Set<String> names = new TreeSet<>();
    flags(Main.commandLine(), names);
    return names;
  }

  private static void flags(CommandLine line, Set<String> names) {
    for (OptionSpec option : line.getCommandSpec().options()) {
      names.addAll(List.of(option.names()));
      if (option.completionCandidates() != null) {
        option.completionCandidates().forEach(names::add);
      }
    }
    line.getSubcommands().values().forEach(sub -> flags(sub, names));
  }

  /** The forms of all values on the command line, as in help. */
  static Set<String> forms() {
    Set<String> forms = new TreeSet<>();
    forms(Main.commandLine(), forms);
    return forms;
  }

  private static void forms(CommandLine line, Set<String> forms) {
    for (ArgSpec arg : line.getCommandSpec().args()) {
      forms.add(arg.paramLabel());
    }
    line.getSubcommands().values().forEach(sub -> forms(sub, forms));
  }

  /** Keys of a job's file. */
  static Set<String> jobKeys() throws IOException {
    Set<String> names = new TreeSet<>();
    for (String text : sources("flink/src/main/java/io/github/avm4j/flink/job")) {
      add(names, JOB_KEY, text);
      addLiterals(names, JOB_LIST, text);
    }
    return names;
  }

  /** Values that keys of a job's file list. */
  static Set<String> jobValues() throws IOException {
    Set<String> names = new TreeSet<>();
    for (String text : sources("flink/src/main/java/io/github/avm4j/flink/job")) {
      add(names, JOB_VALUE, text);
      addLiterals(names, JOB_CHOICE, text);
    }
    return names;
  }

  /** Keys of the JSON that is written and read, and parameters of queries. */
  static Set<String> json() throws IOException {
    Set<String> names = new TreeSet<>();
    for (String module : MODULES) {
      for (String text : sources(module + "/src/main/java")) {
        if (text.contains("fasterxml.jackson") && !text.contains("CycloneDX")) {
          JSON_KEYS.forEach(pattern -> addLiterals(names, pattern, text));
          add(names, JSON_TEXT, text);
        }
      }
    }
    return names;
  }

  /** Metrics of the server. */
  static Set<String> serverMetrics() throws IOException {
    Set<String> names = new TreeSet<>();
    for (String text : sources("serve/src/main/java")) {
      add(names, SERVER_METRIC, text);
    }
    return names;
  }

  /** Metrics of a job on Flink. */
  static Set<String> jobMetrics() throws IOException {
    Set<String> names = new TreeSet<>();
    for (String text : sources("flink/src/main/java")) {
      add(names, JOB_METRIC, text);
    }
    return names;
  }

  /** Events of the server's log. */
  static Set<String> events() throws IOException {
    Set<String> names = new TreeSet<>();
    for (String text : sources("serve/src/main/java")) {
      add(names, EVENT, text);
    }
    return names;
  }

  /** Members and types of the library, as the list of its API names them. */
  static Set<String> java() throws IOException {
    Set<String> names = new TreeSet<>();
    String api = Files.readString(ROOT.resolve("testkit/src/test/resources/api.txt"));
    add(names, Pattern.compile("(\\w+)(?:\\(|$)", Pattern.MULTILINE), api);
    return names;
  }

  /** The text of every source under a folder. */
  static List<String> sources(String folder) throws IOException {
    List<String> texts = new ArrayList<>();
    try (Stream<Path> files = Files.walk(ROOT.resolve(folder))) {
      for (Path file : files.filter(path -> path.toString().endsWith(".java")).sorted().toList()) {
        texts.add(Files.readString(file));
      }
    }
    return texts;
  }

  private static void add(Set<String> names, Pattern pattern, String text) {
    Matcher found = pattern.matcher(text);
    while (found.find()) {
      names.add(found.group(1));
    }
  }

  private static void addLiterals(Set<String> names, Pattern pattern, String text) {
    Matcher found = pattern.matcher(text);
    while (found.find()) {
      add(names, LITERAL, found.group(1));
    }
  }
}
