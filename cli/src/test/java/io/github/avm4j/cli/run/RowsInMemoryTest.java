// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.run;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.cli.inference.Preview;
import io.github.avm4j.cli.input.Inputs;
import io.github.avm4j.cli.input.RowsInMemory;
import io.github.avm4j.cli.option.DataOptions;
import io.github.avm4j.data.OnBadRow;
import io.github.avm4j.model.AvmException;
import io.github.avm4j.pipeline.RowLearner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RowsInMemoryTest {
  @TempDir private Path folder;

  @Test
  void saysWhenRowsDoNotFitInMemory() throws IOException {
    Path file = folder.resolve("m.csv");
    Files.writeString(file, "a,class\n" + "1,x\n2,y\n".repeat(200));
    DataOptions options = new DataOptions();
    try (Preview preview =
        new Preview(Inputs.of(List.of(file.toString())).open(options.labelled()), Map.of(), null)) {
      RowLearner rows = new RowLearner(preview.schema(), "", Avm.classifier().build());
      RowInstances stream = RowInstances.of(preview, rows, OnBadRow.FAIL, Long.MAX_VALUE);
      AvmException e = assertThrows(AvmException.class, () -> RowsInMemory.read(stream, 10_000));
      assertTrue(String.valueOf(e.getMessage()).contains("--limit"), e.getMessage());
    }
  }
}
