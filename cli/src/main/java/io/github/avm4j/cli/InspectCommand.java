// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** To come. */
@Command(name = "inspect")
final class InspectCommand implements Callable<Integer> {
  InspectCommand() {}

  @Override
  public Integer call() {
    return ExitCodes.OK;
  }
}
