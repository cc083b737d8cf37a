// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** The Open Inference Protocol, version 2: tensors in, tensors out, over REST. */
package io.github.avm4j.serve.tensor;
