// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.cli.Avm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(
    value = 2 * Launcher.PATIENCE,
    unit = TimeUnit.MINUTES,
    threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LauncherTest {
  @TempDir Path folder;
  private Launcher launcher;

  @BeforeEach
  void distribution() throws Exception {
    launcher = new Launcher(folder.resolve("a folder"));
  }

  @Test
  void helpComesWithoutAWord() throws Exception {
    Avm.Result help = Launcher.finish(launcher.command("--help"));
    assertEquals(0, help.code(), help.err());
    assertTrue(help.out().startsWith("Usage: avm"), help.out());
    assertEquals("", help.err());
    assertFalse(help.out().contains("\u001B"), "no colours in a pipe");
  }

  @Test
  void exitCodesReachTheShell() throws Exception {
    assertEquals(2, Launcher.finish(launcher.command("--nope")).code());
    Avm.Result missing = Launcher.finish(launcher.command("train", "no such", "-m", "m"));
    assertEquals(1, missing.code());
    assertTrue(missing.err().equals("avm: no such: there is no such file\n"), missing.err());
  }

  /** Java would warn of an incubator module before the first line that avm prints. */
  @Test
  void theVectorApiIsUsedWithoutAWarning() throws Exception {
    ProcessBuilder command = launcher.command("--version");
    command.environment().remove("AVM_JAVA_OPTS");
    Avm.Result version = Launcher.finish(command);
    assertEquals("", version.err());
    assertTrue(version.out().contains("inner loops: panama-"), version.out());
  }

  @Test
  void worksThroughALink() throws Exception {
    Path link = Files.createSymbolicLink(folder.resolve("linked"), launcher.script());
    ProcessBuilder command = launcher.command("--version");
    command.command().set(0, link.toString());
    assertEquals(0, Launcher.finish(command).code());
  }

  @Test
  void javaOptionsAreTaken() throws Exception {
    ProcessBuilder command = launcher.command("--version");
    command.environment().put("AVM_JAVA_OPTS", "-Xmx64m -XshowSettings:vm");
    assertTrue(Launcher.finish(command).err().contains("64.00M"));
  }

  @Test
  void aServerEndsWhenItRunsOutOfMemory() throws Exception {
    ProcessBuilder command = launcher.command("serve", "--help");
    command.environment().put("AVM_JAVA_OPTS", "-XX:+PrintCommandLineFlags");
    assertTrue(Launcher.finish(command).out().contains("-XX:+ExitOnOutOfMemoryError"));
    for (String file : new String[] {"avm-serve.service", "Containerfile"}) {
      String text = Files.readString(Path.of("../examples/serve", file));
      assertTrue(text.contains("-XX:+ExitOnOutOfMemoryError"), file);
    }
  }

  @Test
  void javaHomeWithoutJava() throws Exception {
    ProcessBuilder command = launcher.command("--version");
    command.environment().put("JAVA_HOME", folder.toString());
    Avm.Result result = Launcher.finish(command);
    assertEquals(1, result.code());
    assertTrue(result.err().contains("where there is no bin/java; set it to"), result.err());
  }

  @Test
  void theRuntimeOfTheDistributionComesBeforeThatOfTheMachine() throws Exception {
    Path runtime = folder.resolve("a folder/runtime");
    Path java = Files.createDirectories(runtime.resolve("bin")).resolve("java");
    Files.writeString(java, "#!/bin/sh\necho own \"$@\"\n");
    assertTrue(java.toFile().setExecutable(true));
    Files.writeString(runtime.resolve("release"), "JAVA_VERSION=\"25\"\n");
    Path lib = Files.createDirectories(runtime.resolve("lib"));
    Files.createFile(lib.resolve("avm.jsa"));

    ProcessBuilder command = launcher.command("--help");
    command.environment().put("JAVA_HOME", folder.toString());
    command.environment().put("XDG_CACHE_HOME", folder.resolve("cache").toString());
    String off = Launcher.finish(command).out();
    assertTrue(off.startsWith("own ") && !off.contains(".jsa"), off);
    command.environment().put("AVM_CDS", "on");
    String on = Launcher.finish(command).out();
    assertTrue(on.contains("SharedArchiveFile=" + lib.resolve("avm.jsa") + " "), on);
    assertFalse(Files.exists(folder.resolve("cache")), "nothing is written at the first start");

    command.environment().put("AVM_JAVA_HOME", System.getProperty("java.home"));
    command.command().set(1, "--help");
    assertTrue(Launcher.finish(command).out().startsWith("Usage: avm"));
    command.environment().put("AVM_JAVA_HOME", folder.toString());
    assertTrue(Launcher.finish(command).err().contains("AVM_JAVA_HOME is " + folder));
  }

  @Test
  void javaThatIsTooOld() throws Exception {
    Path old = Files.createDirectories(folder.resolve("jdk-11/bin"));
    Path java = Files.writeString(old.resolve("java"), "#!/bin/sh\nexit 99\n");
    assertTrue(java.toFile().setExecutable(true));
    Files.writeString(folder.resolve("jdk-11/release"), "JAVA_VERSION=\"11.0.2\"\nMODULES=\"a\"\n");
    ProcessBuilder command = launcher.command("--version");
    command.environment().put("JAVA_HOME", folder.resolve("jdk-11").toString());
    Avm.Result result = Launcher.finish(command);
    assertEquals(1, result.code());
    assertTrue(result.err().contains("Java 17 or later is needed"), result.err());
    assertTrue(result.err().contains("is 11.0.2"), result.err());
    assertEquals(1, result.err().lines().count());
  }

  @Test
  void anotherStartUsesTheArchiveOfTheFirst() throws Exception {
    Path cache = folder.resolve("cache");
    for (int start = 0; start < 2; start++) {
      ProcessBuilder command = launcher.command("--help");
      command.environment().put("AVM_CDS", "on");
      command.environment().put("XDG_CACHE_HOME", cache.toString());
      Avm.Result help = Launcher.finish(command);
      assertEquals(0, help.code(), help.err());
      assertEquals("", help.err());
      assertTrue(help.out().startsWith("Usage: avm"), help.out());
    }
    assertTrue(Files.isDirectory(cache.resolve("avm4j")));
    Launcher.await(
        "the archive's maker to clean up",
        () -> {
          try (var files = Files.list(cache.resolve("avm4j"))) {
            return files.noneMatch(f -> f.toString().matches(".*\\.(list|plain|new|crash)"));
          }
        });
  }

  @Test
  void noCacheFolderIsNoHarm() throws Exception {
    ProcessBuilder command = launcher.command("--help");
    command.environment().put("AVM_CDS", "on");
    command.environment().put("XDG_CACHE_HOME", "/dev/null/nowhere");
    Avm.Result help = Launcher.finish(command);
    assertEquals(0, help.code(), help.err());
    assertEquals("", help.err());
  }
}
