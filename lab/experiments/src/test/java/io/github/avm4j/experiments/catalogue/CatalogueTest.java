// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments.catalogue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.avm4j.config.Task;
import io.github.avm4j.data.OnBadRow;
import io.github.avm4j.data.RowReader;
import io.github.avm4j.feature.Row;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CatalogueTest {
  private static final Path MIRROR = Path.of(System.getProperty("avm4j.data", "none"));

  @TempDir Path folder;

  @Test
  void thePapersElevenComeFirst() {
    List<String> names = Catalogue.standard().sets().stream().map(DataSet::name).toList();
    assertTrue(
        names.containsAll(
            List.of(
                "a9a",
                "w8a",
                "cod-rna",
                "ijcnn1",
                "covtype",
                "poker",
                "kddcup99",
                "airlines",
                "casp",
                "slice",
                "year")));
    assertEquals("a9a", names.get(0));
    assertTrue(names.size() >= 30);
  }

  @Test
  void everyEntryIsComplete() {
    Set<String> mirrors = new HashSet<>();
    for (DataSet set : Catalogue.standard().sets()) {
      assertFalse(set.title().isEmpty() || set.licence().isEmpty(), set.name());
      assertFalse(set.citation().isEmpty() || set.scaling().isEmpty(), set.name());
      assertEquals(set.task() == Task.CLASSIFICATION, set.classes() >= 2, set.name());
      assertTrue(set.extent() == Extent.WHOLE || !set.notes().isEmpty(), set.name());
      assertFalse(set.files("train").isEmpty(), set.name());
      for (DataFile file : set.files()) {
        assertTrue(mirrors.add(file.mirror()), file.mirror());
        assertTrue(file.sha256().matches("[0-9a-f]{64}"), file.mirror());
        assertTrue(file.bytes() > 0 && file.rows() > 0, file.mirror());
        assertTrue(URI.create(file.address()).isAbsolute(), file.mirror());
      }
    }
  }

  @Test
  void namesThatAreNotThere() {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> Catalogue.standard().get("a8a"));
    assertTrue(e.getMessage().contains("a9a, w8a"), e.getMessage());
    assertEquals("a9a", Catalogue.standard().get("A9A").name());
  }

  /** Sets of at most 5 MB; larger ones take long. */
  static Stream<String> names() {
    return Catalogue.standard().sets().stream()
        .filter(set -> set.files().stream().mapToLong(DataFile::bytes).sum() <= 5_000_000)
        .map(DataSet::name);
  }

  /** Sets from the mirror: checked, read to its end, with the rows and features it claims. */
  @ParameterizedTest
  @MethodSource("names")
  void theMirror(String name) throws IOException {
    DataSet set = Catalogue.standard().get(name);
    Path first = MIRROR.resolve(set.files().get(0).mirror());
    assumeTrue(Files.exists(first), "no data folder: set -Davm4j.data to test with " + first);
    DataCache cache = new DataCache(Catalogue.standard(), folder, MIRROR, Limits.usual());
    LocalData data = cache.get(name, Progress.NONE);
    int largest = 0;
    Row row = new Row();
    Set<String> labels = new HashSet<>();
    try (RowReader reader =
        LocalData.open(set.options().withOnBadRow(OnBadRow.SKIP), data.train())) {
      while (reader.next(row)) {
        int count = row.featureCount();
        largest = Math.max(largest, count == 0 ? row.width() : row.features().dimension());
        if (set.classes() > 0) {
          labels.add(row.labelText());
        }
      }
      assertEquals(set.rows(), reader.rows() + reader.skipped(), name);
      assertTrue(reader.skipped() == 0 || name.endsWith("flights"), reader.notes().toString());
    }
    assertEquals(set.features(), largest, name);
    assertEquals(set.classes(), labels.size(), name);
  }

  @Test
  void aDamagedMirrorIsNoticed() throws IOException {
    Files.createDirectories(folder.resolve("a9a"));
    Files.writeString(folder.resolve("a9a/a9a"), "1 1:1\n");
    DataCache cache =
        new DataCache(Catalogue.standard(), folder.resolve("cache"), folder, Limits.usual());
    DataException e = assertThrows(DataException.class, () -> cache.get("a9a", Progress.NONE));
    assertTrue(e.getMessage().contains("is not a9a: 6 bytes"), e.getMessage());
  }
}
