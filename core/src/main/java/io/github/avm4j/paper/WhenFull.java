// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.paper;

/** What happens to an instance that needs a new core point when the budget is used up. */
public enum WhenFull {
  /** The nearest core point takes its gradient, however far it is. Counted as absorbed. */
  ABSORB,
  /** Its gradient is dropped; the step counts all the same. Counted as refused. */
  REFUSE
}
