// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments.catalogue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.avm4j.feature.Row;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IdxReaderTest {
  @TempDir Path folder;

  private Path idx(String name, int[] sizes, int... bytes) throws IOException {
    ByteBuffer out = ByteBuffer.allocate(4 + 4 * sizes.length + bytes.length);
    out.putInt(0x800 + sizes.length);
    for (int size : sizes) {
      out.putInt(size);
    }
    for (int b : bytes) {
      out.put((byte) b);
    }
    return Files.write(folder.resolve(name), out.array());
  }

  private static void readAll(Path images, Path labels) throws IOException {
    try (IdxReader reader = new IdxReader(images, labels)) {
      Row row = new Row();
      while (reader.next(row)) {
        row.labelText();
      }
    }
  }

  @Test
  void imagesAndLabels() throws IOException {
    Path images = idx("i", new int[] {2, 1, 3}, 0, 255, 51, 0, 0, 0);
    Path labels = idx("l", new int[] {2}, 7, 200);
    Row row = new Row();
    try (IdxReader reader = new IdxReader(images, labels)) {
      assertEquals(true, reader.next(row));
      assertEquals("7", row.labelText());
      assertEquals(0, row.features().get(0));
      assertEquals(1, row.features().get(1));
      assertEquals(0.2, row.features().get(2));
      assertEquals(true, reader.next(row));
      assertEquals("200", row.labelText());
      assertEquals(0, row.featureCount());
      assertEquals(false, reader.next(row));
    }
  }

  @Test
  void whatDoesNotGoTogether() throws IOException {
    Path images = idx("i", new int[] {2, 3}, 0, 255, 51, 0, 0, 0);
    Path cut = idx("c", new int[] {2, 3}, 0, 255, 51, 0);
    Path three = idx("t", new int[] {3}, 7, 200, 1);
    Path two = idx("l", new int[] {2}, 7, 200);
    Path huge = idx("h", new int[] {2, 1 << 20, 1 << 20});
    Path negative = idx("n", new int[] {2, -1});
    for (Path[] files :
        new Path[][] {
          {images, three}, {two, images}, {cut, two}, {huge, two}, {negative, two}, {images, images}
        }) {
      assertThrows(DataException.class, () -> readAll(files[0], files[1]));
    }
  }
}
