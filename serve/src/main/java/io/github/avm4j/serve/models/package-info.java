// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/**
 * Models and detectors by name and version: where they come from, how they are checked, which one
 * predicts.
 */
package io.github.avm4j.serve.models;
