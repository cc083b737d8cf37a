// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.cli.build.Documents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;

class HelpTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "demo",
        "train",
        "evaluate",
        "compare",
        "predict",
        "explain",
        "serve",
        "inspect",
        "export",
        "stream",
        "stream run",
        "stream submit"
      })
  void everyCommandExplainsItself(String name) {
    Object[] args = (name + " --help").split(" ", -1);
    Avm.Result help = Avm.run(args);
    assertEquals(0, help.code());
    assertTrue(help.out().startsWith("Usage: avm " + name), help.out());
    assertTrue(help.out().contains("Example"), "an example for " + name);
    assertTrue(help.out().contains("\n  avm ") || help.out().contains("| avm "), help.out());
    assertEquals("", help.err());
  }

  @Test
  void topHelpListsCommandsAndExitCodes() {
    Avm.Result help = Avm.run("--help");
    assertEquals(0, help.code());
    for (Subcommand command : Subcommand.ALL) {
      assertTrue(help.out().contains(command.name() + " "), command.name());
      assertTrue(help.out().contains(command.summary()), command.name());
    }
    assertTrue(help.out().contains("130   interrupted"), help.out());
  }

  @Test
  void summariesAreTheFirstLinesOfTheDescriptions() {
    CommandLine whole = Main.commandLine();
    for (Subcommand command : Subcommand.ALL) {
      String[] description =
          whole.getSubcommands().get(command.name()).getCommandSpec().usageMessage().description();
      assertEquals(command.summary(), description[0]);
    }
  }

  @Test
  void everyOptionIsDescribed() {
    checkDescribed(Main.commandLine());
  }

  private static void checkDescribed(CommandLine line) {
    for (ArgSpec arg : line.getCommandSpec().args()) {
      assertTrue(arg.description().length > 0, line.getCommandName() + " " + arg);
    }
    line.getSubcommands().values().forEach(HelpTest::checkDescribed);
  }

  @Test
  void versionNamesTheLibraryAndJava() {
    Avm.Result version = Avm.run("--version");
    assertEquals(0, version.code());
    assertTrue(version.out().startsWith("avm "), version.out());
    assertTrue(version.out().contains("Java " + Runtime.version()), version.out());
  }

  @Test
  void nothingToDoShowsTheHelp() {
    Avm.Result nothing = Avm.run();
    assertEquals(2, nothing.code());
    assertTrue(nothing.err().contains("Usage: avm"), nothing.err());
  }

  @Test
  void manualPagesAndCompletionCoverEveryCommand() throws IOException {
    Documents.main(new String[] {folder.toString()});
    for (String page :
        List.of("avm", "avm-train", "avm-predict", "avm-inspect", "avm-export", "avm-compare")) {
      String text = Files.readString(folder.resolve("man/man1/" + page + ".1"));
      assertTrue(text.startsWith(".TH "), page);
      assertTrue(text.contains(".SH OPTIONS"), page);
      assertFalse(text.contains("${"), page + " has its variables filled in");
    }
    String train = Files.readString(folder.resolve("man/man1/avm-train.1"));
    assertTrue(train.contains("\\-\\-gamma"), train);
    assertTrue(train.contains(".SS \"The learner:\""), train);
    String completion = Files.readString(folder.resolve("completions/avm.bash"));
    assertTrue(completion.contains("--resume"), "options of train");
    assertTrue(completion.contains("jsonl"), "values of options");
  }
}
