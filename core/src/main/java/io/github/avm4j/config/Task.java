// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.config;

/** What a learner answers with. */
public enum Task {
  /** A label: one of two or many classes. */
  CLASSIFICATION,
  /** A number. */
  REGRESSION
}
