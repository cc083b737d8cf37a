// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** The loop from a prediction to its label to learning, in a folder. */
@org.jspecify.annotations.NullMarked
package io.github.avm4j.serve.learn;
