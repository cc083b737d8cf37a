// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.models;

import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.pipeline.CellManifest;
import io.github.avm4j.pipeline.RowDetector;
import io.github.avm4j.pipeline.RowModel;
import io.github.avm4j.serve.operate.EventLog;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Loads models from a folder, or from one file: {@code NAME-LINEAGE-VERSION.avm} is a version of a
 * job's line of versions, {@code NAME-VERSION.avm} one that says no lineage, {@code NAME.avm} a new
 * version each time it changes. A file may list parts that lie beside it. The lineage in use is
 * that of the file named in {@code NAME.latest}, else the one that began last.
 *
 * <p>{@link #look} compares each file's time, size and identity with what was seen before, so it
 * needs no notices of the file system and does not care which way a clock moved. A file that was
 * refused is tried again once it changes; one that cannot be read, or lacks parts, at every look,
 * and is refused again if there is another reason. Whatever is wrong with a file stops no other.
 * One thread at a time.
 */
public final class ModelFolder implements ModelSource {
  private static final Pattern LINED =
      Pattern.compile(
          "(.+)-([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})-(\\d{1,18})\\.avm");
  private static final Pattern NUMBERED = Pattern.compile("(.+)-(\\d{1,18})\\.avm");
  private static final Pattern PLAIN = Pattern.compile("(.+)\\.avm");

  private final Path folder;
  private final @Nullable Path only;
  private final ModelRepository repository;
  private final EventLog log;
  private final long mostBytes;
  private final PartedModels parted;
  private final Map<Path, Print> seen = new HashMap<>();
  private final Map<Path, Refused> unread = new HashMap<>();
  private boolean first = true;
  private volatile @Nullable String problem;

  private record Print(Object key, FileTime time, long size) {}

  /** The refusal of a file that is tried again. */
  private record Refused(Print print, String reason) {}

  private record Found(
      Path path, String name, String lineage, @Nullable Long version, Print print) {}

  /** A file needs about six times its size of heap while it is read and checked. */
  private static final int HEAP_SHARE = 6;

  private static final int MOST_POINTER_BYTES = 1000;

  /**
   * The models of a folder, or the one of a file.
   *
   * @param mostBytes files larger than this, or than a sixth of the heap, are refused unread
   * @throws IOException if there is neither
   */
  public ModelFolder(Path path, long mostBytes, ModelRepository repository, EventLog log)
      throws IOException {
    if (!Files.exists(path)) {
      throw new NoSuchFileException(
          path.toString(),
          null,
          "is no model file and no folder; avm train and avm detect --save make them");
    }
    boolean file = !Files.isDirectory(path);
    Path parent = path.toAbsolutePath().getParent();
    this.only = file ? path.getFileName() : null;
    this.folder = file && parent != null ? parent : path;
    this.mostBytes = Math.min(mostBytes, Runtime.getRuntime().maxMemory() / HEAP_SHARE);
    this.repository = repository;
    this.parted = new PartedModels(repository);
    this.log = log;
  }

  @Override
  public String name() {
    return only == null ? folder.toString() : folder.resolve(only).toString();
  }

  @Override
  public @Nullable String problem() {
    return problem;
  }

  /** Loads what has changed since the last call; a folder that is gone changes nothing. */
  @Override
  public void look() {
    try {
      Map<String, List<Found>> byName = new TreeMap<>();
      for (Found found : list()) {
        byName.computeIfAbsent(found.name, key -> new ArrayList<>()).add(found);
      }
      byName.values().forEach(this::take);
      if (problem != null) {
        log.info("source_back", "source", name());
      }
      problem = null;
      first = false;
    } catch (IOException | RuntimeException | Error e) {
      if (problem == null) {
        log.warn("source_gone", "source", name(), "reason", e.toString());
      }
      problem = e.toString();
    }
  }

  private List<Found> list() throws IOException {
    List<Found> all = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.avm")) {
      for (Path path : files) {
        Path file = path.getFileName();
        if (file == null || (only != null && !file.equals(only))) {
          continue;
        }
        BasicFileAttributes now;
        try {
          now = Files.readAttributes(path, BasicFileAttributes.class);
        } catch (NoSuchFileException e) {
          continue; // gone since it was listed
        } catch (IOException e) {
          unreadable(path, file.toString(), e); // a link that leads to itself
          continue;
        }
        if (now.isRegularFile()) {
          Object key = now.fileKey();
          Print print = new Print(key == null ? "" : key, now.lastModifiedTime(), now.size());
          all.add(found(path, file.toString(), print));
        }
      }
    } catch (java.nio.file.DirectoryIteratorException e) {
      throw e.getCause();
    }
    return all;
  }

  private void unreadable(Path path, String file, IOException e) {
    Print print = new Print(e.toString(), FileTime.fromMillis(0), -1);
    if (!print.equals(seen.put(path, print))) {
      repository.refuse(found(path, file, print).name, path.toString(), "cannot be read: " + e);
    }
  }

  private static Found found(Path path, String file, Print print) {
    Matcher lined = LINED.matcher(file);
    if (lined.matches()) {
      long version = Long.parseLong(lined.group(3));
      return new Found(path, lined.group(1), lined.group(2), version, print);
    }
    Matcher numbered = NUMBERED.matcher(file);
    if (numbered.matches()) {
      return new Found(path, numbered.group(1), "", Long.parseLong(numbered.group(2)), print);
    }
    Matcher plain = PLAIN.matcher(file);
    return new Found(path, plain.matches() ? plain.group(1) : file, "", null, print);
  }

  /**
   * Loads what is new under one name, newest first, until as many good versions as are kept are
   * loaded: files that cannot be used do not stand in the way of older ones.
   */
  private void take(List<Found> files) {
    String lineage = lineage(files);
    files.sort(
        Comparator.<Found>comparingLong(f -> f.version == null ? Long.MAX_VALUE : f.version)
            .reversed());
    int good = 0;
    for (Found file : files) {
      boolean known = file.print.equals(seen.get(file.path));
      if (!file.lineage.equals(lineage)) {
        skip(file, known, "the lineage in use is " + (lineage.isEmpty() ? "none" : lineage));
      } else if (good == repository.keep()) {
        skip(file, known, "it is older than the " + good + " that are kept");
      } else if (known) {
        good += isHeld(file) ? 1 : 0;
      } else {
        seen.put(file.path, file.print);
        good += load(file) ? 1 : 0;
      }
    }
  }

  /** Old files are no news at the start; one that comes later was meant to be used. */
  private void skip(Found file, boolean known, String reason) {
    seen.put(file.path, file.print);
    if (!known && !first && file.version != null) {
      repository.discard(arrival(file, file.version), reason);
    }
  }

  private boolean isHeld(Found file) {
    if (repository.detectors().find(file.name) != null) {
      return true; // there is one version of a detector, and this is not newer
    }
    Shelf shelf = repository.shelf(file.name);
    return shelf != null
        && (file.version == null
            ? !shelf.versions().isEmpty()
            : shelf.find(file.lineage, file.version) != null);
  }

  /** The lineage of the file that {@code NAME.latest} names; without it the one begun last. */
  private String lineage(List<Found> files) {
    String greatest = "";
    for (Found file : files) {
      greatest = file.lineage.compareTo(greatest) > 0 ? file.lineage : greatest;
    }
    if (greatest.isEmpty()) {
      return greatest;
    }
    Path pointer = folder.resolve(files.get(0).name + ".latest");
    try {
      if (Files.exists(pointer) && Files.size(pointer) <= MOST_POINTER_BYTES) {
        String named = Files.readString(pointer).strip();
        for (Found file : files) {
          if (named.equals(String.valueOf(file.path.getFileName()))) {
            return file.lineage;
          }
        }
      }
    } catch (IOException e) {
      log.warn("pointer_refused", "source", pointer, "reason", e.toString());
    }
    return greatest;
  }

  private static Arrival arrival(Found file, long version) {
    return new Arrival(
        file.name, file.lineage, version, file.path.toString(), file.print.time.toInstant());
  }

  /** Whether it is held now. */
  private boolean load(Found file) {
    String source = file.path.toString();
    if (file.print.size > mostBytes) {
      String reason = file.print.size + " bytes; at most " + mostBytes + " are taken";
      repository.refuse(file.name, source, reason + " (256 MiB, and a sixth of the heap: -Xmx)");
      return false;
    }
    try {
      byte[] bytes = RowModel.bytes(file.path);
      long version = file.version == null ? repository.nextVersion(file.name) : file.version;
      Arrival arrival = arrival(file, version);
      if (RowDetector.isDetector(bytes)) {
        return repository.detectors().load(arrival, bytes);
      }
      return CellManifest.isManifest(bytes)
          ? parted.load(arrival, bytes, folder)
          : repository.load(arrival, bytes) != null;
    } catch (RefusedModelException e) {
      // The repository has recorded it; it is tried again when the file changes.
    } catch (InvalidModelException e) {
      repository.refuse(file.name, source, "not a model: " + e.getMessage());
    } catch (IOException e) {
      seen.remove(file.path);
      if (Files.notExists(file.path)) {
        return false; // gone since it was listed, or while its parts were read
      }
      Refused now = new Refused(file.print, "cannot be read: " + e);
      if (!now.equals(unread.put(file.path, now))) {
        repository.refuse(file.name, source, now.reason);
      }
    } catch (RuntimeException | Error e) {
      repository.refuse(file.name, source, "cannot be read: " + e);
    }
    return false;
  }
}
