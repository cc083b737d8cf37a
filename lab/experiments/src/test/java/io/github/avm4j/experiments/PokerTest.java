// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.avm4j.baselines.comparison.Table;
import org.junit.jupiter.api.Test;

class PokerTest {
  /** All 2,598,960 hands: the counts every book on poker has. */
  @Test
  void everyHandHasItsLabel() {
    long[] counts = new long[10];
    double[] cards = new double[10];
    for (int a = 0; a < 52; a++) {
      card(cards, 0, a);
      for (int b = a + 1; b < 52; b++) {
        card(cards, 1, b);
        for (int c = b + 1; c < 52; c++) {
          card(cards, 2, c);
          for (int d = c + 1; d < 52; d++) {
            card(cards, 3, d);
            for (int e = d + 1; e < 52; e++) {
              card(cards, 4, e);
              counts[Poker.label(cards)]++;
            }
          }
        }
      }
    }
    assertArrayEquals(
        new long[] {1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 36, 4}, counts);
  }

  private static void card(double[] cards, int place, int card) {
    cards[2 * place] = 1 + card / 13;
    cards[2 * place + 1] = 1 + card % 13;
  }

  @Test
  void handsAreFiveDifferentCardsAndTheSeedDecides() {
    Table hands = Poker.deal(20_000, 5);
    Table same = Poker.deal(20_000, 5);
    int pairs = 0;
    for (int i = 0; i < hands.size(); i++) {
      double[] cards = hands.x().get(i).values();
      assertArrayEquals(cards, same.x().get(i).values());
      assertEquals(Poker.label(cards), hands.y(i));
      long different = 0;
      for (int p = 0; p < 5; p++) {
        different |= 1L << (int) (13 * (cards[2 * p] - 1) + cards[2 * p + 1] - 1);
      }
      assertEquals(5, Long.bitCount(different));
      pairs += hands.y(i) == 1 ? 1 : 0;
    }
    assertEquals(0.4226, pairs / 20_000.0, 0.015);
  }
}
