// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.config;

/** Kind of prediction: a class or a number. */
public enum Task {
  /** A label: one of two or many classes. */
  CLASSIFICATION,
  /** A number. */
  REGRESSION
}
