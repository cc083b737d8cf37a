// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** A process that answers with the newest model: its settings, its server and its start. */
package io.github.avm4j.serve;
