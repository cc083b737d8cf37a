// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.report;

import io.github.avm4j.cli.text.Escaped;
import io.github.avm4j.pipeline.ClassNames;

/** Note that all labels are equal. */
public final class OneClassNote {
  private OneClassNote() {}

  /** The note, empty for regression and for several classes. */
  public static String of(ClassNames names) {
    return names.size() == 1
        ? "all labels are '" + Escaped.text(names.nameOf(0)) + "': this model predicts nothing else"
        : "";
  }
}
