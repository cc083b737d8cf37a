// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.option;

import io.github.avm4j.cli.failure.UsageException;
import java.lang.reflect.Field;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** Rejects learner options that have no effect in combination with others. */
public final class UnusedOptions {
  private static final Set<String> NOT_OF_THE_PAPER =
      Set.of("--kernel", "--cells", "--memory", "--forgetting");

  private UnusedOptions() {}

  /**
   * Checks the given options.
   *
   * @throws UsageException for the first option without effect
   */
  public static void refuse(ParseResult parsed, LearnerOptions options) {
    for (OptionSpec option : parsed.matchedOptions()) {
      String problem = problem(option, options);
      if (problem != null) {
        throw new UsageException(option.longestName() + " " + problem);
      }
    }
  }

  private static @Nullable String problem(OptionSpec option, LearnerOptions options) {
    String name = option.longestName();
    boolean ofPaper =
        option.userObject() instanceof Field field
            && field.getDeclaringClass() == PaperOptions.class;
    if (ofPaper && !options.paper) {
      return "is an option of the paper's algorithm: add --paper, or remove " + name;
    }
    if (options.paper && NOT_OF_THE_PAPER.contains(name)) {
      return "is not an option of the paper's algorithm: remove it; --budget limits the core"
          + " points";
    }
    PaperOptions paper = options.paperOptions;
    return switch (name) {
      case "--beta", "--rho" ->
          unless(paper.policy == PaperOptions.Policy.bernoulli, "--policy bernoulli");
      case "--alpha", "--horizon" ->
          unless(paper.iterate == PaperOptions.Iterate.suffix, "--output suffix");
      default -> null;
    };
  }

  private static @Nullable String unless(boolean holds, String needed) {
    return holds ? null : "has no effect without " + needed + ": add that, or remove it";
  }
}
