// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.models;

import io.github.avm4j.follow.Arrival;
import io.github.avm4j.model.DurableFile;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.pipeline.RowModel;
import io.github.avm4j.serve.http.EventLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The folder where detectors that learn are saved: {@code NAME-DIGEST.avm} is what the detector of
 * the file of that digest has become. A new file begins anew, and the same one goes on after a
 * restart.
 */
public final class DetectorStates {
  private final Path folder;
  private final EventLog log;

  /** States in {@code folder}. */
  public DetectorStates(Path folder, EventLog log) {
    this.folder = folder;
    this.log = log;
  }

  private Path path(String name, String digest) {
    return folder.resolve(name + "-" + digest + ".avm");
  }

  /** What was saved of a detector; null if nothing, or nothing that can be read. */
  byte @Nullable [] read(String name, String digest) {
    Path path = path(name, digest);
    try {
      if (!Files.exists(path)) {
        return null;
      }
      if (Files.size(path) > Arrival.MOST_BYTES) {
        throw new IOException(
            Files.size(path) + " bytes; at most " + Arrival.MOST_BYTES + " are read");
      }
      return RowModel.bytes(path);
    } catch (IOException | InvalidModelException e) {
      refused(name, digest, e.toString());
      return null;
    }
  }

  /** Tells that a state is not used; the detector begins as its file has it. */
  void refused(String name, String digest, String reason) {
    log.warn(
        "detector_state_refused", "model", name, "source", path(name, digest), "reason", reason);
  }

  /** Saves a state, whole or not at all; whether that was done. */
  boolean write(String name, String digest, byte[] state) {
    Path path = path(name, digest);
    try {
      DurableFile.write(state, path);
      return true;
    } catch (IOException e) {
      log.warn("detector_not_saved", "model", name, "source", path, "reason", e.toString());
      return false;
    }
  }
}
