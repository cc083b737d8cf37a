// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.pipeline;

import io.github.avm4j.internal.format.ModelFormat;
import io.github.avm4j.learner.CellPlan;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.model.Model;
import org.jspecify.annotations.Nullable;

/**
 * A manifest with what is there of its parts.
 *
 * @param <V> what the caller knows of a version
 */
final class PartedVersion<V> {
  /** A part; its bytes are released once it is read. */
  static final class Part {
    final long digest;
    final int size;
    byte @Nullable [] bytes;
    @Nullable Model model;
    boolean accepted;

    Part(byte[] bytes) {
      this.digest = CellManifest.digest(bytes);
      this.size = bytes.length;
      this.bytes = bytes;
    }

    Model model() throws InvalidModelException {
      Model known = model;
      if (known == null) {
        known = ModelFormat.read(bytes());
        model = known;
        bytes = null;
      }
      return known;
    }

    byte[] bytes() {
      return bytes == null ? new byte[0] : bytes;
    }
  }

  final CellManifest manifest;
  final V version;
  final @Nullable Part[] parts;
  int missing;

  /** Bytes of its parts, and of those that are not in the version taken last. */
  long bytes;

  long fresh;
  @Nullable RowModel rows;
  @Nullable CellPlan plan;

  PartedVersion(CellManifest manifest, V version) {
    this.manifest = manifest;
    this.version = version;
    this.parts = new Part[manifest.size()];
  }

  /** Its part of that place if another manifest can use it. */
  @Nullable Part part(int place, CellManifest of) {
    boolean same =
        place < parts.length
            && manifest.plan().equals(of.plan())
            && manifest.planPieces() == of.planPieces()
            && manifest.digest(place) == of.digest(place);
    return same ? parts[place] : null;
  }

  void put(int place, Part part, boolean known) {
    parts[place] = part;
    bytes += part.size;
    fresh += known ? 0 : part.size;
  }

  /** Bytes of its parts that {@code other} has not. */
  long bytesWithout(PartedVersion<V> other) {
    long sum = 0;
    for (int p = 0; p < parts.length; p++) {
      Part part = parts[p];
      boolean shared = p < other.parts.length && other.parts[p] == part;
      sum += part == null || shared ? 0 : part.size;
    }
    return sum;
  }
}
