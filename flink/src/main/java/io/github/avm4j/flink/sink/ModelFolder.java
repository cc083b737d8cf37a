// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.sink;

import io.github.avm4j.flink.record.ModelVersion;
import io.github.avm4j.model.DurableFile;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.apache.flink.api.connector.sink2.Committer;
import org.apache.flink.api.connector.sink2.CommitterInitContext;
import org.apache.flink.api.connector.sink2.CommittingSinkWriter;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SupportsCommitter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.core.fs.FSDataOutputStream;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.jspecify.annotations.Nullable;

/**
 * Models as files in a folder of any Flink file system: {@code name-000042.avm}, and {@code
 * name.latest} that holds the newest one's file name. Exactly once: a model is written beside as a
 * hidden file, becomes part of the checkpoint, and is renamed when the checkpoint is complete;
 * renaming again after a failure changes nothing. A reader never sees half a file where rename is
 * atomic; object stores copy instead, and there readers should follow the pointer. Local files and
 * their names are on the disk before a checkpoint counts them as written; other file systems have
 * their own rules.
 *
 * <p>A version that was written but whose checkpoint never completed leaves its hidden file behind;
 * such files are safe to delete while the job is stopped.
 */
public final class ModelFolder implements Sink<ModelVersion>, SupportsCommitter<PendingModel> {
  private static final long serialVersionUID = 1;

  private final URI folder;

  /** A folder, made if it is not there. */
  public ModelFolder(URI folder) {
    this.folder = folder;
  }

  @Override
  public CommittingSinkWriter<ModelVersion, PendingModel> createWriter(WriterInitContext context) {
    return new Writer(new Path(folder));
  }

  @Override
  public Committer<PendingModel> createCommitter(CommitterInitContext context) {
    return new Renamer(new Path(folder));
  }

  @Override
  public SimpleVersionedSerializer<PendingModel> getCommittableSerializer() {
    return new PendingModel.Format();
  }

  /** The file's path if it is a local one, else null. */
  private static java.nio.file.@Nullable Path local(FileSystem files, Path path) {
    return files.isDistributedFS() ? null : java.nio.file.Path.of(path.toUri().getPath());
  }

  private static void write(FileSystem files, Path path, byte[] bytes) throws IOException {
    java.nio.file.Path local = local(files, path);
    if (local != null) {
      DurableFile.write(bytes, local);
      return;
    }
    try (FSDataOutputStream out = files.create(path, FileSystem.WriteMode.OVERWRITE)) {
      out.write(bytes);
    }
  }

  private static final class Writer implements CommittingSinkWriter<ModelVersion, PendingModel> {
    private final Path folder;
    private final List<PendingModel> pending = new ArrayList<>();

    Writer(Path folder) {
      this.folder = folder;
    }

    @Override
    public void write(ModelVersion model, Context context) throws IOException {
      PendingModel one =
          new PendingModel(
              "." + model.name() + "-" + UUID.randomUUID() + ".part",
              model.name(),
              model.version());
      FileSystem files = folder.getFileSystem();
      files.mkdirs(folder);
      ModelFolder.write(files, new Path(folder, one.hidden()), model.file());
      pending.add(one);
    }

    @Override
    public void flush(boolean endOfInput) {}

    @Override
    public Collection<PendingModel> prepareCommit() {
      List<PendingModel> all = List.copyOf(pending);
      pending.clear();
      return all;
    }

    @Override
    public void close() {}
  }

  private static final class Renamer implements Committer<PendingModel> {
    private final Path folder;

    Renamer(Path folder) {
      this.folder = folder;
    }

    @Override
    public void commit(Collection<CommitRequest<PendingModel>> requests) throws IOException {
      FileSystem files = folder.getFileSystem();
      for (CommitRequest<PendingModel> request : requests) {
        PendingModel one = request.getCommittable();
        Path hidden = new Path(folder, one.hidden());
        Path target = new Path(folder, one.file());
        if (files.exists(hidden)) {
          replace(files, hidden, target);
        } else if (!files.exists(target)) {
          throw new IOException(
              "neither " + hidden + " nor " + target + " is there: was it deleted?");
        }
        point(files, one);
      }
    }

    /** Local files are replaced by renaming; where that is refused, the target goes first. */
    private static void replace(FileSystem files, Path from, Path to) throws IOException {
      java.nio.file.Path source = local(files, from);
      java.nio.file.Path target = local(files, to);
      if (source != null && target != null) {
        DurableFile.rename(source, target);
        return;
      }
      if (!files.rename(from, to)) {
        files.delete(to, false);
        if (!files.rename(from, to)) {
          throw new IOException("cannot rename " + from + " to " + to);
        }
      }
    }

    private void point(FileSystem files, PendingModel one) throws IOException {
      Path pointer = new Path(folder, "." + one.name() + ".latest.part");
      write(files, pointer, (one.file() + "\n").getBytes(StandardCharsets.UTF_8));
      replace(files, pointer, new Path(folder, one.name() + ".latest"));
    }

    @Override
    public void close() {}
  }
}
