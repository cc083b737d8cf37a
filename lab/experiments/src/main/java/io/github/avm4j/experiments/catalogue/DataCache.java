// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments.catalogue;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checked local copies of public data sets. A file is taken from the cache folder, else from a
 * mirror folder, where it is read in place, else it is downloaded. Nothing is handed out whose
 * SHA-256 was not compared with the catalogue's: cached files when they were put there, mirrored
 * files every time.
 */
public final class DataCache {
  /** The variable of the environment that names the mirror folder for {@link DataSets}. */
  public static final String MIRROR = "AVM_MIRROR";

  private final Catalogue catalogue;
  private final Path folder;
  private final @Nullable Path mirror;
  private final Download download;

  /**
   * The standard catalogue; the cache in {@code ~/.cache/avm4j}; a mirror if not null.
   *
   * @param mirror folder with a copy of the files; null for none
   */
  public DataCache(@Nullable Path mirror) {
    this(
        Catalogue.standard(),
        Path.of(System.getProperty("user.home"), ".cache", "avm4j"),
        mirror,
        Limits.usual());
  }

  /**
   * A cache of {@code catalogue} in {@code folder}.
   *
   * @param catalogue the data sets that can be asked for
   * @param folder where files are kept
   * @param mirror folder with a copy of the files; null for none
   * @param limits times and attempts of downloads
   */
  public DataCache(Catalogue catalogue, Path folder, @Nullable Path mirror, Limits limits) {
    this.catalogue = catalogue;
    this.folder = folder;
    this.mirror = mirror;
    this.download = new Download(limits);
  }

  /** {@return the catalogue of what can be asked for} */
  public Catalogue catalogue() {
    return catalogue;
  }

  /**
   * {@return the files of a set for training and testing, fetched if need be}
   *
   * @param name name of a data set
   * @param progress receives the progress of a download
   * @throws DataException if one cannot be had, or is not what the catalogue says
   * @throws IllegalArgumentException if there is no set of that name
   */
  public LocalData get(String name, Progress progress) throws IOException {
    DataSet set = catalogue.get(name);
    return new LocalData(
        set, files(set, set.files("train"), progress), files(set, set.files("test"), progress));
  }

  /**
   * {@return whether all files of a set are in the cache or the mirror; nothing is checked}
   *
   * @param set a data set of the catalogue
   */
  public boolean isHere(DataSet set) {
    return set.files().stream()
        .allMatch(
            file ->
                Files.isRegularFile(folder.resolve(set.name()).resolve(file.name()))
                    || mirrored(file).stream().anyMatch(Files::isRegularFile));
  }

  private List<Path> files(DataSet set, List<DataFile> wanted, Progress progress)
      throws IOException {
    List<Path> found = new ArrayList<>();
    for (DataFile file : wanted) {
      found.add(file(set, file, progress));
    }
    return found;
  }

  private Path file(DataSet set, DataFile wanted, Progress progress) throws IOException {
    Path cached = folder.resolve(set.name()).resolve(wanted.name());
    if (Files.isRegularFile(cached) && Files.size(cached) == wanted.bytes()) {
      return cached;
    }
    for (Path mirrored : mirrored(wanted)) {
      if (Files.isRegularFile(mirrored)) {
        Checksum.copy(mirrored, wanted, OutputStream.nullOutputStream(), progress);
        return mirrored;
      }
    }
    if (!wanted.direct()) {
      throw new DataException(
          wanted.name()
              + " cannot be downloaded: it was made from "
              + (wanted.address().isEmpty() ? "data without an address" : wanted.address())
              + "; put "
              + wanted.mirror()
              + " into a mirror folder and name that folder by the variable "
              + MIRROR
              + " or by --mirror");
    }
    Files.createDirectories(cached.getParent());
    fetch(wanted, cached, progress);
    return cached;
  }

  /** Where the mirror may have it: packed, or not. */
  private List<Path> mirrored(DataFile wanted) {
    return mirror == null
        ? List.of()
        : List.of(
            mirror.resolve(wanted.mirror()),
            mirror.resolve(wanted.mirror().replaceFirst("\\.xz$", "")));
  }

  private void fetch(DataFile wanted, Path target, Progress progress) throws IOException {
    Path part = target.resolveSibling(wanted.name() + ".part");
    Path checked = Files.createTempFile(target.getParent(), wanted.name(), ".new");
    try {
      download.fetch(wanted, part, progress);
      try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(checked))) {
        Checksum.copy(part, wanted, out, Progress.NONE);
      } catch (DataException e) {
        Files.deleteIfExists(part);
        throw new DataException(
            wanted.address()
                + ": the content is not what the catalogue lists; it was discarded. "
                + e.getMessage(),
            e);
      }
      move(checked, target);
      Files.deleteIfExists(part);
    } finally {
      Files.deleteIfExists(checked);
    }
  }

  private static void move(Path from, Path to) throws IOException {
    try {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (AtomicMoveNotSupportedException e) {
      Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
    }
  }
}
