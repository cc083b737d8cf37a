// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.pipeline;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.internal.format.ByteWriter;
import io.github.avm4j.internal.format.ModelFormat;
import io.github.avm4j.internal.format.Sections;
import io.github.avm4j.model.Cells;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.model.Provenance;
import io.github.avm4j.pipeline.PublishedParts.Version;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Models whose cells arrive apart are those that arrive whole, bit for bit, or are not made. */
class CellAssemblyTest {
  private static final long MANY = 1 << 24;

  private static void send(CellAssembly<Integer> assembly, Version version, int number) {
    version.sent.forEach(assembly::part);
    assembly.manifest(version.manifest, number);
  }

  private static void check(Version version, CellAssembly<Integer> assembly) throws IOException {
    CellAssembly.Assembled<Integer> made = assembly.take();
    assertNotNull(made, assembly.missing());
    assertArrayEquals(version.whole, made.rows().toBytes());
    assertEquals("", assembly.missing());
    assertNull(assembly.take(), "taken once");
  }

  @Test
  void onlyWhatChangedIsReadAndTheRestIsShared() throws Exception {
    PublishedParts parts = new PublishedParts(1);
    CellAssembly<Integer> assembly = new CellAssembly<>(MANY);
    Cells before = null;
    for (int v = 0; v < 30; v++) {
      Version version = parts.next(v == 0 ? 20 : 2);
      send(assembly, version, v);
      CellAssembly.Assembled<Integer> made = assembly.take();
      assertNotNull(made);
      assertEquals(v, made.version());
      assertArrayEquals(version.whole, made.rows().toBytes());
      assertTrue(v == 0 || made.changed().size() <= 2, "changed " + made.changed().size());
      assembly.accept();
      Cells cells = made.rows().model().levels().get(0);
      for (int c = 0; before != null && c < cells.size(); c++) {
        if (!version.sent.containsKey(CellManifest.cellKey(PublishedParts.PLAN, c))) {
          assertSame(before.model(c), cells.model(c), "cell " + c + " was copied");
        }
      }
      before = cells;
    }
  }

  @Test
  void cellsOfAVersionThatWasNotAcceptedAreToBeChecked() throws Exception {
    PublishedParts parts = new PublishedParts(2);
    CellAssembly<Integer> assembly = new CellAssembly<>(MANY);
    send(assembly, parts.next(20), 1);
    assertNotNull(assembly.take(), "taken, and then refused");
    send(assembly, parts.next(1), 2);
    CellAssembly.Assembled<Integer> second = assembly.take();
    assertNotNull(second);
    Cells cells = second.rows().model().levels().get(0);
    long models = IntStream.range(0, cells.size()).filter(c -> cells.model(c) != null).count();
    assertTrue(models > 1, models + " models");
    assertEquals(models, second.changed().size(), "those of the refused version too");
    assembly.accept();
    send(assembly, parts.next(1), 3);
    CellAssembly.Assembled<Integer> third = assembly.take();
    assertNotNull(third);
    assertTrue(third.changed().size() <= 1, "changed " + third.changed().size());
  }

  @Test
  void anyOrderWithinAVersionAndTwiceTheSame() throws Exception {
    for (int seed = 0; seed < 60; seed++) {
      Random random = new Random(seed);
      CellAssembly<Integer> assembly = new CellAssembly<>(MANY);
      for (Version version : new PublishedParts(seed).next(6, 3)) {
        List<Runnable> records = new ArrayList<>();
        version.sent.forEach((key, bytes) -> records.add(() -> assembly.part(key, bytes)));
        records.addAll(List.copyOf(records));
        records.add(() -> assembly.manifest(version.manifest, 0));
        records.add(() -> assembly.manifest(version.manifest, 0));
        Collections.shuffle(records, random);
        records.forEach(Runnable::run);
        check(version, assembly);
      }
    }
  }

  /** A record as a topic holds it: a part, or a manifest without bytes. */
  private record Sent(String key, Version version) {}

  @Test
  void aCompactedHistoryEndsInTheNewestVersion() throws Exception {
    for (int seed = 0; seed < 60; seed++) {
      Random random = new Random(seed);
      List<Version> history = new PublishedParts(seed).next(8, 3);
      List<Sent> log = new ArrayList<>();
      for (Version version : history) {
        version.sent.keySet().forEach(key -> log.add(new Sent(key, version)));
        log.add(new Sent("", version));
      }
      Map<String, Sent> last = new HashMap<>();
      log.forEach(record -> last.put(record.key, record));
      CellAssembly<Integer> assembly = new CellAssembly<>(MANY);
      int made = 0;
      for (Sent record : log) {
        Version version = record.version;
        if (!record.equals(last.get(record.key)) && random.nextBoolean()) {
          continue; // compacted away
        } else if (!record.key.isEmpty()) {
          assembly.part(record.key, version.sent.get(record.key));
          continue;
        }
        assembly.manifest(version.manifest, history.indexOf(version));
        CellAssembly.Assembled<Integer> one = assembly.take();
        if (one != null) {
          assertArrayEquals(history.get(one.version()).whole, one.rows().toBytes());
          made = one.version();
        }
      }
      assertEquals(7, made, "seed " + seed + ": " + assembly.missing());
    }
  }

  @Test
  void aLostPartIsToldAndTheVersionBeforeStays() throws Exception {
    PublishedParts parts = new PublishedParts(3);
    CellAssembly<Integer> assembly = new CellAssembly<>(MANY);
    Version first = parts.next(20);
    send(assembly, first, 1);
    check(first, assembly);
    Version second = withModels(parts);
    String lost = second.sent.keySet().iterator().next();
    second.sent.forEach((key, bytes) -> assembly.part(key, key.equals(lost) ? null : bytes));
    assembly.manifest(second.manifest, 2);
    assertNull(assembly.take());
    assertTrue(assembly.missing().startsWith("1 of "), assembly.missing());
    assertTrue(assembly.missing().contains("(" + lost + ")"), assembly.missing());
    byte[] damaged = second.sent.get(lost).clone();
    damaged[damaged.length / 2] ^= 4;
    assembly.part(lost, damaged);
    assertNull(assembly.take(), "a damaged part is not the one that is named");
    assembly.part(lost, second.sent.get(lost));
    check(second, assembly);
  }

  /** A version in which no cell lost its model. */
  private static Version withModels(PublishedParts parts) {
    Version version = parts.next(3);
    while (version.sent.containsValue(null)) {
      version = parts.next(3);
    }
    return version;
  }

  @Test
  void aNewerVersionEndsTheWaitForALostPart() throws Exception {
    PublishedParts parts = new PublishedParts(4);
    CellAssembly<Integer> assembly = new CellAssembly<>(MANY);
    Version first = parts.next(20);
    send(assembly, first, 1);
    check(first, assembly);
    assembly.manifest(parts.next(6).manifest, 2);
    assertFalse(assembly.missing().isEmpty());
    Version third = parts.next(60);
    send(assembly, third, 3);
    check(third, assembly);
  }

  @Test
  void partsThatMakeNoModelAreRefusedAndLaterVersionsAreNot() throws Exception {
    PublishedParts parts = new PublishedParts(5);
    CellAssembly<Integer> assembly = new CellAssembly<>(MANY);
    Version good = parts.next(20);
    byte[] garbage = {1, 2, 3};
    CellManifest whole = good.manifest;
    long[] cells = new long[whole.size() - whole.planPieces()];
    long[] pieces = new long[whole.planPieces()];
    for (int p = 0; p < whole.size(); p++) {
      if (p < pieces.length) {
        pieces[p] = whole.digest(p);
      } else {
        cells[p - pieces.length] = whole.digest(p);
      }
    }
    cells[2] = CellManifest.digest(garbage);
    good.sent.forEach(assembly::part);
    byte[] right = good.sent.get(CellManifest.cellKey(PublishedParts.PLAN, 2));
    assembly.part(CellManifest.cellKey(PublishedParts.PLAN, 2), garbage);
    Provenance provenance = Provenance.here(1);
    assembly.manifest(new CellManifest(PublishedParts.PLAN, provenance, pieces, cells), 1);
    assertThrows(InvalidModelException.class, assembly::take);
    assembly.manifest(
        new CellManifest(PublishedParts.PLAN, provenance, pieces, new long[] {0, 0}), 2);
    assertThrows(InvalidModelException.class, assembly::take, "another number of cells");
    good.sent.forEach(assembly::part);
    assembly.part(CellManifest.cellKey(PublishedParts.PLAN, 2), right);
    assembly.manifest(whole, 3);
    check(good, assembly);
  }

  @Test
  void bytesOfPartsAreCountedOnceUntilTheyAreReplaced() throws Exception {
    PublishedParts parts = new PublishedParts(4);
    CellAssembly<Integer> assembly = new CellAssembly<>(MANY);
    long held = 0;
    for (int v = 1; v <= 20; v++) {
      send(assembly, parts.next(v == 1 ? 20 : 3), v);
      long fresh = assembly.pendingBytes() - assembly.waitingBytes();
      CellAssembly.Assembled<Integer> made = assembly.take();
      assertNotNull(made);
      assertEquals(held + fresh, made.bytes() + made.replaced());
      assertEquals(assembly.waitingBytes(), assembly.pendingBytes());
      held = made.bytes();
    }
    send(assembly, parts.next(3), 21);
    long room = held;
    assertThrows(InvalidModelException.class, () -> assembly.take(room / 2));
  }

  @Test
  void whatWaitsAndWhatIsTakenIsBounded() throws Exception {
    Version version = new PublishedParts(6).next(20);
    CellAssembly<Integer> small = new CellAssembly<>(1500);
    for (int i = 0; i < 100; i++) {
      small.part("1f/" + i, new byte[200]);
    }
    send(small, version, 1);
    assertNull(small.take());
    assertFalse(small.missing().isEmpty(), "older parts gave way");
    version.sent.forEach(small::part);
    version.sent.forEach(small::part);
    assertThrows(InvalidModelException.class, small::take);
  }

  @Test
  void manifestsAreReadBackAndHostileOnesRefused() throws Exception {
    CellManifest manifest = new PublishedParts(7).next(20).manifest;
    byte[] file = manifest.toBytes();
    assertArrayEquals(file, CellManifest.read(file).toBytes());
    assertTrue(CellManifest.isManifest(file));
    assertFalse(CellManifest.isManifest(new PublishedParts(7).next(20).whole));
    assertTrue(
        assertThrows(InvalidModelException.class, () -> RowModel.read(file))
            .getMessage()
            .contains("parts"));
    for (int at = 0; at < file.length; at++) {
      byte[] damaged = file.clone();
      damaged[at] = (byte) (damaged[at] ^ 1 << at % 8);
      assertThrows(InvalidModelException.class, () -> CellManifest.read(damaged), "byte " + at);
      byte[] cut = java.util.Arrays.copyOf(file, at);
      assertThrows(InvalidModelException.class, () -> CellManifest.read(cut), "cut at " + at);
    }
  }

  @Test
  void countsAreCheckedBeforeRoomIsMade() {
    for (int count : new int[] {-1, 3, Integer.MAX_VALUE, 1 << 28}) {
      assertThrows(InvalidModelException.class, () -> CellManifest.read(crafted("1f", 1, count)));
      assertThrows(InvalidModelException.class, () -> CellManifest.read(crafted("1f", count, 1)));
    }
    for (String plan : new String[] {"", "../1f", "1F", "0123456789abcdef0", "a/b"}) {
      assertThrows(InvalidModelException.class, () -> CellManifest.read(crafted(plan, 1, 1)));
    }
    assertThrows(InvalidModelException.class, () -> CellManifest.read(crafted("1f", 0, 1)));
  }

  @Test
  void aPieceOfAPlanHasADigest() throws Exception {
    assertEquals(2, CellManifest.read(crafted("1f", 1, 1, 1)).size());
    assertThrows(
        InvalidModelException.class,
        () -> CellManifest.read(crafted("1f", 1, 1, CellManifest.NONE)));
  }

  private static byte[] crafted(String plan, int pieces, int cells) {
    return crafted(plan, pieces, cells, 1);
  }

  /** Checksums are right, one digest follows each count. */
  private static byte[] crafted(String plan, int pieces, int cells, long piece) {
    ByteWriter out = new ByteWriter();
    out.text(plan);
    out.i32(pieces);
    out.i64(piece);
    out.i32(cells);
    out.i64(1);
    Provenance provenance = Provenance.here(1);
    return Sections.write(
        Map.of(
            Sections.PROVENANCE,
            ModelFormat.writeProvenance(provenance),
            Sections.MANIFEST,
            out.toBytes()));
  }

  @Test
  void aFolderOfPartsIsReadAsAFile(@TempDir Path folder) throws Exception {
    Version version = new PublishedParts(8).next(20);
    Path file = Files.write(folder.resolve("m-000001.avm"), version.manifest.toBytes());
    Files.createDirectory(folder.resolve("cells-" + PublishedParts.PLAN));
    Path last = file;
    for (byte[] part : version.sent.values()) {
      if (part != null) {
        String path = CellManifest.path(PublishedParts.PLAN, CellManifest.digest(part));
        last = Files.write(folder.resolve(path), part);
      }
    }
    assertArrayEquals(version.whole, RowModel.read(file).toBytes());
    Files.delete(last);
    InvalidModelException lacking =
        assertThrows(InvalidModelException.class, () -> RowModel.read(file));
    assertTrue(lacking.getMessage().contains("the model lacks "), lacking.getMessage());
  }
}
