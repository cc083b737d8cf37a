// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.cli.Avm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a person at a terminal sees; python3 plays the terminal. */
@Timeout(
    value = 2 * Launcher.PATIENCE,
    unit = TimeUnit.MINUTES,
    threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TerminalTest {
  /**
   * Runs argv[2:] on a pseudo-terminal and types argv[1] once "rows" shows; prints all, exits as
   * it.
   */
  private static final String PTY =
      """
      import os, pty, sys, fcntl, termios, struct
      keys = sys.argv[1].encode().decode('unicode_escape').encode()
      pid, fd = pty.fork()
      if pid == 0:
          fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack('HHHH', 24, 100, 0, 0))
          os.execvp(sys.argv[2], sys.argv[2:])
      seen = b''
      while True:
          try:
              got = os.read(fd, 4096)
          except OSError:  # as Linux tells the end
              break
          if got == b'':
              break
          seen += got
          if keys and b' rows ' in seen:
              os.write(fd, keys)
              keys = b''
      sys.stdout.buffer.write(seen)
      sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
      """;

  @TempDir Path folder;
  private Launcher launcher;

  @BeforeEach
  void distribution() throws Exception {
    boolean python;
    try {
      python = new ProcessBuilder("python3", "--version").start().waitFor() == 0;
    } catch (IOException e) {
      python = false;
    }
    Assumptions.assumeTrue(python, "skipped: no python3 to play a terminal");
    launcher = new Launcher(folder.resolve("home"));
  }

  private Avm.Result onTerminal(String keys, Object... args) throws Exception {
    ProcessBuilder command = launcher.command(args);
    List<String> words = new ArrayList<>(List.of("python3", "-c", PTY, keys));
    words.addAll(command.command());
    command.command(words);
    command.environment().put("TERM", "xterm");
    command.environment().remove("NO_COLOR");
    return Launcher.finish(command);
  }

  @Test
  void progressIsOneLineWrittenOver() throws Exception {
    Path data = Files.writeString(folder.resolve("ring.csv"), Avm.ring(20000, 1));
    Avm.Result seen = onTerminal("", "train", data, "-m", folder.resolve("m.avm"));
    assertEquals(0, seen.code(), seen.out());
    assertTrue(seen.out().contains("\r["), seen.out());
    assertTrue(
        seen.out().matches("(?s).* rows  [\\d,]+/s  error .* core points  \\d+:\\d\\d .*"),
        seen.out());
    assertFalse(seen.out().contains("since last"), "no table on a terminal");
    String last = seen.out().stripTrailing();
    last = last.substring(last.lastIndexOf('\r') + 1).strip();
    assertTrue(last.startsWith("20000 rows in"), last);
  }

  @Test
  void controlCSavesAndSaysHowToGoOn() throws Exception {
    Path data = Files.writeString(folder.resolve("ring.csv"), Avm.ring(400_000, 1));
    Path model = folder.resolve("m.avm");
    Avm.Result seen = onTerminal("\\x03", "train", data, "-m", model);
    assertEquals(130, seen.code(), seen.out());
    assertTrue(seen.out().contains("Resume with: avm train " + data + " --resume"), seen.out());
    assertEquals(0, Avm.run("inspect", model).code());
  }

  @Test
  void coloursOnATerminalUnlessTold() throws Exception {
    assertTrue(onTerminal("", "--help").out().contains("\u001B["));
    ProcessBuilder plain = launcher.command("--help");
    List<String> words = new ArrayList<>(List.of("python3", "-c", PTY, ""));
    words.addAll(plain.command());
    plain.command(words);
    plain.environment().put("NO_COLOR", "1");
    assertFalse(Launcher.finish(plain).out().contains("\u001B["));
  }
}
