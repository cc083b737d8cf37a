// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.luben.zstd.ZstdOutputStream;
import io.github.avm4j.model.AvmException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

/** Compression, several files, standard input, formats found without being told. */
class FilesTest {
  private static final ReaderOptions OPTIONS = ReaderOptions.defaults();

  @TempDir Path folder;

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private interface Packer {
    OutputStream on(OutputStream out) throws IOException;
  }

  private static byte[] pack(Packer packer, String... parts) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (String part : parts) {
      try (OutputStream out = packer.on(bytes)) {
        out.write(part.getBytes(StandardCharsets.UTF_8));
      }
    }
    return bytes.toByteArray();
  }

  private static final List<Packer> PACKERS =
      List.of(
          GZIPOutputStream::new,
          BZip2CompressorOutputStream::new,
          out -> new XZOutputStream(out, new LZMA2Options()),
          ZstdOutputStream::new);

  @Test
  void everyCompressionInOneOrSeveralStreams() throws IOException {
    for (Packer packer : PACKERS) {
      Path file = Files.write(folder.resolve("x"), pack(packer, "1 1:1\n2 ", "2:1\n"));
      assertEquals(List.of("1|0:1", "2|1:1"), Shown.rows(Readers.open(OPTIONS, file)));
    }
  }

  @Test
  void cutCompressedFilesAreSaidToBeCut() throws IOException {
    String text = "1 1:1\n2 2:3\n".repeat(50_000);
    for (Packer packer : PACKERS) {
      byte[] whole = pack(packer, text);
      for (int size : new int[] {whole.length - 1, whole.length / 2, 12, 7}) {
        byte[] cut = java.util.Arrays.copyOf(whole, size);
        BadFileException e =
            assertThrows(
                BadFileException.class,
                () -> Shown.rows(Readers.open(OPTIONS, "x", new ByteArrayInputStream(cut))));
        assertTrue(e.getMessage().startsWith("x"), e.getMessage());
      }
    }
  }

  /** A gigabyte of one line in a megabyte of file: no line is that long, and no memory is used. */
  @Test
  void bombs() throws IOException {
    byte[] ones = "1".repeat(1 << 20).getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out = new ZstdOutputStream(bytes)) {
      for (int k = 0; k < 1024; k++) {
        out.write(ones);
      }
    }
    for (Format format : List.of(Format.LIBSVM, Format.CSV, Format.JSONL, Format.ARFF)) {
      ReaderOptions options = OPTIONS.withFormat(format).withMaxLineBytes(1 << 20);
      assertThrows(
          AvmException.class,
          () ->
              Shown.rows(
                  Readers.open(options, "x", new ByteArrayInputStream(bytes.toByteArray()))));
    }
  }

  @Test
  void csvFilesInOrder() throws IOException {
    Path one = file("1.csv", "a,y\n1,2\n3,4");
    Path two = file("2.csv", "a,y\r\n5,6\r\n");
    Path bare = file("3.csv", "7,8\n");
    RowReader reader = Readers.open(OPTIONS, one, two, bare);
    assertEquals(List.of("2|1", "4|3", "6|5", "8|7"), Shown.rows(reader));
    assertEquals(new Position(bare.toString(), 1), reader.position());
    assertEquals(4, reader.rows());
    Path other = file("4.csv", "b,y\n1,2\n");
    BadFileException e =
        assertThrows(BadFileException.class, () -> Shown.rows(Readers.open(OPTIONS, one, other)));
    assertTrue(e.getMessage().contains("b, y are not those of the first file, a, y"));
    Path libsvm = file("5", "1 1:1\n");
    assertThrows(BadFileException.class, () -> Shown.rows(Readers.open(OPTIONS, one, libsvm)));
    assertThrows(BadFileException.class, () -> Shown.rows(Readers.open(OPTIONS, libsvm, one)));
  }

  @Test
  void theHeaderOfLaterFiles() throws IOException {
    Path bare = file("1", "1,2,x\n3,4,x\n");
    Path odd = file("2", "-,5,y\n6,7,y\n");
    assertEquals(
        List.of("x|1,2", "x|3,4", "y|'-',5", "y|6,7"),
        Shown.rows(Readers.open(OPTIONS, bare, odd)));
    Path named = file("3", "0,1,y\n1,2,3\n");
    Path onlyNames = file("4", "0,1,y\n");
    assertEquals(List.of("3|1,2"), Shown.rows(Readers.open(OPTIONS, named, onlyNames)));
  }

  @Test
  void otherFormatsInOrder() throws IOException {
    Path svm = file("1", "1 1:1");
    assertEquals(3, Shown.rows(Readers.open(OPTIONS, svm, svm, svm)).size());
    Path arff = file("1.arff", "@relation x\n@attribute y real\n@data\n1");
    assertEquals(2, Shown.rows(Readers.open(OPTIONS, arff, arff)).size());
    Path json = file("1.jsonl", "{\"a\":1,\"y\":2}");
    Path swapped = file("2.jsonl", "{\"y\":1,\"b\":3}");
    assertEquals(List.of("2|1", "1|?"), Shown.rows(Readers.open(OPTIONS, json, swapped)));
  }

  @Test
  void formatsAreFound() throws IOException {
    assertEquals(List.of("1|0:2"), Shown.rows(OPTIONS, "x.txt", "1 1:2\n"));
    assertEquals(List.of("1|", "1|0:2"), Shown.rows(OPTIONS, "x", "1\n1 1:2\n"));
    assertEquals(List.of("2|1"), Shown.rows(OPTIONS, "x.data", "1,2\n"));
    assertEquals(List.of("2|'12:30'"), Shown.rows(OPTIONS, "x", "12:30,2\n"));
    assertEquals(List.of("3|1,2"), Shown.rows(OPTIONS, "x", "1 2 3\n"));
    assertEquals(List.of("2|1"), Shown.rows(OPTIONS, "x", "{\"a\":1,\"y\":2}\n"));
    assertEquals(List.of("1|"), Shown.rows(OPTIONS, "x", "% c\n@ATTRIBUTE y real\n@data\n1\n"));
    assertThrows(BadFileException.class, () -> Shown.rows(OPTIONS, "x", ""));
  }

  @Test
  void standardInput() throws IOException {
    InputStream saved = System.in;
    try {
      for (int round = 0; round < 2; round++) {
        System.setIn(new ByteArrayInputStream(pack(GZIPOutputStream::new, "1 1:1\nx\n")));
        RowReader reader = Readers.open(OPTIONS.withFormat(Format.LIBSVM), Path.of("-"));
        BadRowException e = assertThrows(BadRowException.class, () -> Shown.rows(reader));
        assertTrue(e.getMessage().startsWith("standard input:2, column label"), e.getMessage());
      }
    } finally {
      System.setIn(saved);
    }
  }

  @Test
  void missingFilesAndFolders() {
    Path none = folder.resolve("none");
    BadFileException e = assertThrows(BadFileException.class, () -> Readers.open(OPTIONS, none));
    assertEquals(none + ": there is no such file", e.getMessage());
    assertThrows(BadFileException.class, () -> Readers.open(OPTIONS, folder));
    assertThrows(IllegalArgumentException.class, () -> Readers.open(OPTIONS));
    assertThrows(IllegalArgumentException.class, () -> OPTIONS.withMaxLineBytes(3));
  }
}
