// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** To come. */
@Command(name = "predict")
final class PredictCommand implements Callable<Integer> {
  PredictCommand() {}

  @Override
  public Integer call() {
    return ExitCodes.OK;
  }
}
