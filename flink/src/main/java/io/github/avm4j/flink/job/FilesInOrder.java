// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.connector.file.src.assigners.FileSplitAssigner;
import org.jspecify.annotations.Nullable;

/** Assigns files in the order of their names, so that one reader reads a history in order. */
final class FilesInOrder implements FileSplitAssigner {
  private final Deque<FileSourceSplit> splits = new ArrayDeque<>();

  FilesInOrder(Collection<FileSourceSplit> first) {
    addSplits(first);
  }

  @Override
  public Optional<FileSourceSplit> getNext(@Nullable String host) {
    return Optional.ofNullable(splits.poll());
  }

  @Override
  public void addSplits(Collection<FileSourceSplit> more) {
    List<FileSourceSplit> all = new ArrayList<>(splits);
    all.addAll(more);
    all.sort(Comparator.comparing((FileSourceSplit s) -> s.path().toString()));
    splits.clear();
    splits.addAll(all);
  }

  @Override
  public Collection<FileSourceSplit> remainingSplits() {
    return List.copyOf(splits);
  }
}
