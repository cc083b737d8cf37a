// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IdxTest {
  private static final ReaderOptions OPTIONS = ReaderOptions.defaults();

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

  @Test
  void imagesAndLabels() throws IOException {
    Path images = idx("i", new int[] {2, 1, 3}, 0, 255, 51, 0, 0, 0);
    Path labels = idx("l", new int[] {2}, 7, 200);
    List<String> rows = List.of("7|1:1,2:0.2", "200|");
    assertEquals(rows, Shown.rows(Readers.open(OPTIONS, images, labels)));
    assertEquals(4, Shown.rows(Readers.open(OPTIONS, images, labels, images, labels)).size());
    assertEquals(
        List.of("|1:1,2:0.2", "|"), Shown.rows(Readers.open(OPTIONS.withHasLabel(false), images)));
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
          {images},
          {images, three},
          {two, images},
          {cut, two},
          {huge, two},
          {negative, two},
          {images, images}
        }) {
      assertThrows(BadFileException.class, () -> Shown.rows(Readers.open(OPTIONS, files)));
    }
  }
}
