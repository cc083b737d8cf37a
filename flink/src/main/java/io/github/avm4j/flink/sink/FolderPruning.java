// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.sink;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;

/**
 * Removes old files from a folder of models: versions beyond the newest few, and hidden files of
 * attempts that failed.
 *
 * <p>Versions are committed in order, so a hidden file of the same line whose version is not newer
 * than the one committed last is a failed attempt's. Those of other lines may belong to a job that
 * is stopped; they go after a day.
 */
final class FolderPruning {
  static final Duration FORGOTTEN = Duration.ofDays(1);
  private static final String LINE = "(?:-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}))?";

  private final FileSystem files;
  private final Path folder;
  private final int keep;
  private final PartPruning parts;

  /**
   * Of a folder.
   *
   * @param keep versions of a name that stay; 0 for all
   */
  FolderPruning(FileSystem files, Path folder, int keep) {
    this.files = files;
    this.folder = folder;
    this.keep = keep;
    this.parts = new PartPruning(files, folder);
  }

  private record Version(Path path, String lineage, long number) {}

  /** After {@code newest} was renamed. */
  void prune(PendingModel newest) throws IOException {
    String name = Pattern.quote(newest.name());
    Pattern version = Pattern.compile(name + LINE + "-(\\d{6,18})\\.avm");
    Pattern hidden =
        Pattern.compile("\\." + name + LINE + "-(?:(\\d{6,18})-)?[0-9a-f-]{36}\\.part");
    List<Version> versions = new ArrayList<>();
    FileStatus[] all = files.listStatus(folder);
    for (FileStatus file : all == null ? new FileStatus[0] : all) {
      String text = file.getPath().getName();
      Matcher model = version.matcher(text);
      Matcher part = hidden.matcher(text);
      if (model.matches()) {
        versions.add(new Version(file.getPath(), line(model), Long.parseLong(model.group(2))));
      } else if (part.matches() && isAbandoned(file, part, newest)) {
        files.delete(file.getPath(), false);
      }
    }
    versions.sort(
        Comparator.comparing((Version v) -> v.lineage.equals(newest.lineage()))
            .thenComparing(Version::lineage)
            .thenComparingLong(Version::number)
            .reversed());
    for (int k = keep; keep > 0 && k < versions.size(); k++) {
      parts.release(versions.get(k).path);
      files.delete(versions.get(k).path, false);
    }
    if (keep > 0) {
      parts.prune();
    }
  }

  private static String line(Matcher matcher) {
    String lineage = matcher.group(1);
    return lineage == null ? "" : lineage;
  }

  private static boolean isAbandoned(FileStatus file, Matcher part, PendingModel newest) {
    if (line(part).equals(newest.lineage()) && part.group(2) != null) {
      return Long.parseLong(part.group(2)) <= newest.version();
    }
    long age = System.currentTimeMillis() - file.getModificationTime();
    return age > FORGOTTEN.toMillis();
  }
}
