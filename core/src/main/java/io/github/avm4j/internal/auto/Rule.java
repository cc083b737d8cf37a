// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

/**
 * The decisions that rest on evidence, one in each row: when a challenger takes the place of what
 * predicts. {@link Challenge} runs all of them.
 *
 * <p>The evidence is the gain: the loss of what predicts less that of the challenger, on the same
 * row, each before it learned from the row. A challenger wins where the mean gain exceeds so many
 * of its standard errors, and a share of the loss; it has lost where the gain is below so many.
 * Otherwise it goes on, at most for so many rows, and then the mean gain alone decides, as a share
 * of the loss. With {@link #NEVER} as its tie it has lost then.
 *
 * <p>Who uses a rule may be stricter: {@link Whole} ends trials of forgetting after a tenth of the
 * stream, {@link Renewal} a trial that only a sudden rise has begun after 100 rows. A cell keeps
 * its evidence when it wins or loses, and is judged again at each look.
 *
 * <p>Bounds are low where a wrong decision is soon corrected (a cell that wins may step back) and
 * high where it is not. The loss of a regression is the squared error. Of classes, kernels are
 * compared by log loss at the temperature that suits each best ({@link Expert#sharpLoss}): mistakes
 * are too rare an evidence, and an engine that skips what it knows is less confident than it could
 * be. Forgetting is compared by log loss as it is ({@link Expert#regret}). Cells and fresh learners
 * are compared by mistakes, because confidence is no merit of theirs. A narrower kernel wins ties,
 * differences below 6 %, because the best kernel of a longer stream is narrower; it has to be of
 * the same family.
 */
enum Rule {
  // Window, first look, looks every; wins at, with a share of, loses at; ends after, tie.
  /** Another kernel, or other scales of features, for the whole space. */
  KERNEL(0, 200, 50, 2.0, 0.00, -2.0, 2000, 0),
  /** The same, narrower. */
  NARROWER(0, 200, 50, 2.0, 0.00, -3.0, 2000, -0.06),
  /** The same, wider. */
  WIDER(0, 200, 50, 2.0, 0.00, -2.0, 2000, 0.06),
  /** Features weighed anew, or no longer, or scaled anew, later in the stream. */
  RELEVANCE(0, 200, 50, 2.0, 0.00, -2.0, 2000, Rule.NEVER),
  /** To forget fast. */
  FORGET(0, 400, 50, 3.0, 0.10, -2.0, Rule.LONG, Rule.NEVER),
  /** To forget slowly, or at another speed than now. */
  FORGET_SLOWLY(0, 400, 50, 3.0, 0.01, -2.0, Rule.LONG, Rule.NEVER),
  /** To forget nothing any more. */
  REMEMBER(0, 400, 50, 2.0, 0.00, -2.0, Rule.LONG, Rule.NEVER),
  /** A cell predicts, or steps back. */
  CELL(500, 60, 20, 1.5, 0.00, 0.0, Rule.LONG, Rule.NEVER),
  /** The same, in a division that is better over all. */
  TRUSTED_CELL(500, 20, 20, 0.0, 0.00, -1.0, Rule.LONG, Rule.NEVER),
  /** A cell learns alone as long as it wins; one that loses is closed. */
  ALONE(500, 200, 20, 2.0, 0.00, -2.0, Rule.LONG, Rule.NEVER),
  /** A division is better over all, so its cells need less evidence; or is not worth another. */
  DIVISION(3_000, 500, 1, 2.0, 0.00, -3.0, Rule.LONG, Rule.NEVER),
  /** A learner that began afresh after losses rose. */
  RENEWAL(500, 100, 20, 3.0, 0.10, Double.NEGATIVE_INFINITY, 2900, Rule.NEVER),
  /** What is right where the other is wrong, on the very last rows, as after an abrupt change. */
  SUDDEN(500, 10, 1, 4.0, 0.50, Double.NEGATIVE_INFINITY, Rule.LONG, Rule.NEVER);

  static final long LONG = Long.MAX_VALUE;
  static final double NEVER = Double.POSITIVE_INFINITY;

  /** Rows that means are taken over, exponentially; 0 for all. */
  final int window;

  /** Rows before the first look. */
  final int first;

  /** Rows between looks; between them nothing is decided. */
  final int every;

  /** The mean gain in standard errors above which it wins. */
  final double wins;

  /** The mean gain as a share of the loss above which it wins; both must hold. */
  final double share;

  /** The mean gain in standard errors below which it loses. */
  final double loses;

  /** Rows after which it ends. */
  final long most;

  /** The mean gain as a share of the loss above which it wins then. */
  final double tie;

  Rule(
      int window,
      int first,
      int every,
      double wins,
      double share,
      double loses,
      long most,
      double tie) {
    this.window = window;
    this.first = first;
    this.every = every;
    this.wins = wins;
    this.share = share;
    this.loses = loses;
    this.most = most;
    this.tie = tie;
  }
}
