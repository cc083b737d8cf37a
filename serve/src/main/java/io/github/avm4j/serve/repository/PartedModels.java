// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.repository;

import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.pipeline.CellAssembly;
import io.github.avm4j.pipeline.CellManifest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Models that are published in parts: keeps the parts of each name and hands versions to the
 * repository once all their parts are there. A version that is not whole changes nothing; it is
 * refused once nothing more is to be read, and the version before goes on predicting. One thread at
 * a time.
 */
public final class PartedModels {
  private static final int MOST_NAMES = 1000;
  private static final int LONGEST_KEY = 200;

  /** What waits and what predicts, at most, as a share of the heap each. */
  private static final int HEAP_SHARE = 3;

  private final long mostBytes = Runtime.getRuntime().maxMemory() / HEAP_SHARE;
  private final ModelRepository repository;
  private final Map<String, Line> lines = new HashMap<>();

  /** A manifest as it came. */
  private static final class Version {
    final ModelRepository.Arrival arrival;
    final byte[] file;

    Version(ModelRepository.Arrival arrival, byte[] file) {
      this.arrival = arrival;
      this.file = file;
    }
  }

  /** What is known under a name. */
  private static final class Line {
    final CellAssembly<Version> assembly;
    ModelRepository.@Nullable Arrival newest;
    boolean told;

    Line(long mostBytes) {
      this.assembly = new CellAssembly<>(mostBytes);
    }
  }

  /** None yet. The parts of a version may have a third of the heap. */
  public PartedModels(ModelRepository repository) {
    this.repository = repository;
  }

  /** Whether a record's key is that of a part: it has a name, a slash and more. */
  public static boolean isPart(String key) {
    return key.indexOf('/') >= 0;
  }

  private @Nullable Line line(String name) {
    return lines.size() < MOST_NAMES
        ? lines.computeIfAbsent(name, key -> new Line(mostBytes))
        : lines.get(name);
  }

  /**
   * Takes in a part.
   *
   * @param key {@code NAME/PLAN/CELL}
   * @param bytes null if the part is no more
   */
  public void part(String key, byte @Nullable [] bytes, String source) {
    int slash = key.indexOf('/');
    String name = key.substring(0, slash);
    Line line = line(name);
    if (line == null || key.length() > LONGEST_KEY) {
      repository.refuse(name, source, "a part of too many models, or with too long a key");
    } else {
      line.assembly.part(key.substring(slash + 1), bytes);
    }
  }

  /** Takes in a manifest, of the newest version of its name. */
  public void manifest(ModelRepository.Arrival arrival, byte[] file) {
    read(arrival, file);
  }

  /** What is known under its name with it; null if it was refused. */
  private @Nullable Line read(ModelRepository.Arrival arrival, byte[] file) {
    try {
      CellManifest manifest = CellManifest.read(file);
      Line line = line(arrival.name());
      if (line == null) {
        throw new InvalidModelException("there are " + MOST_NAMES + " models in parts already");
      }
      line.newest = arrival;
      line.told = false;
      line.assembly.manifest(manifest, new Version(arrival, file));
      return line;
    } catch (InvalidModelException e) {
      repository.refuse(arrival.name(), arrival.source(), "no manifest: " + e.getMessage());
      return null;
    }
  }

  /**
   * Loads the versions that have become whole.
   *
   * @param all whether nothing more is to be read now: what is not whole lacks a part
   */
  public void load(boolean all) {
    for (Line line : lines.values()) {
      ModelRepository.Arrival newest = line.newest;
      if (newest != null) {
        take(line, newest);
        String missing = line.assembly.missing();
        if (all && !line.told && !missing.isEmpty()) {
          line.told = true;
          repository.refuse(
              newest.name(), newest.source(), "version " + newest.version() + " lacks " + missing);
        }
      }
    }
  }

  /** Whether a version was loaded. */
  private boolean take(Line line, ModelRepository.Arrival newest) {
    try {
      CellAssembly.Assembled<Version> made = line.assembly.take();
      if (made == null) {
        return false;
      }
      Version version = made.version();
      boolean held = repository.load(version.arrival, version.file, made) != null;
      if (held) {
        line.assembly.accept();
      }
      return held;
    } catch (RefusedModelException e) {
      return false; // the repository has recorded it
    } catch (InvalidModelException | RuntimeException | Error e) {
      repository.refuse(newest.name(), newest.source(), "not a model: " + e.getMessage());
      return false;
    }
  }

  /**
   * Loads the version of a manifest whose parts lie in a folder.
   *
   * @return whether it is held now
   * @throws IOException if parts are missing or cannot be read
   */
  boolean load(ModelRepository.Arrival arrival, byte[] file, Path folder) throws IOException {
    Line line = read(arrival, file);
    if (line == null) {
      return false;
    }
    line.assembly.fillFrom(folder);
    String missing = line.assembly.missing();
    if (!missing.isEmpty()) {
      throw new IOException("it lacks " + missing);
    }
    return take(line, arrival);
  }
}
