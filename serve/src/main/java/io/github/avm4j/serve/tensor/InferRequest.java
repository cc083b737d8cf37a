// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.tensor;

import java.util.List;

/**
 * An inference request.
 *
 * @param id the client's id, empty if it gave none
 * @param inputs the tensors
 * @param outputs the outputs that are wanted, empty for all
 * @param binary whether outputs that say nothing of it are to be binary
 */
record InferRequest(String id, List<Tensor> inputs, List<Output> outputs, boolean binary) {

  /**
   * An output that is wanted.
   *
   * @param name its name
   * @param binary whether as bytes
   */
  record Output(String name, boolean binary) {}

  /** Names of the outputs that are wanted. */
  List<String> wanted() {
    return outputs.stream().map(Output::name).toList();
  }

  /** Whether an output goes out as bytes. */
  boolean isBinary(String output) {
    for (Output wanted : outputs) {
      if (wanted.name.equals(output)) {
        return wanted.binary;
      }
    }
    return binary;
  }
}
