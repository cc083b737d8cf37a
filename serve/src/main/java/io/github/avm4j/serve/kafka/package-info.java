// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** The server's two ends at Kafka: models come from a topic, feedback goes to one. */
package io.github.avm4j.serve.kafka;
