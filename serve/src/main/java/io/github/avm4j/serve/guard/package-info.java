// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** What stands between the network and the work: limits, shedding, tokens, certificates, ids. */
package io.github.avm4j.serve.guard;
