// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.sink;

import io.github.avm4j.flink.record.Formats;
import io.github.avm4j.flink.record.ModelVersion;
import io.github.avm4j.pipeline.CellManifest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.connector.sink2.CommittingSinkWriter;
import org.apache.flink.api.connector.sink2.StatefulSinkWriter;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.metrics.Counter;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes models as hidden files, which are renamed with the checkpoint, and parts of models under
 * their digests. If writing fails, the newest version and the newest part of each key wait. A
 * version is not written before the parts that came ahead of it.
 */
final class FolderWriter
    implements CommittingSinkWriter<ModelVersion, PendingModel>,
        StatefulSinkWriter<ModelVersion, ModelVersion> {
  private static final Logger LOG = LoggerFactory.getLogger(FolderWriter.class);

  private final Path folder;
  private final Counter discarded;
  private final List<PendingModel> pending = new ArrayList<>();
  private final Map<String, ModelVersion> parts = new LinkedHashMap<>();
  private @Nullable ModelVersion waiting;

  FolderWriter(Path folder, Counter discarded) {
    this.folder = folder;
    this.discarded = discarded;
  }

  /** Of a checkpoint: it waits again. */
  void take(ModelVersion model) {
    if (model.isPart()) {
      parts.put(model.name(), model);
    } else {
      waiting = model;
    }
  }

  @Override
  public void write(ModelVersion model, Context context) {
    if (model.isPart()) {
      if (model.file().length > 0) {
        parts.put(model.name(), model);
        tryPart(model);
      }
      return;
    }
    ModelVersion before = waiting;
    if (before != null) {
      discarded.inc();
      LOG.warn("version {} of {} is discarded unwritten", before.version(), before.name());
    }
    waiting = model;
    tryWaiting();
  }

  /** The first that cannot be written is tried again with its version; others wait behind it. */
  private void tryPart(ModelVersion part) {
    if (parts.size() == 1) {
      try {
        writePart(part);
        parts.clear();
      } catch (IOException e) {
        LOG.warn("{} cannot be written to {} and waits: {}", part.name(), folder, e.toString());
      }
    }
  }

  private void writePart(ModelVersion part) throws IOException {
    String[] key = part.name().split("/", 3);
    String path = CellManifest.path(key[1], CellManifest.digest(part.file()));
    Path target = new Path(folder, path);
    FileSystem files = folder.getFileSystem();
    files.mkdirs(target.getParent());
    if (!isThere(files, target, part.file().length)) {
      writeWhole(files, target, part.file());
    }
  }

  /** Whether a part is there already, and so new that no pruning takes it for a forgotten one. */
  private static boolean isThere(FileSystem files, Path part, int bytes) throws IOException {
    if (!files.exists(part)) {
      return false;
    }
    FileStatus file = files.getFileStatus(part);
    long age = System.currentTimeMillis() - file.getModificationTime();
    return !file.isDir() && file.getLen() == bytes && age < FolderPruning.FORGOTTEN.toMillis() / 2;
  }

  private @Nullable IOException tryWaiting() {
    ModelVersion model = waiting;
    if (model == null) {
      return null;
    }
    PendingModel one = PendingModel.of(model);
    try {
      for (ModelVersion part : List.copyOf(parts.values())) {
        writePart(part);
        parts.remove(part.name());
      }
      FileSystem files = folder.getFileSystem();
      files.mkdirs(folder);
      writeWhole(files, new Path(folder, one.hidden()), model.file());
    } catch (IOException e) {
      LOG.warn(
          "version {} of {} cannot be written to {} and waits for the next checkpoint: {}",
          model.version(),
          model.name(),
          folder,
          e.toString());
      return e;
    }
    pending.add(one);
    waiting = null;
    return null;
  }

  /** Leaves no half of a file behind; what was there before may be listed by a version. */
  private static void writeWhole(FileSystem files, Path path, byte[] bytes) throws IOException {
    boolean before = files.exists(path);
    try {
      ModelFolder.write(files, path, bytes);
    } catch (IOException e) {
      try {
        if (!before) {
          files.delete(path, false);
        }
      } catch (IOException still) {
        e.addSuppressed(still);
      }
      throw e;
    }
  }

  @Override
  public void flush(boolean endOfInput) throws IOException {
    IOException problem = endOfInput ? tryWaiting() : null;
    if (problem != null) {
      throw new IOException(
          "the last model cannot be written to " + folder + ": make room there", problem);
    }
  }

  @Override
  public Collection<PendingModel> prepareCommit() {
    tryWaiting();
    List<PendingModel> all = List.copyOf(pending);
    pending.clear();
    return all;
  }

  @Override
  public List<ModelVersion> snapshotState(long checkpoint) {
    List<ModelVersion> all = new ArrayList<>(parts.values());
    ModelVersion version = waiting;
    if (version != null) {
      all.add(version);
    }
    return all;
  }

  @Override
  public void close() {}

  /** What waits, in the format of {@link Formats}. */
  static final class Format implements SimpleVersionedSerializer<ModelVersion> {
    @Override
    public int getVersion() {
      return 1;
    }

    @Override
    public byte[] serialize(ModelVersion model) throws IOException {
      DataOutputSerializer out = new DataOutputSerializer(model.file().length + 256);
      Formats.MODEL_VERSION.serialize(model, out);
      return out.getCopyOfBuffer();
    }

    @Override
    public ModelVersion deserialize(int version, byte[] bytes) throws IOException {
      if (version != 1) {
        throw new IOException("waiting models of version " + version + "; upgrade avm4j");
      }
      return Formats.MODEL_VERSION.deserialize(new DataInputDeserializer(bytes));
    }
  }
}
