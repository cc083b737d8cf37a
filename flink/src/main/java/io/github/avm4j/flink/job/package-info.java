// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** Jobs: read from a YAML file, assembled, and run in this process or on a cluster. */
@NullMarked
package io.github.avm4j.flink.job;

import org.jspecify.annotations.NullMarked;
