// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.paper;

/** w_{T+1}: the model after the last step. */
public record LastIterate() implements Output {
  @Override
  public double weight(long t) {
    throw new UnsupportedOperationException("the last iterate is not an average");
  }
}
