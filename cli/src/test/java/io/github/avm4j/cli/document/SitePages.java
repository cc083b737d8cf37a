// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.document;

import io.github.avm4j.cli.Avm;
import io.github.avm4j.cli.Main;
import io.github.avm4j.serve.operate.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Pages of the site that are made of the code: commands, settings, the output of a command. */
final class SitePages {
  private static final String NOTE =
      "<!-- Written by SitePagesTest with -Davm4j.update=true; do not edit. -->\n\n";

  /** A setter of a builder with its comment: text, range of the argument, type, name. */
  private static final Pattern SETTER =
      Pattern.compile(
          "/\\*\\*\\s+\\* (?<text>(?:(?!\\*/|@param).)*?)\\s+\\*\\s+\\* @param \\w+ "
              + "(?<range>(?:(?!\\*/|@return).)*?)\\s+\\* @return this builder\\s+\\*/\\s+"
              + "public Builder<L> (?<name>\\w+)\\((?<type>[\\w.]+) \\w+\\)",
          Pattern.DOTALL);

  private SitePages() {}

  /** The help of every command. */
  static String commands() {
    StringBuilder page = new StringBuilder("# Every command and option\n\n").append(NOTE);
    page.append("What `--help` prints. [Command line](../cli.md) explains commands by example.\n");
    help(page, "avm");
    Main.commandLine()
        .getSubcommands()
        .forEach(
            (name, line) -> {
              help(page, "avm " + name);
              line.getSubcommands().keySet().forEach(sub -> help(page, "avm " + name + " " + sub));
            });
    return page.toString();
  }

  private static void help(StringBuilder page, String command) {
    List<String> words = List.of((command + " --help").split(" ", -1));
    Avm.Result help = Avm.run(words.subList(1, words.size()).toArray());
    page.append("\n## ").append(command).append("\n\n```text\n");
    page.append(help.out().stripTrailing()).append("\n```\n");
  }

  /** Settings of the learners, from the comments of their builders, and of the server. */
  static String settings(Path root) throws IOException {
    StringBuilder page = new StringBuilder("# Settings of learner and server\n\n").append(NOTE);
    page.append("Read from the code. ");
    page.append("Settings of a Flink job: [operations](../operations.md#the-file).\n\n");
    Path sources = root.resolve("core/src/main/java/io/github/avm4j/config");
    page.append("## The default learner\n\n`Avm.classifier()` and `Avm.regressor()`.");
    page.append(" Those that are options of `avm train` have the same names there.\n\n");
    page.append(setters(sources.resolve("AutoConfig.java")));
    page.append("\n## The paper's learner\n\n`Avm.paperClassifier()`, `Avm.paperRegressor()`;");
    page.append(" `--paper` on the command line.\n\n");
    page.append(setters(sources.resolve("AvmConfig.java")));
    page.append("\n## The server\n\nEach is an option `--NAME` of `avm serve`, a variable of the");
    page.append(" environment (`allowed-hosts` is `AVM_SERVE_ALLOWED_HOSTS`), or a line");
    page.append(" `NAME=VALUE` of the file `--config`, in this order.");
    page.append(" [Serving](../serving.md) explains them.\n\n");
    page.append("| setting | default | value | effect |\n|---|---|---|---|\n");
    for (Setting setting : Setting.values()) {
      String value = setting.defaultValue();
      String byDefault = value.isEmpty() ? "none" : "`" + value + "`";
      page.append(
          "| `%s` | %s | %s | %s |\n"
              .formatted(setting.key(), byDefault, cell(setting.form()), cell(setting.help())));
    }
    return page.toString();
  }

  private static String setters(Path source) throws IOException {
    StringBuilder table = new StringBuilder("| setting | argument | effect |\n|---|---|---|\n");
    Matcher setter = SETTER.matcher(Files.readString(source));
    while (setter.find()) {
      table.append(
          "| `%s(%s)` | %s | %s |\n"
              .formatted(
                  setter.group("name"),
                  setter.group("type"),
                  cell(setter.group("range")),
                  cell(setter.group("text"))));
    }
    return table.toString();
  }

  /** A comment as the text of a cell; classes without their packages. */
  private static String cell(String comment) {
    String text = comment.replaceAll("\\s+\\* ?", " ");
    text = text.replaceAll("\\{@(?:link|code) #?([^}]+)}", "`$1`");
    text = text.replaceAll("\\bio\\.github\\.avm4j\\.(?:[a-z]+\\.)*", "");
    return text.replace("|", "\\|").replace("<", "&lt;").strip();
  }

  /** What {@code avm demo} prints. */
  static String demo() {
    return Avm.run("demo").out();
  }

  /** Names of the settings that a page should have, by the methods of a builder. */
  static List<String> setterNames(Class<?> builder) {
    return Arrays.stream(builder.getDeclaredMethods())
        .filter(method -> method.getReturnType() == builder && !method.isSynthetic())
        .map(method -> method.getName() + "(")
        .distinct()
        .toList();
  }
}
