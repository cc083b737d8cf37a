// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** Learners as a user sees them; each forwards to an engine in an unexported package. */
@NullMarked
package io.github.avm4j.learner;

import org.jspecify.annotations.NullMarked;
