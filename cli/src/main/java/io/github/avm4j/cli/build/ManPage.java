// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.build;

import io.github.avm4j.model.Provenance;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** A command's help as a manual page in roff. */
final class ManPage {
  private final StringBuilder out = new StringBuilder();

  private ManPage() {}

  /** The page of one command, without those of its subcommands. */
  static String of(CommandLine command) {
    ManPage page = new ManPage();
    page.write(command);
    return page.out.toString();
  }

  private void write(CommandLine command) {
    CommandSpec spec = command.getCommandSpec();
    UsageMessageSpec usage = spec.usageMessage();
    String name = spec.qualifiedName("-");
    out.append(".TH ").append(name.toUpperCase(Locale.ROOT)).append(" 1 \"\" \"avm4j ");
    out.append(Provenance.LIBRARY_VERSION).append("\"\n");
    String[] description = usage.description();
    section("NAME");
    text(name + " - " + (description.length == 0 ? "avm" : description[0]));
    section("SYNOPSIS");
    text(new CommandLine.Help(spec, CommandLine.Help.defaultColorScheme(Ansi.OFF)).synopsis(0));
    section("DESCRIPTION");
    for (String paragraph : description) {
      text(paragraph);
    }
    options(spec);
    commands(command);
    exitCodes(usage.exitCodeList());
    examples(usage.footer());
  }

  private void options(CommandSpec spec) {
    section("OPTIONS");
    spec.positionalParameters().forEach(this::argument);
    spec.options().stream().filter(option -> option.group() == null).forEach(this::argument);
    spec.argGroups().forEach(this::group);
  }

  private void group(ArgGroupSpec group) {
    if (group.heading() != null) {
      out.append(".SS \"").append(escape(group.heading().replace("%n", "").strip())).append("\"\n");
    }
    group.args().forEach(this::argument);
    group.subgroups().forEach(this::group);
  }

  private void argument(ArgSpec argument) {
    if (argument.hidden()) {
      return;
    }
    out.append(".TP\n.B ");
    if (argument instanceof OptionSpec option) {
      out.append(escape(String.join(", ", option.names())));
      boolean flag = option.arity().max() == 0;
      out.append(flag ? "" : "=" + escape(option.paramLabel()));
    } else if (argument instanceof PositionalParamSpec positional) {
      out.append(escape(positional.paramLabel()));
    }
    out.append('\n');
    text(String.join(" ", argument.description()));
  }

  private void commands(CommandLine command) {
    if (command.getSubcommands().isEmpty()) {
      return;
    }
    section("COMMANDS");
    command
        .getSubcommands()
        .forEach(
            (name, sub) -> {
              String[] about = sub.getCommandSpec().usageMessage().description();
              out.append(".TP\n.B ").append(escape(name)).append('\n');
              text(about.length == 0 ? "" : about[0]);
            });
  }

  private void exitCodes(Map<String, String> codes) {
    if (codes.isEmpty()) {
      return;
    }
    section("EXIT STATUS");
    codes.forEach(
        (code, meaning) -> {
          out.append(".TP\n.B ").append(code).append('\n');
          text(meaning);
        });
  }

  private void examples(String[] footer) {
    List<String> lines = List.of(footer);
    if (lines.isEmpty()) {
      return;
    }
    section("EXAMPLES");
    out.append(".nf\n");
    lines.stream()
        .filter(line -> line.startsWith("  "))
        .forEach(line -> out.append(escape(line.strip())).append('\n'));
    out.append(".fi\n");
  }

  private void section(String title) {
    out.append(".SH ").append(title).append('\n');
  }

  private void text(String text) {
    out.append(text.isBlank() ? ".PP" : escape(text.strip())).append('\n');
  }

  /** A backslash, a dash, and a dot or quote at the start mean something in roff. */
  private static String escape(String text) {
    String plain = text.replace("\\", "\\e").replace("-", "\\-");
    return plain.startsWith(".") || plain.startsWith("'") ? "\\&" + plain : plain;
  }
}
