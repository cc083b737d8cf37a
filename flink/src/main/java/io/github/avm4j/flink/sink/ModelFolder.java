// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.sink;

import io.github.avm4j.flink.record.ModelVersion;
import io.github.avm4j.model.DurableFile;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import org.apache.flink.api.connector.sink2.Committer;
import org.apache.flink.api.connector.sink2.CommitterInitContext;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SupportsCommitter;
import org.apache.flink.api.connector.sink2.SupportsWriterState;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.core.fs.FSDataOutputStream;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.metrics.Counter;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sink that writes models as files in a folder of any Flink file system: {@code
 * name-lineage-000042.avm}, and {@code name.latest} that holds the newest one's file name. Exactly
 * once: a model is written beside as a hidden file, becomes part of the checkpoint, and is renamed
 * when the checkpoint is complete; renaming again after a failure changes nothing. A reader never
 * sees half a file where rename is atomic; object stores copy instead, and there readers should
 * follow the pointer. Local files and their names are on the disk before a checkpoint counts them
 * as written; other file systems have their own rules.
 *
 * <p>A folder that cannot be written to, such as a full disk, does not stop the job: the newest
 * version waits in memory and is tried again at every checkpoint; what it replaces is discarded.
 * Only the last version of a stream that ends must be written. Metrics: {@code discardedModels},
 * {@code lostModels}. Old versions and hidden files of failed attempts are removed.
 *
 * <p>A model in parts ({@link io.github.avm4j.pipeline.CellManifest}) is a file of the same name
 * that lists its parts, which lie in {@code cells-PLAN} under their digests. They are written when
 * they come, for nothing names them yet; those that cannot be written wait, as state, and their
 * version with them.
 */
public final class ModelFolder
    implements Sink<ModelVersion>,
        SupportsCommitter<PendingModel>,
        SupportsWriterState<ModelVersion, ModelVersion> {
  /** Versions of a name that stay by default. */
  public static final int KEEP = 100;

  private static final long serialVersionUID = 1;
  private static final Logger LOG = LoggerFactory.getLogger(ModelFolder.class);

  private final URI folder;
  private final int keep;

  /**
   * A folder, made if it is not there, of the newest {@value #KEEP} versions.
   *
   * @param folder an address that Flink's file systems know
   */
  public ModelFolder(URI folder) {
    this(folder, KEEP);
  }

  /**
   * A folder, made if it is not there.
   *
   * @param folder an address that Flink's file systems know
   * @param keep versions of a name that stay; 0 for all
   */
  public ModelFolder(URI folder, int keep) {
    if (keep < 0) {
      throw new IllegalArgumentException("keep must be >= 0, was " + keep);
    }
    this.folder = folder;
    this.keep = keep;
  }

  @Override
  public FolderWriter createWriter(WriterInitContext context) {
    return restoreWriter(context, List.of());
  }

  @Override
  public FolderWriter restoreWriter(WriterInitContext context, Collection<ModelVersion> waiting) {
    Counter discarded = context.metricGroup().counter("discardedModels");
    FolderWriter writer = new FolderWriter(new Path(folder), discarded);
    waiting.forEach(writer::take);
    return writer;
  }

  @Override
  public SimpleVersionedSerializer<ModelVersion> getWriterStateSerializer() {
    return new FolderWriter.Format();
  }

  @Override
  public Committer<PendingModel> createCommitter(CommitterInitContext context) {
    return new Renamer(new Path(folder), keep, context.metricGroup().counter("lostModels"));
  }

  @Override
  public SimpleVersionedSerializer<PendingModel> getCommittableSerializer() {
    return new PendingModel.Format();
  }

  /** The file's path if it is a local one, else null. */
  private static java.nio.file.@Nullable Path local(FileSystem files, Path path) {
    return files.isDistributedFS() ? null : java.nio.file.Path.of(path.toUri().getPath());
  }

  static void write(FileSystem files, Path path, byte[] bytes) throws IOException {
    java.nio.file.Path local = local(files, path);
    if (local != null) {
      DurableFile.write(bytes, local);
      return;
    }
    try (FSDataOutputStream out = files.create(path, FileSystem.WriteMode.OVERWRITE)) {
      out.write(bytes);
    }
  }

  /** Renames them. */
  static final class Renamer implements Committer<PendingModel> {
    private final Path folder;
    private final int keep;
    private final Counter lost;
    private @Nullable FolderPruning pruning;

    Renamer(Path folder, int keep, Counter lost) {
      this.folder = folder;
      this.keep = keep;
      this.lost = lost;
    }

    @Override
    public void commit(Collection<CommitRequest<PendingModel>> requests) throws IOException {
      FileSystem files = folder.getFileSystem();
      PendingModel newest = null;
      for (CommitRequest<PendingModel> request : requests) {
        PendingModel one = request.getCommittable();
        Path hidden = new Path(folder, one.hidden());
        Path target = new Path(folder, one.file());
        if (files.exists(hidden)) {
          replace(files, hidden, target);
        } else if (!files.exists(target)) {
          lost.inc();
          LOG.warn("neither {} nor {} is there: it was deleted by another program", hidden, target);
          continue;
        }
        newest = one;
      }
      if (newest != null) {
        tidy(files, newest);
      }
    }

    /** The model is there; a full disk must not stop the job for want of room for a pointer. */
    private void tidy(FileSystem files, PendingModel newest) {
      FolderPruning old = pruning;
      if (old == null) {
        old = new FolderPruning(files, folder, keep);
        pruning = old;
      }
      try {
        try {
          point(files, newest);
        } catch (IOException full) {
          old.prune(newest);
          point(files, newest);
        }
        old.prune(newest);
      } catch (IOException e) {
        LOG.warn("{} does not name {} yet: {}", folder, newest.file(), e.toString());
      }
    }

    private void point(FileSystem files, PendingModel newest) throws IOException {
      Path pointer = new Path(folder, "." + newest.name() + ".latest.part");
      write(files, pointer, (newest.file() + "\n").getBytes(StandardCharsets.UTF_8));
      replace(files, pointer, new Path(folder, newest.name() + ".latest"));
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

    @Override
    public void close() {}
  }
}
