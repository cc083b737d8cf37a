// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.follow;

import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.pipeline.CellAssembly;
import io.github.avm4j.pipeline.CellManifest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Assembles models that are published in parts: keeps the parts of each name and hands a version to
 * the store once all its parts are there. An incomplete version changes nothing; it is refused once
 * nothing more is to be read, and the version before continues to predict. One thread at a time.
 */
final class PartedModels {
  private static final int MOST_NAMES = 1000;

  /** What is pending and what is held, of all names, at most: a share of the heap each. */
  private static final int HEAP_SHARE = 3;

  private static final String CURE =
      ": models in parts may have a third of the heap (-Xmx), and as much while they arrive";

  private final long mostBytes;
  private final ModelStore store;
  private final Map<String, Line> lines = new HashMap<>();
  private long touches;

  /** What is known under a name; of each version, how it arrived and its manifest's bytes. */
  private static final class Line {
    final CellAssembly<Map.Entry<Arrival, byte[]>> assembly;
    @Nullable Arrival newest;
    boolean told;

    /** When its last part came, as a count of parts. */
    long touched;

    /** Bytes of the newest version held. */
    long bytes;

    /** Bytes that only versions before it hold, newest last. */
    final Deque<Long> replaced = new ArrayDeque<>();

    Line(long mostBytes) {
      this.assembly = new CellAssembly<>(mostBytes);
    }

    void took(long newBytes, long newReplaced, int kept) {
      bytes = newBytes;
      replaced.add(newReplaced);
      while (replaced.size() > kept) {
        replaced.remove();
      }
    }

    long held() {
      return bytes + replaced.stream().mapToLong(Long::longValue).sum();
    }
  }

  /** None yet. All that is held may have a third of the heap. */
  PartedModels(ModelStore store) {
    this(store, Runtime.getRuntime().maxMemory() / HEAP_SHARE);
  }

  /**
   * None yet.
   *
   * @param mostBytes of the parts of all versions held, and of those that are pending
   */
  PartedModels(ModelStore store, long mostBytes) {
    this.store = store;
    this.mostBytes = mostBytes;
  }

  private @Nullable Line line(String name) {
    return lines.size() < MOST_NAMES
        ? lines.computeIfAbsent(name, key -> new Line(mostBytes))
        : lines.get(name);
  }

  /**
   * Takes in a part.
   *
   * @param key {@code PLAN/CELL}
   * @param bytes null if the part was removed
   */
  void part(String name, String key, byte @Nullable [] bytes, String source) {
    Line line = line(name);
    if (line == null) {
      store.refuse(name, source, "a part of too many models");
    } else if (bytes != null && !hasRoomFor(bytes.length, line)) {
      store.refuse(name, source, "no room for a part of " + bytes.length + " bytes" + CURE);
    } else {
      line.touched = ++touches;
      line.assembly.part(key, bytes);
    }
  }

  /** Whether there is room for a part; others that wait for a manifest make it if need be. */
  private boolean hasRoomFor(long size, Line arriving) {
    long pending = size;
    for (Line line : lines.values()) {
      pending += line.assembly.pendingBytes();
    }
    while (pending > mostBytes) {
      Line victim = victim(arriving);
      long before = victim.assembly.waitingBytes();
      victim.assembly.dropOldest();
      pending -= before - victim.assembly.waitingBytes();
      if (before == 0) {
        return false;
      }
    }
    return true;
  }

  /**
   * The name with waiting parts that got none for the longest time; the arriving one comes last.
   */
  private Line victim(Line arriving) {
    Line victim = arriving;
    for (Line line : lines.values()) {
      boolean older = victim == arriving || line.touched < victim.touched;
      if (line != arriving && line.assembly.waitingBytes() > 0 && older) {
        victim = line;
      }
    }
    return victim;
  }

  /** Takes in a manifest, of the newest version of its name. */
  void manifest(Arrival arrival, byte[] file) {
    read(arrival, file);
  }

  /** What is known under its name with it; null if it was refused. */
  private @Nullable Line read(Arrival arrival, byte[] file) {
    try {
      CellManifest manifest = CellManifest.read(file);
      Line line = line(arrival.name());
      if (line == null) {
        throw new InvalidModelException("there are " + MOST_NAMES + " models in parts already");
      }
      line.newest = arrival;
      line.told = false;
      line.assembly.manifest(manifest, Map.entry(arrival, file));
      return line;
    } catch (InvalidModelException e) {
      store.refuse(arrival.name(), arrival.source(), "no manifest: " + e.getMessage());
      return null;
    }
  }

  /**
   * Loads the versions that have become whole.
   *
   * @param all whether nothing more is to be read now: what is not whole lacks a part
   */
  void load(boolean all) {
    for (Line line : lines.values()) {
      Arrival newest = line.newest;
      if (newest != null) {
        take(line, newest);
        String missing = line.assembly.missing();
        if (all && !line.told && !missing.isEmpty()) {
          line.told = true;
          store.refuse(
              newest.name(), newest.source(), "version " + newest.version() + " lacks " + missing);
        }
      }
    }
  }

  /** Bytes that the next version of a name, and what it replaces, may have. */
  private long room(Line line) {
    long room = mostBytes + line.bytes;
    for (Line other : lines.values()) {
      room -= other.held();
    }
    return room;
  }

  /** Whether a version was loaded. */
  private boolean take(Line line, Arrival newest) {
    try {
      CellAssembly.Assembled<Map.Entry<Arrival, byte[]>> made = line.assembly.take(room(line));
      boolean held =
          made != null && store.take(made.version().getKey(), made.version().getValue(), made);
      if (made != null && held) {
        line.assembly.accept();
        line.took(made.bytes(), made.replaced(), store.keep() - 1);
      }
      return held;
    } catch (RuntimeException | Error e) {
      store.refuse(newest.name(), newest.source(), "not a model: " + e.getMessage());
      return false;
    }
  }

  /**
   * Loads the version of a manifest whose parts lie in a folder.
   *
   * @return whether it is held now
   * @throws IOException if parts are missing or cannot be read
   */
  boolean load(Arrival arrival, byte[] file, Path folder) throws IOException {
    Line line = read(arrival, file);
    if (line == null) {
      return false;
    }
    line.assembly.fillFrom(folder);
    String missing = line.assembly.missing();
    if (!missing.isEmpty()) {
      line.assembly.giveUp();
      throw new IOException("it lacks " + missing);
    }
    return take(line, arrival);
  }
}
