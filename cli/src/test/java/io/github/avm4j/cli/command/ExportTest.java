// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.cli.Avm;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command; that the files are right is for the tests of module export. */
class ExportTest {
  @TempDir Path folder;

  private Path train(String rows, Object... options) throws IOException {
    Path data = Files.writeString(folder.resolve("data.csv"), rows);
    Path model = folder.resolve("m.avm");
    Object[] args = new Object[options.length + 5];
    Object[] fixed = {"train", data, "-m", model, "-q"};
    System.arraycopy(fixed, 0, args, 0, 5);
    System.arraycopy(options, 0, args, 5, options.length);
    assertEquals(0, Avm.run(args).code());
    return model;
  }

  private String export(Path model, String file, Object... options) throws IOException {
    Object[] args = new Object[options.length + 3];
    Object[] fixed = {"export", model, folder.resolve(file)};
    System.arraycopy(fixed, 0, args, 0, 3);
    System.arraycopy(options, 0, args, 3, options.length);
    Avm.Result result = Avm.run(args);
    assertEquals(0, result.code(), result.err());
    byte[] bytes = Files.readAllBytes(folder.resolve(file));
    assertTrue(result.err().contains(bytes.length + " bytes"), result.err());
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  @Test
  void theExtensionNamesTheFormat() throws IOException {
    Path model = train(Avm.slope(300, 1));
    assertTrue(export(model, "m.onnx").contains("avm4j.configuration"));
    assertTrue(export(model, "m.pmml").startsWith("<?xml"));
    assertTrue(export(model, "m.XML").contains("colour"));
    assertTrue(
        export(model, "f.onnx", "--float").length() < export(model, "d.onnx").length(),
        "floats are smaller");
  }

  @Test
  void libsvmNeedsNoScalingAndNumbers() throws IOException {
    Path scaled = train(Avm.slope(300, 1));
    Avm.Result refused = Avm.run("export", scaled, folder.resolve("m.libsvm"));
    assertEquals(1, refused.code());
    assertTrue(refused.err().contains("scales features first"), refused.err());
    assertFalse(Files.exists(folder.resolve("m.libsvm")));
    Path plain = train("x,y\n1,2\n2,3\n3,5\n4,4\n", "--scaling", "none", "--task", "regression");
    assertTrue(export(plain, "m.libsvm").startsWith("svm_type epsilon_svr"));
  }

  @Test
  void wrongLinesAreRefused() throws IOException {
    Path model = train(Avm.slope(300, 1));
    Avm.Result unknown = Avm.run("export", model, folder.resolve("m.pickle"));
    assertEquals(2, unknown.code());
    assertTrue(unknown.err().contains("use .onnx, .pmml or .libsvm"), unknown.err());
    assertEquals(2, Avm.run("export", model, folder.resolve("m.pmml"), "--float").code());
    assertEquals(2, Avm.run("export", model, folder.resolve("m.libsvm"), "--features", 9).code());
    Avm.Result narrow = Avm.run("export", model, folder.resolve("m.onnx"), "--features", 1);
    assertEquals(1, narrow.code());
    assertTrue(narrow.err().contains("features must be at least 3"), narrow.err());
    Avm.Result none = Avm.run("export", folder.resolve("none.avm"), folder.resolve("m.onnx"));
    assertEquals(1, none.code());
    assertTrue(none.err().contains("no such file"), none.err());
  }
}
