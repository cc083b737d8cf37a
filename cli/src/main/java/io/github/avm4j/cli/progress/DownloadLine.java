// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.progress;

import io.github.avm4j.data.catalogue.Progress;
import java.io.PrintWriter;
import java.util.Locale;

/** Shows the progress of a download on a terminal. */
public final class DownloadLine {
  private DownloadLine() {}

  /** Progress line that is overwritten; shows nothing without a terminal. */
  public static Progress on(PrintWriter out) {
    if (!Terminal.isStandardError()) {
      return Progress.NONE;
    }
    return (file, done, total) -> {
      String end = total < 0 ? "" : String.format(Locale.ROOT, " of %.1f", total / 1e6);
      out.printf(Locale.ROOT, "\r%s: %.1f%s MB ", file, done / 1e6, end);
      if (done == total) {
        out.println();
      }
      out.flush();
    };
  }
}
