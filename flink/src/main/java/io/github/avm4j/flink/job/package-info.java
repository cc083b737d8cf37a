// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** The job: read from a YAML file, assembled, run here or on a cluster. */
@NullMarked
package io.github.avm4j.flink.job;

import org.jspecify.annotations.NullMarked;
