// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.pipeline;

import io.github.avm4j.learner.CellPlan;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.model.Model;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Puts the versions of a model together whose parts arrive apart, as a topic or a folder holds them
 * ({@link CellManifest}).
 *
 * <p>Give it parts by {@link #part}, in any order and as often as they come, and versions by {@link
 * #manifest}. Then {@link #take} is the model of the newest version whose parts are all there, and
 * {@link #accept} marks it as checked.
 *
 * <ol>
 *   <li>A version is made of exactly the parts that its manifest names, or not at all.
 *   <li>The models of cells are shared with the versions before; what changed is read, nothing is
 *       copied.
 *   <li>What arrives is bounded: parts that no manifest has named yet are dropped, oldest first,
 *       beyond so many bytes.
 * </ol>
 *
 * <p>For one thread at a time.
 *
 * @param <V> what the caller knows of a version
 */
public final class CellAssembly<V> {
  private static final int SHOWN = 5;

  private final long mostBytes;
  private final LinkedHashMap<String, PartedVersion.Part> arrived = new LinkedHashMap<>();
  private long arrivedBytes;
  private @Nullable PartedVersion<V> taken;
  private @Nullable PartedVersion<V> ready;
  private @Nullable PartedVersion<V> newest;

  /**
   * A version that is whole.
   *
   * @param version what the caller knows of it
   * @param rows the model
   * @param changed models of cells that are in no version that was {@linkplain #accept accepted}
   * @param bytes of all parts
   * @param replaced bytes of parts that only the version taken before has: that version holds them
   *     for as long as it is kept
   * @param <V> what the caller knows of a version
   */
  public record Assembled<V>(
      V version, RowModel rows, List<Model> changed, long bytes, long replaced) {}

  /**
   * Of a model.
   *
   * @param mostBytes of the parts of a version, and of parts that wait for a manifest
   */
  public CellAssembly(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /**
   * Takes in a part. It replaces what arrived under its key before and was not named yet.
   *
   * @param key its key
   * @param bytes its bytes, not to be changed any more; null if it was removed
   */
  public void part(String key, byte @Nullable [] bytes) {
    drop(key);
    if (bytes == null) {
      return;
    }
    PartedVersion.Part part = new PartedVersion.Part(bytes);
    PartedVersion<V> draft = newest;
    if (draft != null && draft.missing > 0 && fill(draft, key, part)) {
      return;
    }
    arrived.put(key, part);
    arrivedBytes += part.size;
    while (arrivedBytes > mostBytes) {
      dropOldest();
    }
  }

  /** {@return bytes of the parts that wait for a manifest} */
  public long waitingBytes() {
    return arrivedBytes;
  }

  /** {@return bytes of the parts that are in no version taken yet, at most} */
  public long pendingBytes() {
    long drafted = newest == null || newest == taken ? 0 : newest.fresh;
    return arrivedBytes + drafted + (ready == null || ready == newest ? 0 : ready.fresh);
  }

  /** Gives up the newest version if it is not whole; its manifest and parts have to come again. */
  public void giveUp() {
    if (newest != null && newest.missing > 0) {
      newest = taken;
    }
  }

  /** Drops the part that has waited longest for a manifest, if any. */
  public void dropOldest() {
    Iterator<PartedVersion.Part> oldest = arrived.values().iterator();
    if (oldest.hasNext()) {
      arrivedBytes -= oldest.next().size;
      oldest.remove();
    }
  }

  private void drop(String key) {
    PartedVersion.Part before = arrived.remove(key);
    arrivedBytes -= before == null ? 0 : before.size;
  }

  /** Whether the part is one that is missing. */
  private boolean fill(PartedVersion<V> draft, String key, PartedVersion.Part part) {
    for (int p = 0; p < draft.parts.length; p++) {
      if (draft.parts[p] == null
          && draft.manifest.digest(p) == part.digest
          && draft.manifest.key(p).equals(key)) {
        draft.put(p, part, false);
        draft.missing--;
        ready = draft.missing == 0 ? draft : ready;
        return true;
      }
    }
    return false;
  }

  /**
   * Takes in the manifest of the newest version; one that is not whole yet is given up for it.
   *
   * @param manifest the manifest
   * @param version what the caller knows of it
   */
  public void manifest(CellManifest manifest, V version) {
    PartedVersion<V> draft = new PartedVersion<>(manifest, version);
    for (int p = 0; p < draft.parts.length; p++) {
      long digest = manifest.digest(p);
      if (digest != CellManifest.NONE) {
        PartedVersion.Part found = find(p, manifest);
        if (found == null) {
          draft.missing++;
        } else {
          draft.put(p, found, taken != null && taken.part(p, manifest) == found);
        }
      }
    }
    newest = draft;
    ready = draft.missing == 0 ? draft : ready;
  }

  private PartedVersion.@Nullable Part find(int place, CellManifest manifest) {
    PartedVersion.Part known = newest == null ? null : newest.part(place, manifest);
    if (known == null && taken != null) {
      known = taken.part(place, manifest);
    }
    if (known == null) {
      String key = manifest.key(place);
      PartedVersion.Part waiting = arrived.get(key);
      if (waiting != null && waiting.digest == manifest.digest(place)) {
        drop(key);
        known = waiting;
      }
    }
    return known;
  }

  /**
   * {@return what the newest manifest names and is not there; empty if its version is whole}
   *
   * <p>Five keys at most, then their number.
   */
  public String missing() {
    PartedVersion<V> draft = newest;
    if (draft == null || draft.missing == 0) {
      return "";
    }
    List<String> keys = new ArrayList<>();
    for (int p = 0; p < draft.parts.length && keys.size() < SHOWN; p++) {
      if (isMissing(draft, p)) {
        keys.add(draft.manifest.key(p));
      }
    }
    return draft.missing
        + " of "
        + draft.parts.length
        + " parts ("
        + String.join(", ", keys)
        + (draft.missing > SHOWN ? ", …)" : ")");
  }

  private static boolean isMissing(PartedVersion<?> draft, int place) {
    return draft.parts[place] == null && draft.manifest.digest(place) != CellManifest.NONE;
  }

  /**
   * Reads the parts that the newest manifest lacks from the folder that it lies in; what is not
   * there stays missing.
   *
   * @param folder the folder
   * @throws IOException if a file cannot be read
   */
  public void fillFrom(Path folder) throws IOException {
    PartedVersion<V> draft = newest;
    long bytes = draft == null ? 0 : draft.bytes;
    for (int p = 0; draft != null && p < draft.parts.length; p++) {
      if (isMissing(draft, p)) {
        CellManifest manifest = draft.manifest;
        Path file = folder.resolve(CellManifest.path(manifest.plan(), manifest.digest(p)));
        if (Files.exists(file)) {
          bytes += Files.size(file);
          if (bytes > mostBytes) {
            throw new InvalidModelException("its parts have more than " + mostBytes + " bytes");
          }
          part(manifest.key(p), Files.readAllBytes(file));
        }
      }
    }
  }

  /**
   * {@return the newest version that is whole, if it was not taken before; else null}
   *
   * @throws InvalidModelException if its parts make no model or are too large; it is given up then
   */
  public @Nullable Assembled<V> take() throws InvalidModelException {
    return take(mostBytes);
  }

  /**
   * The same if there is less room now.
   *
   * @param room for the bytes of its parts and of those that it replaces
   * @return the newest version that is whole, if it was not taken before; else null
   * @throws InvalidModelException if its parts make no model or are larger; it is given up then
   */
  public @Nullable Assembled<V> take(long room) throws InvalidModelException {
    PartedVersion<V> draft = ready;
    ready = null;
    if (draft == null) {
      return null;
    }
    long replaced = taken == null ? 0 : taken.bytesWithout(draft);
    if (draft.bytes > mostBytes || draft.bytes > room - replaced) {
      throw new InvalidModelException(
          "its parts have %d bytes, and those that they replace %d; there is room for %d"
              .formatted(draft.bytes, replaced, Math.max(0, Math.min(room, mostBytes))));
    }
    try {
      Assembled<V> made = make(draft, replaced);
      taken = draft;
      return made;
    } catch (IllegalArgumentException e) {
      throw new InvalidModelException("its parts make no model: " + e.getMessage(), e);
    }
  }

  /** Marks the version taken last as good: its cells need no check in later versions. */
  public void accept() {
    if (taken != null) {
      for (PartedVersion.Part part : taken.parts) {
        if (part != null) {
          part.accepted = true;
        }
      }
    }
  }

  private Assembled<V> make(PartedVersion<V> draft, long replaced) throws InvalidModelException {
    CellManifest manifest = draft.manifest;
    RowModel rows = plan(draft);
    CellPlan plan = draft.plan;
    int first = manifest.planPieces();
    if (plan == null || plan.size() != manifest.size() - first) {
      throw new InvalidModelException("the manifest and the plan differ in the number of cells");
    }
    List<@Nullable Model> models = new ArrayList<>();
    List<Model> changed = new ArrayList<>();
    for (int p = first; p < draft.parts.length; p++) {
      PartedVersion.Part part = draft.parts[p];
      Model model = part == null ? null : part.model();
      models.add(model);
      if (part != null && model != null && !part.accepted) {
        changed.add(model);
      }
    }
    Model whole = plan.model(models, manifest.provenance());
    RowModel file = new RowModel(rows.schema(), rows.target(), rows.classNames(), whole);
    return new Assembled<>(draft.version, file, List.copyOf(changed), draft.bytes, replaced);
  }

  /** The plan, that of the version before if it is the same. */
  private RowModel plan(PartedVersion<V> draft) throws InvalidModelException {
    CellManifest manifest = draft.manifest;
    RowModel rows = taken == null ? null : taken.rows;
    boolean same = true;
    for (int p = 0; p < manifest.planPieces(); p++) {
      same &= taken != null && taken.part(p, manifest) == draft.parts[p];
    }
    if (same && taken != null && rows != null) {
      draft.plan = taken.plan;
    } else {
      ByteArrayOutputStream file = new ByteArrayOutputStream();
      for (int p = 0; p < manifest.planPieces(); p++) {
        PartedVersion.Part piece = draft.parts[p];
        file.writeBytes(piece == null ? new byte[0] : piece.bytes());
      }
      rows = RowModel.read(file.toByteArray());
      draft.plan = new CellPlan(rows.model());
    }
    draft.rows = rows;
    return rows;
  }
}
