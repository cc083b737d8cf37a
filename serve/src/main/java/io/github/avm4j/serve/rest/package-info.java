// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** Plain JSON endpoints: predictions and explanations of rows, feedback, and the list of models. */
package io.github.avm4j.serve.rest;
