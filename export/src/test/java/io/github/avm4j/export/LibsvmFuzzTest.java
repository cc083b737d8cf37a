// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.export;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.github.avm4j.feature.FeatureVector;
import java.nio.charset.StandardCharsets;

class LibsvmFuzzTest {
  private static final String START =
      """
      svm_type c_svc
      kernel_type rbf
      gamma 0.5
      nr_class 2
      total_sv 2
      rho 0.25
      label 1 -1
      nr_sv 1 1
      SV
      1 1:1
      -1 2:1
      """;

  /** A file is read or refused, never anything else. */
  @FuzzTest
  void readsOrRefuses(FuzzedDataProvider data) {
    StringBuilder text = new StringBuilder(START);
    for (int edits = data.consumeInt(0, 4); edits > 0; edits--) {
      int from = data.consumeInt(0, text.length());
      int to = data.consumeInt(from, text.length());
      text.replace(from, to, data.consumeAsciiString(20));
    }
    try {
      LibsvmModel.read(text.toString().getBytes(StandardCharsets.ISO_8859_1))
          .predict(FeatureVector.dense(1, 2));
    } catch (IllegalArgumentException refused) {
      if (refused.getMessage() == null || !refused.getMessage().startsWith("line ")) {
        throw refused;
      }
    }
  }
}
