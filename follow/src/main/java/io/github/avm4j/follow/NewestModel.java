// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.follow;

import io.github.avm4j.pipeline.CellAssembly;
import io.github.avm4j.pipeline.RowModel;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Holds the newest good version of one model, which any number of threads may ask for.
 *
 * <pre>{@code
 * try (NewestModel newest = new NewestModel("churn", rows -> {}, listener)) {
 *   newest.follow(new FollowedFolder(path, newest), Duration.ofSeconds(1));
 *   String churns = newest.get().rows().predictClass(row).orElseThrow();
 * }
 * }</pre>
 */
public final class NewestModel implements ModelStore, AutoCloseable {
  private final @Nullable String name;
  private final Consumer<RowModel> check;
  private final Listener listener;
  private volatile @Nullable Follower follower;
  private volatile @Nullable Loaded loaded;
  private volatile @Nullable String problem;

  /** Receives what happens to a model. */
  public interface Listener {
    /**
     * A version predicts from now on.
     *
     * @param now the version
     * @param before the one that it replaces; null if there was none
     */
    void used(Loaded now, @Nullable Loaded before);

    /**
     * A version cannot be used, or the source not be read; what was used before stays.
     *
     * @param reason what is wrong, and where
     */
    void refused(String reason);
  }

  /**
   * A version in use.
   *
   * @param arrival what its source knows of it
   * @param rows the model
   */
  public record Loaded(Arrival arrival, RowModel rows) {}

  /**
   * Holds no model yet.
   *
   * @param name the model's name; null to take whatever the source has, as for a single file
   * @param check throws {@link IllegalArgumentException} for a model that does not fit
   * @param listener receives what happens
   */
  public NewestModel(@Nullable String name, Consumer<RowModel> check, Listener listener) {
    this.name = name;
    this.check = check;
    this.listener = listener;
  }

  /**
   * Looks at a source once, then again and again in the background until this is closed.
   *
   * @param source a source of this store; closed with this
   * @param every time between two looks
   * @throws IOException if there is no usable model; nothing goes on then
   */
  public void follow(ModelSource source, Duration every) throws IOException {
    Follower made = new Follower(source, this);
    follower = made;
    made.start(every);
    if (loaded == null) {
      made.close();
      throw new IOException(
          "no model to predict with: " + (problem == null ? "the source has none" : problem));
    }
  }

  /** Ends looking; the model stays. */
  @Override
  public void close() {
    Follower made = follower;
    if (made != null) {
      made.close();
    }
  }

  /**
   * {@return the version in use}
   *
   * @throws IllegalStateException if there is none yet
   */
  public Loaded get() {
    Loaded now = loaded;
    if (now == null) {
      throw new IllegalStateException("there is no model yet");
    }
    return now;
  }

  @Override
  public boolean wants(String model) {
    return name == null || name.equals(model);
  }

  @Override
  public int keep() {
    return 1;
  }

  @Override
  public boolean holds(String model, String lineage, @Nullable Long version) {
    Loaded now = loaded;
    return now != null
        && (version == null
            || (now.arrival.version() == version && now.arrival.lineage().equals(lineage)));
  }

  @Override
  public String lineage(String model) {
    Loaded now = loaded;
    return now == null ? "" : now.arrival.lineage();
  }

  @Override
  public long nextVersion(String model) {
    Loaded now = loaded;
    return now == null ? 1 : now.arrival.version() + 1;
  }

  @Override
  public boolean take(Arrival arrival, byte[] file, CellAssembly.@Nullable Assembled<?> made) {
    Loaded before = loaded;
    Loaded now;
    try {
      RowModel rows = made == null ? RowModel.read(file) : made.rows();
      check.accept(rows);
      now = new Loaded(arrival, rows);
    } catch (RuntimeException | Error e) {
      String reason = e.getMessage() == null ? e.toString() : e.getMessage();
      refuse(arrival.name(), arrival.source(), reason);
      return false;
    }
    loaded = now;
    listener.used(now, before);
    return true;
  }

  @Override
  public void refuse(String model, String source, String reason) {
    problem = source + ": " + reason;
    listener.refused(source + ": " + reason);
  }

  /** Versions between two looks are passed over: nobody needs to know. */
  @Override
  public void discard(Arrival arrival, String reason) {}

  @Override
  public void gone(String source, String reason) {
    refuse("", source, reason);
  }

  @Override
  public void back(String source) {}
}
