// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.cluster;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Where the processes of a cluster show their metrics to Prometheus. Flink's reporter listens on
 * all interfaces, so there are none unless somebody asks for them.
 */
public final class MetricPorts {
  /** The JobManager among names of processes. */
  public static final String JOB_MANAGER = "jobmanager";

  private final Map<String, Integer> ports = new TreeMap<>();

  /** No metrics. */
  public MetricPorts() {}

  /** A port for the JobManager and each of {@code workers} TaskManagers. */
  public MetricPorts(int workers) throws IOException {
    ports.put(JOB_MANAGER, KafkaBroker.freePort());
    for (int w = 0; w < workers; w++) {
      ports.put(FlinkProcesses.worker(w), KafkaBroker.freePort());
    }
  }

  /** Lines of Flink's configuration. */
  String configuration() {
    return ports.isEmpty()
        ? ""
        : """
          metrics.reporter.prom.factory.class: org.apache.flink.metrics.prometheus.PrometheusReporterFactory
          metrics.reporter.prom.port: %d
          """
            .formatted(ports.get(JOB_MANAGER));
  }

  /** Arguments of a TaskManager, which has a port of its own. */
  List<String> arguments(String worker) {
    return ports.isEmpty()
        ? List.of()
        : List.of("-D", "metrics.reporter.prom.port=" + ports.get(worker));
  }

  /** HOST:PORT of a process, as Prometheus names it. */
  public String target(String process) {
    return "localhost:" + ports.get(process);
  }

  /** HOST:PORT of all. */
  public List<String> targets() {
    return ports.keySet().stream().map(this::target).toList();
  }
}
