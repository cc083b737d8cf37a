// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** Programs to start from. */
package io.github.avm4j.examples;
