// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.cli.Avm;
import io.github.avm4j.cli.process.StreamProcess;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class StreamCommandTest {
  @Test
  void withoutTheAddOnItSaysWhatToDo() {
    Avm.Result result = Avm.run("stream", "run", "job.yaml");
    assertEquals(1, result.code());
    assertTrue(result.err().contains("unpack avm4j-stream"), result.err());
  }

  @Test
  void aClusterMustBeNamed() {
    assertEquals(2, Avm.run("stream", "submit", "job.yaml").code());
    assertEquals(2, Avm.run("stream").code());
  }

  @Test
  void aSavepointAndANewBeginningAreHandedOn() {
    assertEquals(
        List.of("run", "job.yaml", "--from", "file:/s"),
        StreamCommand.arguments(List.of("run", "job.yaml"), "file:/s", false));
    assertEquals(
        List.of("run", "job.yaml", "--new"),
        StreamCommand.arguments(List.of("run", "job.yaml"), null, true));
  }

  @Test
  void flinkGetsAProcessOfItsOwn() {
    List<String> command = new StreamProcess(Path.of("jars")).command(List.of("plan", "job.yaml"));
    assertTrue(command.contains(Path.of("jars", "*").toString()), command.toString());
    assertEquals(
        List.of("io.github.avm4j.flink.job.StreamMain", "plan", "job.yaml"),
        command.subList(command.size() - 3, command.size()));
  }
}
