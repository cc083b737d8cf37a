// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.kafka;

import io.github.avm4j.serve.ServeConfig;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/** Settings of both Kafka clients. */
final class Clients {
  private Clients() {}

  /** The brokers' addresses and the settings of the file. */
  static Properties properties(ServeConfig.Kafka kafka) throws IOException {
    Properties properties = new Properties();
    Path file = kafka.config();
    if (file != null) {
      try (Reader reader = Files.newBufferedReader(file)) {
        properties.load(reader);
      }
    }
    properties.put("bootstrap.servers", kafka.brokers());
    properties.put("client.id", "avm-serve");
    return properties;
  }
}
