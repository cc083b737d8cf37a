// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** Isotropic kernels k(‖x − y‖²). */
@NullMarked
package io.github.avm4j.kernel;

import org.jspecify.annotations.NullMarked;
