// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.option;

import io.github.avm4j.cli.failure.UsageException;
import java.lang.reflect.Field;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** Refuses options of a learner that another choice on the same line leaves without effect. */
public final class UnusedOptions {
  private static final Set<String> NOT_OF_THE_PAPER = Set.of("--fine", "--memory", "--forgetting");

  private UnusedOptions() {}

  /**
   * Checks the options that were given.
   *
   * @throws UsageException naming the first that would be ignored, and what to do
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
      return "belongs to the paper's algorithm: add --paper, or leave " + name + " out";
    }
    if (options.paper && NOT_OF_THE_PAPER.contains(name)) {
      return "does not go with --paper, which has no such thing: leave it out; --budget bounds the"
          + " core points";
    }
    PaperOptions paper = options.paperOptions;
    return switch (name) {
      case "--beta", "--rho" ->
          unless(paper.policy == PaperOptions.Policy.bernoulli, "--policy bernoulli");
      case "--alpha", "--horizon" ->
          unless(paper.answer == PaperOptions.Answer.suffix, "--output suffix");
      case "--tau" -> unless(isLoss(options, "smooth-hinge"), "--loss smooth-hinge");
      case "--threshold" -> unless(isLoss(options, "huber"), "--loss huber");
      case "--epsilon" ->
          unless(
              isLoss(options, "epsilon-insensitive") || options.paper && options.loss == null,
              "--loss epsilon-insensitive");
      default -> null;
    };
  }

  private static boolean isLoss(LearnerOptions options, String name) {
    return options.loss != null
        && options.loss.toLowerCase(Locale.ROOT).replace('_', '-').equals(name);
  }

  private static @Nullable String unless(boolean holds, String needed) {
    return holds ? null : "has no effect without " + needed + ": add that, or leave it out";
  }
}
