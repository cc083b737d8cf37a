// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.build;

import io.github.avm4j.cli.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.AutoComplete;
import picocli.CommandLine;

/** Writes the completion script and the manual pages; run by the build. */
public final class Documents {
  private Documents() {}

  /** Writes into the folder given as the only argument. */
  public static void main(String[] args) throws IOException {
    Path folder = Path.of(args[0]);
    CommandLine avm = Main.commandLine();
    Path completions = Files.createDirectories(folder.resolve("completions"));
    Files.writeString(completions.resolve("avm.bash"), AutoComplete.bash("avm", avm));
    pages(avm, Files.createDirectories(folder.resolve("man").resolve("man1")));
  }

  private static void pages(CommandLine command, Path folder) throws IOException {
    String name = command.getCommandSpec().qualifiedName("-");
    Files.writeString(folder.resolve(name + ".1"), ManPage.of(command));
    for (CommandLine sub : command.getSubcommands().values()) {
      pages(sub, folder);
    }
  }
}
