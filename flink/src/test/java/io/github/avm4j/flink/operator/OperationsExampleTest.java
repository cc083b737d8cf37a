// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.fixtures.JavaProcess;
import io.github.avm4j.flink.record.Example;
import io.github.avm4j.flink.record.Formats;
import io.github.avm4j.flink.record.ModelVersion;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.ToolProvider;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Java example of docs/operations.md compiles as it stands and builds a part of a job. */
class OperationsExampleTest {
  @TempDir Path folder;

  @Test
  void theExampleBuildsAJob() throws Exception {
    compile(block());
    StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
    DataStream<Example> examples =
        env.fromData(
            List.of(new Example("", "", FeatureVector.dense(1), 0, 1, 0)), Formats.EXAMPLE.type());
    DataStream<ModelVersion> models =
        env.fromData(
            List.of(new ModelVersion("flights", "", 1, 0, new byte[0])),
            Formats.MODEL_VERSION.type());
    URL[] classes = {folder.toUri().toURL()};
    try (URLClassLoader loader = new URLClassLoader(classes, getClass().getClassLoader())) {
      Object made =
          loader
              .loadClass("OperationsExample")
              .getMethod("predict", DataStream.class, DataStream.class)
              .invoke(null, examples, models);
      assertEquals(Formats.PREDICTION.type(), ((DataStream<?>) made).getType());
    }
  }

  /** The only Java block of the page, its method made public and put into a class. */
  private static String block() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "operations.md"), UTF_8);
    String[] blocks = page.split("\n```java\n", -1);
    assertEquals(2, blocks.length, "Java blocks and one");
    String block = blocks[1].substring(0, blocks[1].indexOf("\n```\n"));
    int method = block.indexOf("\nstatic ");
    assertTrue(method > 0, block);
    return block.substring(0, method)
        + "\npublic class OperationsExample {\npublic "
        + block.substring(method + 1)
        + "\n}\n";
  }

  private void compile(String source) throws IOException {
    Path file = folder.resolve("OperationsExample.java");
    Files.writeString(file, source, UTF_8);
    ByteArrayOutputStream messages = new ByteArrayOutputStream();
    String[] arguments = {
      "-proc:none",
      "-encoding",
      "UTF-8",
      "-classpath",
      String.join(File.pathSeparator, JavaProcess.classPath()),
      "-d",
      folder.toString(),
      file.toString()
    };
    int status = ToolProvider.getSystemJavaCompiler().run(null, messages, messages, arguments);
    assertEquals(0, status, () -> "the example does not compile:\n" + messages.toString(UTF_8));
  }
}
