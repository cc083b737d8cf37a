// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.sink;

import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.pipeline.CellManifest;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes parts of models that no version in a folder lists any more: those of a version that was
 * removed, and once, those that a failed attempt or an old plan left behind a day ago or earlier.
 * Files with other names stay; so do all parts as long as a version cannot be read, for it may list
 * them.
 */
final class PartPruning {
  private static final Logger LOG = LoggerFactory.getLogger(PartPruning.class);
  private static final int HEAD = 64;
  private static final int LARGEST = 1 << 26;
  private static final Pattern OF_PLAN = Pattern.compile("cells-[0-9a-f]{1,16}");

  /** A part, or what {@link io.github.avm4j.model.DurableFile} writes before it has its name. */
  private static final Pattern PART =
      Pattern.compile("[0-9a-f]{16}\\.part(?:\\.[0-9a-z]{1,13}\\.part)?");

  private final FileSystem files;
  private final Path folder;
  private final Map<Path, Set<String>> listed = new HashMap<>();
  private final Set<String> released = new HashSet<>();
  private boolean first = true;

  PartPruning(FileSystem files, Path folder) {
    this.files = files;
    this.folder = folder;
  }

  /** Takes note of a version that is about to be removed. */
  void release(Path version) throws IOException {
    Set<String> parts = parts(version);
    if (parts != null) {
      released.addAll(parts);
      listed.remove(version);
    }
  }

  /** Removes what is no longer listed. */
  void prune() throws IOException {
    FileStatus[] all = files.listStatus(folder);
    Set<Path> versions = new HashSet<>();
    Set<String> needed = new HashSet<>();
    for (FileStatus file : all == null ? new FileStatus[0] : all) {
      String name = file.getPath().getName();
      if (!file.isDir() && name.endsWith(".avm") && (first || !released.isEmpty())) {
        versions.add(file.getPath());
        Set<String> parts = parts(file.getPath());
        if (parts == null) {
          LOG.warn("{} is damaged: no parts are removed while it is there", file.getPath());
          return;
        }
        needed.addAll(parts);
      }
    }
    for (FileStatus file : first && all != null ? all : new FileStatus[0]) {
      if (file.isDir() && OF_PLAN.matcher(file.getPath().getName()).matches()) {
        releaseForgotten(file.getPath());
      }
    }
    first = false;
    released.removeAll(needed);
    for (String part : released) {
      files.delete(new Path(folder, part), false);
    }
    released.clear();
    listed.keySet().retainAll(versions);
  }

  private void releaseForgotten(Path ofPlan) throws IOException {
    FileStatus[] all = files.listStatus(ofPlan);
    for (FileStatus file : all == null ? new FileStatus[0] : all) {
      String name = file.getPath().getName();
      long age = System.currentTimeMillis() - file.getModificationTime();
      if (!file.isDir()
          && PART.matcher(name).matches()
          && age > FolderPruning.FORGOTTEN.toMillis()) {
        released.add(ofPlan.getName() + "/" + name);
      }
    }
  }

  /**
   * The parts that a file lists, relative to the folder; none if it is a whole model's, null if it
   * is damaged.
   */
  private @Nullable Set<String> parts(Path version) throws IOException {
    Set<String> known = listed.get(version);
    if (known == null) {
      known = read(version);
      if (known != null) {
        listed.put(version, known);
      }
    }
    return known;
  }

  private @Nullable Set<String> read(Path version) throws IOException {
    byte[] file;
    try (FSDataInputStream in = files.open(version)) {
      if (!CellManifest.isManifest(in.readNBytes(HEAD))) {
        return Set.of();
      }
      in.seek(0);
      file = in.readNBytes(LARGEST);
    }
    Set<String> parts = new HashSet<>();
    try {
      CellManifest manifest = CellManifest.read(file);
      for (int p = 0; p < manifest.size(); p++) {
        parts.add(CellManifest.path(manifest.plan(), manifest.digest(p)));
      }
    } catch (InvalidModelException e) {
      return null;
    }
    return parts;
  }
}
