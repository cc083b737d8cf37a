// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** What its operator sees and sets: settings, metrics, the page, models and versions. */
package io.github.avm4j.serve.operate;
