// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.flink.record.ModelVersion;
import io.github.avm4j.pipeline.CellAssembly;
import io.github.avm4j.pipeline.CellManifest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Models in parts, read as a reader of the topic reads them. */
final class PublishedParts {
  private PublishedParts() {}

  /** Each version as a file; fails if a version lacks a part. */
  static List<byte[]> assembled(List<ModelVersion> published) throws IOException {
    CellAssembly<String> assembly = new CellAssembly<>(1 << 26);
    List<byte[]> files = new ArrayList<>();
    for (ModelVersion one : published) {
      if (one.isPart()) {
        byte[] part = one.file().length == 0 ? null : one.file();
        assembly.part(one.name().substring(one.name().indexOf('/') + 1), part);
      } else {
        assembly.manifest(CellManifest.read(one.file()), "");
        CellAssembly.Assembled<String> made = assembly.take();
        assertTrue(made != null, one.version() + " lacks " + assembly.missing());
        files.add(made.rows().toBytes());
      }
    }
    return files;
  }
}
