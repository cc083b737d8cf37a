// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** Labels of predictions: which are wanted, where they go, and the error that they reveal. */
package io.github.avm4j.serve.feedback;
