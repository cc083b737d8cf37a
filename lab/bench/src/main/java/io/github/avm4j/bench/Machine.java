// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.bench;

import io.github.avm4j.internal.simd.VectorOpsProvider;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** What a table of times must say about where it was taken. */
final class Machine {
  private Machine() {}

  /** Processor, cores, JDK, the loops' implementation and the load, on one line. */
  static String describe() {
    return String.format(
        Locale.ROOT,
        "%s, %d cores; JDK %s (%s); %s; %s",
        processor(),
        Runtime.getRuntime().availableProcessors(),
        Runtime.version(),
        System.getProperty("java.vm.vendor"),
        VectorOpsProvider.get().name(),
        load());
  }

  /** The operating system's load average over the last minute. */
  static String load() {
    double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    return String.format(Locale.ROOT, "load average %.1f", load);
  }

  private static String processor() {
    try {
      List<String> lines = Files.readAllLines(Path.of("/proc/cpuinfo"));
      String name = value(lines, "model name");
      return name.isEmpty()
          ? System.getProperty("os.arch")
          : name
              + " (family "
              + value(lines, "cpu family")
              + ", model "
              + value(lines, "model")
              + ")";
    } catch (IOException e) {
      return System.getProperty("os.arch");
    }
  }

  private static String value(List<String> lines, String key) {
    for (String line : lines) {
      int colon = line.indexOf(':');
      if (colon > 0 && line.substring(0, colon).strip().equals(key)) {
        return line.substring(colon + 1).strip();
      }
    }
    return "";
  }
}
