// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class BodyBudgetTest {
  private final BodyBudget budget = new BodyBudget(100);

  @Test
  void repliesLeaveHalfOfItToRequests() {
    assertTrue(budget.reserveReply(30));
    assertTrue(budget.reserveReply(20));
    assertFalse(budget.reserveReply(1));
    assertTrue(budget.reserve(50));
    assertFalse(budget.reserve(1));
    budget.releaseReply(20);
    assertFalse(budget.reserveReply(21));
    assertTrue(budget.reserveReply(20));
    assertEquals(100, budget.held());
  }

  @Test
  void oneReplyMayTakeMore() {
    assertTrue(budget.reserveReply(90));
    assertFalse(budget.reserveReply(5));
    assertFalse(budget.reserve(11));
    budget.releaseReply(90);
    assertTrue(budget.reserve(60));
    assertFalse(budget.reserveReply(41));
    assertEquals(60, budget.held());
  }
}
