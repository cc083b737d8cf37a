// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/**
 * How a request comes in and goes out: admission, body, limits, JSON, tokens, certificates, ids,
 * and its log.
 */
package io.github.avm4j.serve.http;
