// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.config.AvmConfig;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Scaling;
import io.github.avm4j.internal.coreset.CoreSet;
import io.github.avm4j.internal.format.ModelFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** The worked file of docs/format.md is what the code writes and reads. */
class FormatDocumentTest {
  private static final Path DOCUMENT = Path.of("..", "docs", "format.md");

  private static byte[] hex() throws IOException {
    String text = Files.readString(DOCUMENT);
    int start = text.indexOf("```hex\n") + 7;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (String line : text.substring(start, text.indexOf("\n```", start)).split("\n", -1)) {
      String[] words = line.split(" ", 2);
      assertEquals(bytes.size(), Integer.parseInt(words[0], 16), line);
      bytes.writeBytes(HexFormat.of().parseHex(words[1]));
    }
    return bytes.toByteArray();
  }

  @Test
  void isWhatIsWritten() throws IOException {
    AvmConfig config =
        Avm.paperClassifier().gamma(0.5).delta(1).lambda(0.25).labels(-1, 1).config();
    CoreSet set = CoreSet.dense(1);
    set.append(FeatureVector.dense(2), true);
    Provenance provenance = new Provenance("0.1.0", 1, "17", "x", "scalar");
    Model model =
        new Model(
            config, provenance, new double[] {-1, 1}, set, new double[][] {{4}}, Scaling.none(), 0);
    assertArrayEquals(hex(), ModelFormat.write(model));
  }

  @Test
  void isRead() throws IOException {
    Model model = ModelFormat.read(hex());
    assertEquals(4 * Math.exp(-0.5), model.score(FeatureVector.dense(3)), 1e-14);
    assertEquals(1, model.predict(3.0));
    assertEquals("scalar", model.provenance().simd());
  }

  @Test
  void theDocumentNamesEverySection() throws IOException {
    String text = Files.readString(DOCUMENT);
    String[] names = {
      "CONFIG", "PROVENANCE", "MODEL", "LEARNER", "SECOND_ORDER", "SCALING", "STATE", "SCHEMA"
    };
    for (int type = 1; type <= names.length; type++) {
      assertTrue(text.contains("| " + type + " | " + names[type - 1] + " |"), names[type - 1]);
      assertTrue(text.contains("## " + names[type - 1] + " (" + type + ")"), names[type - 1]);
    }
  }
}
