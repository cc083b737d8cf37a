// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** Plain JSON endpoints: rows in, answers and explanations out; feedback; the models themselves. */
package io.github.avm4j.serve.rest;
