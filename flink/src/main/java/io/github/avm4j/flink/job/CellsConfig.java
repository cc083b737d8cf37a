// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Section {@code cells} of a job's file: the number of cells and the rows that define them.
 *
 * @param count number of cells
 * @param planRows rows that the plan is made of, the first of the input
 * @param plan file of the plan, on the machine that starts the job
 * @param parts whether models are published in parts
 */
record CellsConfig(int count, int planRows, Path plan, boolean parts) {
  private static final int MOST = 1 << 14;
  private static final int MOST_ROWS = 1_000_000;

  static CellsConfig read(Section section, String name, @Nullable Path folder) {
    int count = (int) section.whole("count", 64, 2, MOST);
    int rows = (int) section.whole("plan-rows", 10_000, 1, MOST_ROWS);
    if (rows < 2 * count) {
      throw section.wrong("plan-rows", "at least twice cells.count");
    }
    Path file = Path.of(section.text("plan", name + ".plan"));
    boolean parts = section.choice("publish", "whole", "parts").equals("parts");
    section.end();
    return new CellsConfig(count, rows, folder == null ? file : folder.resolve(file), parts);
  }
}
