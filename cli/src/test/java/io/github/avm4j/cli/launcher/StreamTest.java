// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.launcher;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.cli.Avm;
import io.github.avm4j.pipeline.RowLearner;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pipes and signals, with real processes. */
@Timeout(
    value = 2 * Launcher.PATIENCE,
    unit = TimeUnit.MINUTES,
    threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StreamTest {
  @TempDir Path folder;
  private Launcher launcher;
  private Path model;

  @BeforeEach
  void distribution() throws Exception {
    launcher = new Launcher(folder.resolve("home"));
    model = folder.resolve("m.avm");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {"a,b;0,0;0.95,0.95", "{'a':0,'b':0};{'a':0.95,'b':0.95};{'a':0,'b':0.01}"})
  void predictAnswersEachLineAtOnce(String first, String second, String third) throws Exception {
    Path data = Files.writeString(folder.resolve("ring.csv"), Avm.ring(1500, 1));
    Avm.run("train", data, "-m", model, "-q");
    Process process =
        launcher.command("predict", model).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    try (Writer in = process.outputWriter(StandardCharsets.UTF_8);
        BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
      write(in, first);
      assertTrue(out.readLine().startsWith("prediction,"));
      if (first.startsWith("{")) {
        assertTrue(out.readLine().startsWith("in,"));
      }
      for (String row : List.of(second, third)) {
        write(in, row);
        assertTrue(out.readLine().startsWith(row.contains("95") ? "out," : "in,"), row);
      }
    }
    assertEquals(0, Launcher.waitFor(process));
  }

  private static void write(Writer in, String line) throws IOException {
    in.write(line.replace('\'', '"') + "\n");
    in.flush();
  }

  @Test
  void predictAnswersLibsvmLinesAtOnce() throws Exception {
    Path data = Files.writeString(folder.resolve("a.libsvm"), "1 1:1\n-1 2:1\n".repeat(50));
    Avm.run("train", data, "-m", model, "-q");
    Process process =
        launcher.command("predict", model).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    try (Writer in = process.outputWriter(StandardCharsets.UTF_8);
        BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
      write(in, "1:1");
      assertTrue(out.readLine().startsWith("prediction,"));
      assertTrue(out.readLine().startsWith("1,"));
      write(in, "2:1");
      assertTrue(out.readLine().startsWith("-1,"));
    }
    assertEquals(0, Launcher.waitFor(process));
  }

  @Test
  void killedTrainingLeavesTheLastSavedModel() throws Exception {
    Process process =
        launcher
            .command("train", "-", "-m", model, "--save-every", 100)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (Writer in = process.outputWriter(StandardCharsets.UTF_8)) {
      in.write(Avm.ring(2050, 1));
      in.flush();
      Launcher.await("a saved model", () -> instances() >= 1000);
    } catch (IOException e) {
      // Closing the pipe of a dead process may fail; that is not what is tested.
    } finally {
      process.destroyForcibly();
    }
    Launcher.waitFor(process);
    assertEquals(0, Avm.run("inspect", model).code());
    assertEquals(0, instances() % 50);
  }

  private long instances() throws IOException {
    return Files.exists(model)
        ? RowLearner.read(Files.readAllBytes(model)).learner().instances()
        : 0;
  }

  @ParameterizedTest
  @CsvSource({"INT,130", "TERM,143"})
  void signalsSaveAndResumeGoesOn(String signal, int code) throws Exception {
    String rows = Avm.ring(3000, 1);
    Path data = Files.writeString(folder.resolve("ring.csv"), rows);
    Path whole = folder.resolve("whole.avm");
    Avm.run("train", data, "-m", whole, "-q");
    Path err = folder.resolve("err.txt");
    Process process =
        launcher.command("train", "-", "-m", model).redirectError(err.toFile()).start();
    Writer in = process.outputWriter(StandardCharsets.UTF_8);
    in.write(String.join("\n", rows.lines().limit(2050).toList()) + "\n");
    in.flush();
    Launcher.await("progress", () -> Files.readString(err).contains("\n      2048 "));
    new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start().waitFor();
    assertEquals(code, Launcher.waitFor(process), Files.readString(err));
    long done = instances();
    assertTrue(done >= 2048, "saved after " + done);
    String said = Files.readString(err);
    assertTrue(said.contains("interrupted after " + done + " rows; saved."), said);
    assertEquals(0, Avm.run("train", data, "--resume", model, "--skip", done, "-q").code());
    assertArrayEquals(
        provenanceFree(Files.readAllBytes(whole)), provenanceFree(Files.readAllBytes(model)));
  }

  /** The bytes as this process would write them: both runs must have learned the same. */
  private static byte[] provenanceFree(byte[] file) throws IOException {
    return RowLearner.read(file).toBytes();
  }
}
