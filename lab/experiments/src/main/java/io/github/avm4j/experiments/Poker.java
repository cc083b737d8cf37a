// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments;

import io.github.avm4j.baselines.comparison.Table;
import io.github.avm4j.feature.FeatureVector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Poker hands dealt at random with their exact labels, in place of UCI's million test hands, of
 * which few can be had. Ten features: suit 1–4 and rank 1–13 of five different cards; the ace is
 * rank 1 and ends a straight on either side.
 */
final class Poker {
  private Poker() {}

  /** So many hands, the same for the same seed. */
  static Table deal(int hands, long seed) {
    Random random = new Random(seed);
    int[] deck = new int[52];
    Arrays.setAll(deck, i -> i);
    List<FeatureVector> x = new ArrayList<>(hands);
    List<Double> y = new ArrayList<>(hands);
    for (int h = 0; h < hands; h++) {
      double[] cards = new double[10];
      for (int c = 0; c < 5; c++) {
        int pick = c + random.nextInt(52 - c);
        int card = deck[pick];
        deck[pick] = deck[c];
        deck[c] = card;
        cards[2 * c] = 1 + card / 13;
        cards[2 * c + 1] = 1 + card % 13;
      }
      x.add(FeatureVector.dense(cards));
      y.add((double) label(cards));
    }
    return new Table(x, y);
  }

  /**
   * UCI's classes: 0 nothing, 1 pair, 2 two pairs, 3 three of a kind, 4 straight, 5 flush, 6 full
   * house, 7 four of a kind, 8 straight flush, 9 royal flush.
   */
  static int label(double[] cards) {
    int[] ranks = new int[14];
    boolean flush = true;
    for (int c = 0; c < 5; c++) {
      ranks[(int) cards[2 * c + 1]]++;
      flush &= cards[2 * c] == cards[0];
    }
    int pairs = 0;
    int most = 0;
    for (int count : ranks) {
      pairs += count == 2 ? 1 : 0;
      most = Math.max(most, count);
    }
    boolean royal = ranks[1] == 1 && run(ranks, 10, 13);
    boolean straight = royal || isStraight(ranks);
    if (flush && straight) {
      return royal ? 9 : 8;
    }
    return most == 4
        ? 7
        : most == 3 && pairs == 1 ? 6 : flush ? 5 : straight ? 4 : same(most, pairs);
  }

  private static int same(int most, int pairs) {
    return most == 3 ? 3 : pairs;
  }

  private static boolean isStraight(int[] ranks) {
    for (int low = 1; low <= 9; low++) {
      if (run(ranks, low, low + 4)) {
        return true;
      }
    }
    return false;
  }

  private static boolean run(int[] ranks, int from, int to) {
    for (int r = from; r <= to; r++) {
      if (ranks[r] != 1) {
        return false;
      }
    }
    return true;
  }
}
