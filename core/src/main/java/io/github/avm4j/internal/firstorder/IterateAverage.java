// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.firstorder;

import io.github.avm4j.internal.newton.Columns;
import io.github.avm4j.paper.LastIterate;
import io.github.avm4j.paper.Output;
import io.github.avm4j.paper.SuffixAverage;
import java.util.Arrays;

/**
 * A weighted sum of iterates, kept without touching more than one coefficient a step.
 *
 * <p>The iterate is w_t = s_{t−1}·A with a scalar s and a vector A that only ever gains single
 * increments a_u. Then Σ_{t≤T} ω(t)·w_t = G_T·A − B, where G_t = Σ_{u≤t} ω(u)·s_{u−1} is a scalar
 * and B gains a_u·G_u beside every a_u gained by A.
 *
 * <p>State: one window for a plain average, two for a streaming suffix (the older one is the
 * output).
 */
public final class IterateAverage {
  /** Shared by columns that have no coefficient yet. */
  private static final double[] EMPTY = {};

  private final Output output;
  private final Window[] windows;
  private long rung;

  /** Sum over the iterates after one starting point. */
  private static final class Window {
    double integral;
    double carry;
    double weight;
    double[][] offset = new double[0][];

    void include(double omega, double scale) {
      // Neumaier's compensated sum: G must stay exact over 10^10 steps.
      double term = omega * scale;
      double sum = integral + term;
      carry += Math.abs(integral) >= Math.abs(term) ? integral - sum + term : term - sum + integral;
      integral = sum;
      weight += omega;
    }

    double total() {
      return integral + carry;
    }

    void restart() {
      integral = 0;
      carry = 0;
      weight = 0;
      for (double[] column : offset) {
        Arrays.fill(column, 0);
      }
    }
  }

  /** An average as {@code output} says, over no iterates yet. */
  public IterateAverage(Output output) {
    this.output = output;
    int count = output instanceof LastIterate ? 0 : isStreaming(output) ? 2 : 1;
    windows = new Window[count];
    Arrays.setAll(windows, i -> new Window());
  }

  private static boolean isStreaming(Output output) {
    return output instanceof SuffixAverage suffix && suffix.isStreaming();
  }

  /** Makes room for {@code columns} coefficient vectors of {@code capacity}. */
  public void reserve(int columns, int capacity) {
    for (Window window : windows) {
      int old = window.offset.length;
      if (old < columns) {
        window.offset = Arrays.copyOf(window.offset, columns);
        for (int c = old; c < columns; c++) {
          window.offset[c] = capacity == 0 ? EMPTY : new double[capacity];
        }
      }
      for (int c = 0; c < columns; c++) {
        if (window.offset[c].length < capacity) {
          window.offset[c] = Arrays.copyOf(window.offset[c], capacity);
        }
      }
    }
  }

  /** Includes w_t = {@code scale}·A; called at step t before A changes. O(1), amortised. */
  public void include(long t, double scale) {
    if (windows.length == 0) {
      return;
    }
    if (windows.length == 2) {
      climb(t - 1);
      windows[0].include(1, scale);
      windows[1].include(1, scale);
    } else {
      windows[0].include(output.weight(t), scale);
    }
  }

  /** Starts a new window at the rung {@code done}, if it is one. */
  private void climb(long done) {
    long next = ((SuffixAverage) output).nextRung(rung);
    if (done >= next) {
      rung = next;
      Window old = windows[0];
      windows[0] = windows[1];
      windows[1] = old;
      old.restart();
    }
  }

  /** A[column][slot] gained {@code increment}. */
  public void add(int column, int slot, double increment) {
    for (Window window : windows) {
      window.offset[column][slot] += increment * window.total();
    }
  }

  /** The unit of A is about to change: B takes over all that G·A holds. O(S), rare. */
  public void settle(double[][] sums, int size) {
    for (Window window : windows) {
      double total = window.total();
      for (int c = 0; c < sums.length; c++) {
        for (int i = 0; i < size; i++) {
          window.offset[c][i] -= total * sums[c][i];
        }
      }
      window.integral = 0;
      window.carry = 0;
    }
  }

  /** Replaces one column of margins f by two, −f/2 and f/2, as the first of several. */
  public void splitFirstColumn() {
    for (Window window : windows) {
      Columns.splitFirst(window.offset);
    }
  }

  /** Whether the output is an average now; if not, it is the last iterate. */
  public boolean isOpen() {
    return windows.length > 0 && windows[0].weight > 0;
  }

  /** G/Σω: what multiplies A in the average. Only when {@link #isOpen()}. */
  public double sumFactor() {
    return windows[0].total() / windows[0].weight;
  }

  /** −1/Σω: what multiplies {@link #offset} in the average. Only when {@link #isOpen()}. */
  public double offsetFactor() {
    return -1 / windows[0].weight;
  }

  /** B of one column; the state itself, to be read only. */
  public double[] offset(int column) {
    return windows[0].offset[column];
  }

  /** Number of windows whose state {@link #window} and {@link #restore} carry. */
  public int windowCount() {
    return windows.length;
  }

  /** The scalars of window {@code w}: integral, carry, weight. */
  public double[] window(int w) {
    return new double[] {windows[w].integral, windows[w].carry, windows[w].weight};
  }

  /** B of window {@code w} and one column; the state itself. */
  public double[] offset(int w, int column) {
    return windows[w].offset[column];
  }

  /** The last rung climbed. */
  public long rung() {
    return rung;
  }

  /** Puts saved scalars back; offsets are written through {@link #offset(int, int)}. */
  public void restore(int w, double[] scalars, long savedRung) {
    windows[w].integral = scalars[0];
    windows[w].carry = scalars[1];
    windows[w].weight = scalars[2];
    rung = savedRung;
  }
}
