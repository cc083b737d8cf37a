// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.sink;

import io.github.avm4j.pipeline.RowModel;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/** The class names of a file, read once per worker. */
final class Names implements Serializable {
  private static final long serialVersionUID = 1;

  private final byte[] start;
  private transient @Nullable RowModel names;

  Names(byte[] start) {
    this.start = start;
  }

  RowModel get() {
    RowModel known = names;
    if (known == null) {
      known = RowModel.read(start);
      names = known;
    }
    return known;
  }
}
