// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.repository;

import io.github.avm4j.model.ModelFormat;
import io.github.avm4j.serve.EventLog;
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
 * Models from a folder, or from one file of it: {@code NAME-VERSION.avm} is a version by its number
 * (as the Flink job writes it), {@code NAME.avm} is a new version each time it changes.
 *
 * <p>{@link #look} compares each file's time, size and identity with what was seen before, so it is
 * cheap, needs no notices of the file system and does not care which way a clock moved. A file that
 * was refused is tried again once it changes. One thread at a time.
 */
public final class ModelFolder implements ModelSource {
  private static final Pattern NUMBERED = Pattern.compile("(.+)-(\\d{1,18})\\.avm");
  private static final Pattern PLAIN = Pattern.compile("(.+)\\.avm");

  private final Path folder;
  private final @Nullable Path only;
  private final ModelRepository repository;
  private final EventLog log;
  private final long mostBytes;
  private final Map<Path, Print> seen = new HashMap<>();
  private volatile @Nullable String problem;

  private record Print(Object key, FileTime time, long size) {}

  private record Found(Path path, String name, @Nullable Long version, Print print) {}

  /**
   * The models of a folder, or the one of a file.
   *
   * @param mostBytes files larger than this are refused unread
   * @throws IOException if there is neither
   */
  public ModelFolder(Path path, long mostBytes, ModelRepository repository, EventLog log)
      throws IOException {
    if (!Files.exists(path)) {
      throw new NoSuchFileException(
          path.toString(), null, "is no model file and no folder; avm train makes models");
    }
    boolean file = !Files.isDirectory(path);
    Path parent = path.toAbsolutePath().getParent();
    this.only = file ? path.getFileName() : null;
    this.folder = file && parent != null ? parent : path;
    this.mostBytes = mostBytes;
    this.repository = repository;
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

  /** Takes in what has changed since the last look; a folder that is gone changes nothing. */
  @Override
  public void look() {
    try {
      Map<String, List<Found>> byName = new TreeMap<>();
      for (Found found : list()) {
        byName.computeIfAbsent(found.name, key -> new ArrayList<>()).add(found);
      }
      byName.values().forEach(this::take);
      byName.keySet().forEach(this::takeCurve);
      if (problem != null) {
        log.info("source_back", "source", name());
      }
      problem = null;
    } catch (IOException e) {
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

  private static Found found(Path path, String file, Print print) {
    Matcher numbered = NUMBERED.matcher(file);
    if (numbered.matches()) {
      return new Found(path, numbered.group(1), Long.parseLong(numbered.group(2)), print);
    }
    Matcher plain = PLAIN.matcher(file);
    return new Found(path, plain.matches() ? plain.group(1) : file, null, print);
  }

  /** Loads what is new under one name, oldest first, of the numbered ones the newest few. */
  private void take(List<Found> files) {
    files.sort(Comparator.comparingLong(f -> f.version == null ? Long.MAX_VALUE : f.version));
    int first = Math.max(0, files.size() - repository.keep());
    for (Found file : files.subList(first, files.size())) {
      if (!file.print.equals(seen.put(file.path, file.print))) {
        load(file);
      }
    }
  }

  private void takeCurve(String name) {
    Path file = folder.resolve(name + ".curve.csv");
    try {
      if (Files.exists(file)) {
        Print print = new Print("", Files.getLastModifiedTime(file), Files.size(file));
        if (!print.equals(seen.put(file, print))) {
          repository.curve(name, Curve.read(file));
        }
      }
    } catch (IOException e) {
      log.warn("curve_refused", "source", file, "reason", e.toString());
    }
  }

  private void load(Found file) {
    String source = file.path.toString();
    if (file.print.size > mostBytes) {
      String reason = file.print.size + " bytes; at most " + mostBytes + " are taken";
      repository.refuse(file.name, source, reason);
      return;
    }
    try {
      byte[] bytes = ModelFormat.bytes(file.path);
      long version = file.version == null ? repository.nextVersion(file.name) : file.version;
      repository.load(file.name, version, bytes, source, file.print.time.toInstant());
    } catch (RefusedModelException e) {
      // The repository has recorded it; it is tried again when the file changes.
    } catch (IOException e) {
      seen.remove(file.path);
      repository.refuse(file.name, source, "cannot be read: " + e);
    }
  }
}
