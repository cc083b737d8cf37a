// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import java.io.File;
import java.util.ArrayList;
import java.util.List;

/** The jars that are submitted with a job: avm4j's, the Kafka connector and their dependencies. */
final class JobJars {
  static final List<String> SHIPPED =
      List.of(
          "avm4j-",
          "flink-connector-kafka",
          "flink-connector-base",
          "kafka-clients",
          "fastcsv",
          "jackson-core",
          "jackson-databind",
          "jackson-annotations",
          "commons-compress",
          "xz-",
          "zstd-jni",
          "lz4-java",
          "snappy-java");

  private JobJars() {}

  /** Those among this process's class path. */
  static String[] onClassPath() {
    return among(List.of(System.getProperty("java.class.path", "").split(File.pathSeparator)));
  }

  /** Those among the entries of a class path. */
  static String[] among(List<String> classPath) {
    List<String> jars = new ArrayList<>();
    for (String entry : classPath) {
      String name = new File(entry).getName();
      if (name.endsWith(".jar") && SHIPPED.stream().anyMatch(name::startsWith)) {
        jars.add(entry);
      }
    }
    return jars.toArray(new String[0]);
  }
}
