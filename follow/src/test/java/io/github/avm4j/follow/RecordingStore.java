// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.follow;

import io.github.avm4j.Avm;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.pipeline.CellAssembly;
import io.github.avm4j.pipeline.RowModel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Takes what can be read as a model, and records every call. */
class RecordingStore implements ModelStore {
  private final int keep;
  private final List<String> said = new ArrayList<>();
  private final Map<String, List<Arrival>> held = new HashMap<>();

  RecordingStore(int keep) {
    this.keep = keep;
  }

  /** A model's file, another one for each seed. */
  static byte[] model(int seed) {
    Learner learner = Avm.regressor().build();
    for (int i = 0; i < 20; i++) {
      learner.predictThenLearn(FeatureVector.dense(i % 3, i % 5), seed + i % 7, 1);
    }
    return learner.toBytes();
  }

  /** Writes a file as jobs do: whole or not at all. */
  static Path put(Path folder, String file, int seed) throws IOException {
    Path path = folder.resolve(file);
    Avm.save(model(seed), path);
    return path;
  }

  /** The calls since this was called last. */
  List<String> said() {
    List<String> all = List.copyOf(said);
    said.clear();
    return all;
  }

  /** The number of the version that was taken last; −1 if there is none. */
  long newest(String name) {
    List<Arrival> all = held.getOrDefault(name, List.of());
    return all.isEmpty() ? -1 : all.get(all.size() - 1).version();
  }

  @Override
  public int keep() {
    return keep;
  }

  @Override
  public boolean holds(String name, String lineage, @Nullable Long version) {
    return held.getOrDefault(name, List.of()).stream()
        .anyMatch(a -> version == null || (a.version() == version && a.lineage().equals(lineage)));
  }

  @Override
  public String lineage(String name) {
    List<Arrival> all = held.getOrDefault(name, List.of());
    return all.isEmpty() ? "" : all.get(all.size() - 1).lineage();
  }

  @Override
  public long nextVersion(String name) {
    return Math.max(0, newest(name)) + 1;
  }

  @Override
  public boolean take(Arrival arrival, byte[] file, CellAssembly.@Nullable Assembled<?> made) {
    try {
      RowModel rows = made == null ? RowModel.read(file) : made.rows();
      said.add("took " + arrival.name() + " " + arrival.version());
      held.computeIfAbsent(arrival.name(), key -> new ArrayList<>()).add(arrival);
      return rows.model().size() >= 0;
    } catch (RuntimeException e) {
      refuse(arrival.name(), arrival.source(), "not a model");
      return false;
    }
  }

  @Override
  public void refuse(String name, String source, String reason) {
    said.add("refused " + name + ": " + reason);
  }

  @Override
  public void discard(Arrival arrival, String reason) {
    said.add("discarded " + arrival.name() + " " + arrival.version() + ": " + reason);
  }

  @Override
  public void gone(String source, String reason) {
    said.add("gone " + reason);
  }

  @Override
  public void back(String source) {
    said.add("back");
  }
}
