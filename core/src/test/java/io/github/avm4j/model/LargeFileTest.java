// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.internal.format.ByteWriter;
import io.github.avm4j.internal.format.Sections;
import io.github.avm4j.pipeline.RowModel;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Beyond two gigabytes an array ends: that is said before anything is read or written. */
class LargeFileTest {
  private static final long LARGE = 3L << 30;

  @TempDir Path folder;

  /** A file of so many bytes, nearly all of them a hole that takes no room. */
  private Path large(byte[] head) throws IOException {
    Path path = folder.resolve("large.avm");
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.write(head);
      file.setLength(LARGE);
    }
    return path;
  }

  @Test
  void largerFilesAreRefusedWithTheirSize() throws IOException {
    Path path = large(Sections.write(new java.util.TreeMap<>()));
    for (Executable read :
        List.<Executable>of(
            () -> Avm.loadModel(path), () -> Avm.loadLearner(path), () -> RowModel.read(path))) {
      assertEquals(
          "the file has 3221225472 bytes; one of avm4j has at most 2147483631",
          assertThrows(InvalidModelException.class, read).getMessage());
    }
  }

  @Test
  void largeFilesOfOthersAreNotModels() throws IOException {
    Path path = large("a,b,c\n1,2,3\n".getBytes(java.nio.charset.StandardCharsets.UTF_8));
    String message =
        assertThrows(InvalidModelException.class, () -> Avm.loadModel(path)).getMessage();
    assertTrue(message.contains("not written by avm4j"), message);
  }

  @Test
  void largerArraysAreRefusedBeforeTheyAreMade() {
    ByteWriter out = new ByteWriter();
    out.u8(1);
    for (Executable write :
        List.<Executable>of(
            () -> out.f64s(new double[0], 1 << 29), () -> out.i32s(new int[0], 1 << 30))) {
      String message = assertThrows(IllegalStateException.class, write).getMessage();
      assertTrue(message.contains("at most 2147483631"), message);
    }
    assertEquals(1, out.toBytes().length);
  }
}
