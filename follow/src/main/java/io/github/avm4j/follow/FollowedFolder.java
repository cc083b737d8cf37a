// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.follow;

import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.pipeline.RowModel;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds models in a folder, or in one file: {@code NAME-LINEAGE-VERSION.avm} is a version of a
 * job's line of versions, {@code NAME-VERSION.avm} one that says no lineage, {@code NAME.avm} a new
 * version each time it changes. A file may list parts that lie beside it. The lineage in use is
 * that of the file named in {@code NAME.latest}, else the one that began last.
 *
 * <p>{@link #poll} compares each file's time, size and identity with what was seen before, so it
 * needs no notices of the file system and does not care which way a clock moved. A file that was
 * refused is tried again once it changes; one that cannot be read, or lacks parts, at every look,
 * and is refused again if there is another reason. Whatever is wrong with a file stops no other.
 * One thread at a time.
 */
public final class FollowedFolder implements ModelSource {
  private static final Pattern NUMBERED =
      Pattern.compile(
          "(.+?)(?:-([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}))?"
              + "-(\\d{1,18})\\.avm");

  private static final int LONGEST_POINTER = 1000;

  private final Path folder;
  private final @Nullable Path only;
  private final ModelStore store;
  private final PartedModels parted;
  private final Map<Path, Print> seen = new HashMap<>();
  private boolean first = true;

  private record Print(Object key, FileTime time, long size) {
    static Print of(BasicFileAttributes file) {
      Object key = file.fileKey();
      return new Print(key == null ? "" : key, file.lastModifiedTime(), file.size());
    }

    /** Of a file that was not read for a reason; differs from that of every file. */
    static Print of(String reason, FileTime time) {
      return new Print(reason, time, -1);
    }
  }

  private record Found(
      Path path, String name, String lineage, @Nullable Long version, Print print) {
    static Found of(Path path, Print print) {
      String file = String.valueOf(path.getFileName());
      Matcher numbered = NUMBERED.matcher(file);
      if (!numbered.matches()) {
        return new Found(path, file.replaceFirst("\\.avm$", ""), "", null, print);
      }
      String lineage = numbered.group(2) == null ? "" : numbered.group(2);
      long version = Long.parseLong(numbered.group(3));
      return new Found(path, numbered.group(1), lineage, version, print);
    }

    Arrival arrival(long number) {
      return new Arrival(name, lineage, number, path.toString(), print.time.toInstant());
    }
  }

  /**
   * The models of a folder, or the one of a file.
   *
   * @param path the folder or file
   * @param store takes what is found
   * @throws IOException if there is neither
   */
  public FollowedFolder(Path path, ModelStore store) throws IOException {
    if (!Files.exists(path)) {
      throw new NoSuchFileException(
          path.toString(), null, "no such file or folder; create a model with avm train");
    }
    this.folder = path;
    this.only = Files.isDirectory(path) ? null : path;
    this.store = store;
    this.parted = new PartedModels(store);
  }

  /**
   * {@return the name of the only model of a folder}
   *
   * @param folder the folder
   * @throws IOException if it has none, or several, or cannot be read
   */
  public static String onlyName(Path folder) throws IOException {
    Set<String> names = new TreeSet<>();
    for (Path path : files(folder)) {
      names.add(Found.of(path, new Print("", FileTime.fromMillis(0), 0)).name);
    }
    Iterator<String> all = names.iterator();
    if (names.size() > 1) {
      throw new IOException(
          "%s holds several models, as %s and %s: say which ('model' = 'NAME')"
              .formatted(folder, all.next(), all.next()));
    }
    if (names.isEmpty()) {
      throw new NoSuchFileException(folder.toString(), null, "the folder holds no model yet");
    }
    return all.next();
  }

  @Override
  public String name() {
    return folder.toString();
  }

  /** Finds what has changed since the last call; what is gone changes nothing. */
  @Override
  public void poll() throws IOException {
    Map<String, List<Found>> byName = new TreeMap<>();
    Set<Path> there = new HashSet<>();
    for (Path path : only == null ? files(folder) : List.of(only)) {
      there.add(path);
      Found found = find(path);
      if (found != null && store.wants(found.name)) {
        byName.computeIfAbsent(found.name, key -> new ArrayList<>()).add(found);
      }
    }
    byName.keySet().forEach(name -> there.add(pointer(name)));
    seen.keySet().retainAll(there);
    byName.values().forEach(this::take);
    first = false;
  }

  private static List<Path> files(Path folder) throws IOException {
    List<Path> all = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.avm")) {
      files.forEach(all::add);
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return all;
  }

  private @Nullable Found find(Path path) throws IOException {
    try {
      BasicFileAttributes now = Files.readAttributes(path, BasicFileAttributes.class);
      return now.isRegularFile() ? Found.of(path, Print.of(now)) : null;
    } catch (NoSuchFileException e) {
      if (only != null) {
        throw e;
      }
      return null; // gone since it was listed
    } catch (IOException e) {
      Found found = Found.of(path, Print.of(e.toString(), FileTime.fromMillis(0)));
      unreadable(found.name, path, found.print, e); // a link that leads to itself
      return null;
    }
  }

  /** Says once that a file cannot be read; it is tried again, for this is not its print. */
  private void unreadable(String name, Path path, Print print, IOException e) {
    if (!print.equals(seen.put(path, print))) {
      store.refuse(name, path.toString(), "cannot be read: " + e);
    }
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
      if (!file.lineage.equals(lineage)) {
        Print other = Print.of("of another lineage", file.print.time); // to be read if that changes
        skip(file, other, "the lineage in use is " + (lineage.isEmpty() ? "none" : lineage));
      } else if (good == store.keep()) {
        skip(file, file.print, "it is older than the " + good + " that are kept");
      } else if (file.print.equals(seen.get(file.path))) {
        good += store.holds(file.name, file.lineage, file.version) ? 1 : 0;
      } else {
        good += load(file) ? 1 : 0;
      }
    }
  }

  /** Old files are no news at the start; one that comes later was meant to be used. */
  private void skip(Found file, Print print, String reason) {
    Print before = seen.put(file.path, print);
    if (!print.equals(before) && !file.print.equals(before) && !first && file.version != null) {
      store.discard(file.arrival(file.version), reason);
    }
  }

  private Path pointer(String name) {
    return folder.resolve(name + ".latest");
  }

  /** The lineage of the file that {@code NAME.latest} names; without it the one begun last. */
  private String lineage(List<Found> files) {
    String greatest = "";
    for (Found file : files) {
      greatest = file.lineage.compareTo(greatest) > 0 ? file.lineage : greatest;
    }
    String name = files.get(0).name;
    Path pointer = pointer(name);
    if (greatest.isEmpty() || !Files.exists(pointer)) {
      return greatest;
    }
    try (InputStream in = Files.newInputStream(pointer)) {
      String named = new String(in.readNBytes(LONGEST_POINTER), StandardCharsets.UTF_8).strip();
      for (Found file : files) {
        if (named.equals(String.valueOf(file.path.getFileName()))) {
          return file.lineage;
        }
      }
    } catch (IOException e) {
      unreadable(name, pointer, Print.of(e.toString(), FileTime.fromMillis(0)), e);
    }
    return greatest;
  }

  /** Whether it is held now. */
  private boolean load(Found file) {
    String source = file.path.toString();
    boolean held = false;
    try {
      String tooLarge = Arrival.tooLarge(file.print.size);
      if (tooLarge == null) {
        byte[] bytes = RowModel.bytes(file.path);
        long version = file.version == null ? store.nextVersion(file.name) : file.version;
        Arrival arrival = file.arrival(version);
        held =
            Arrival.isManifest(bytes)
                ? parted.load(arrival, bytes, file.path.resolveSibling(""))
                : store.take(arrival, bytes, null);
      } else {
        store.refuse(file.name, source, tooLarge);
      }
    } catch (IOException e) {
      if (!Files.notExists(file.path)) { // else gone since it was listed
        unreadable(file.name, file.path, Print.of(e.toString(), file.print.time), e);
      }
      return false;
    } catch (InvalidModelException e) {
      store.refuse(file.name, source, "not a model: " + e.getMessage());
    } catch (RuntimeException | Error e) {
      store.refuse(file.name, source, "cannot be read: " + e);
    }
    seen.put(file.path, file.print);
    return held;
  }
}
