// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** To come. */
@Command(name = "data")
final class DataCommand implements Callable<Integer> {
  DataCommand() {}

  @Override
  public Integer call() {
    return ExitCodes.OK;
  }
}
