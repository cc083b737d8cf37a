// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** Settings of learners, checked when they are made. */
@NullMarked
package io.github.avm4j.config;

import org.jspecify.annotations.NullMarked;
