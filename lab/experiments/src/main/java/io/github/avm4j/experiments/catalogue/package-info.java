// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
/**
 * Public data sets by name: what each is, where it comes from, and a checked copy of it. Start at
 * {@link io.github.avm4j.experiments.catalogue.DataCache}.
 */
package io.github.avm4j.experiments.catalogue;
