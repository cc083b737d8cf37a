// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** Rows with named columns in, class names out: a schema and a learner or model together. */
@NullMarked
package io.github.avm4j.pipeline;

import org.jspecify.annotations.NullMarked;
