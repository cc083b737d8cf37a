// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** Kernel learning on streams. */
module io.github.avm4j.core {
  requires static jdk.incubator.vector;
  requires static org.jspecify;
}
