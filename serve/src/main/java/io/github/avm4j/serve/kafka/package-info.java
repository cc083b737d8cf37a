// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** Kafka clients of the server: models are read from a topic, feedback is written to one. */
package io.github.avm4j.serve.kafka;
