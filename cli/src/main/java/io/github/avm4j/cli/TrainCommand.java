// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** To come. */
@Command(name = "train")
final class TrainCommand implements Callable<Integer> {
  TrainCommand() {}

  @Override
  public Integer call() {
    return ExitCodes.OK;
  }
}
