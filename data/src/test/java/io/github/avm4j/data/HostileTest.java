// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.data;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Good files with random damage: bytes changed, cut out, doubled, and words of the formats. */
class HostileTest {
  private static final int INPUTS = "long".equals(System.getProperty("laws")) ? 20_000 : 4_000;
  private static final String[] WORDS = {
    "\n",
    "\r\n",
    ",",
    "\t",
    ";",
    " ",
    ":",
    "\"",
    "'",
    "{",
    "}",
    "[",
    "]",
    "\\",
    "#",
    "%",
    "?",
    "nan",
    "inf",
    "1e999",
    "-",
    "1e-400",
    "@data\n",
    "@attribute a {b,c}\n",
    "@attribute q real\n",
    "qid:1",
    "0:1",
    "2147483648:1",
    "99999999999999999999",
    "null",
    "true",
    "\u0000",
    "é",
    "\uFEFF"
  };

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] sample(Format format) {
    return switch (format) {
      case LIBSVM -> bytes("+1 1:0.5 7:1 # c\n-1 qid:3 2:1e-3 9:-12.25\n0\n3 1:1 2:2 3:3\n");
      case CSV -> bytes("a,\"b c\",y\n1,x,2\n?,\"q \"\"r\"\"\",3\n-1e3,,4\n");
      case ARFF ->
          bytes(
              """
              @relation r
              @attribute a real
              @attribute 'b' {x,'y z'}
              @attribute s string
              @attribute y {0,1}
              @data
              1,x,'t\\'t',0
              {0 2,1 'y z',3 1}
              ?,x,?,1,{2}
              """);
      case JSONL ->
          bytes(
              "{\"a\":1,\"b\":\"x\",\"y\":2}\n{\"a\":null,\"b\":\"\\u00e9\",\"y\":true}\n{\"y\":-1e5}\n");
      case AUTO -> bytes("1 2\t3\n4 5 6\n x y 7\n\n1e5 NA 8\n");
      case PARQUET -> new byte[] {0, 0, 8, 3, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 1, 9, 8, 7, 6};
    };
  }

  private static byte[] damage(byte[] good, SplittableRandom random) {
    byte[] bytes = good.clone();
    for (int n = 1 + random.nextInt(4); n > 0; n--) {
      int at = random.nextInt(bytes.length + 1);
      int to = Math.min(bytes.length, at + random.nextInt(12));
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      out.write(bytes, 0, at);
      switch (random.nextInt(5)) {
        case 0 -> out.writeBytes(bytes(WORDS[random.nextInt(WORDS.length)]));
        case 1 -> out.write(random.nextInt(256));
        case 2 -> out.write(bytes, at, to - at);
        case 3 -> at = to;
        default -> {
          out.write(random.nextInt(256));
          at = Math.min(at + 1, bytes.length);
        }
      }
      out.write(bytes, at, bytes.length - at);
      bytes = out.toByteArray();
    }
    return random.nextInt(10) == 0 ? Arrays.copyOf(bytes, random.nextInt(bytes.length + 1)) : bytes;
  }

  @ParameterizedTest
  @EnumSource(
      value = Format.class,
      names = {"PARQUET"},
      mode = EnumSource.Mode.EXCLUDE)
  void damagedFiles(Format format) {
    SplittableRandom random = new SplittableRandom(format.name().length());
    byte[] good = sample(format);
    Hostile.read(format, good);
    for (int k = 0; k < INPUTS; k++) {
      byte[] bytes = damage(good, random);
      try {
        Hostile.read(format, bytes);
      } catch (RuntimeException | Error e) {
        throw new AssertionError("input " + k + ": " + Arrays.toString(bytes), e);
      }
    }
  }

  /** Slower, for every input goes through a file. */
  @Test
  void damagedParquet(@TempDir Path folder) throws IOException {
    byte[] good = Files.readAllBytes(ParquetTest.sample(folder.resolve("x")));
    SplittableRandom random = new SplittableRandom(1);
    for (int k = 0; k < INPUTS / 40; k++) {
      Hostile.read(Format.PARQUET, damage(good, random));
    }
  }
}
