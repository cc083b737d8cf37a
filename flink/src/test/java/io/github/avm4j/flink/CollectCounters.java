// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink;

import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Metric;
import org.apache.flink.metrics.MetricConfig;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.reporter.MetricReporter;
import org.apache.flink.metrics.reporter.MetricReporterFactory;

/** Keeps the counters of a cluster in this process, also those of jobs that have ended. */
public final class CollectCounters {
  private static final Map<String, Map<String, List<Counter>>> ALL = new ConcurrentHashMap<>();
  private static final String NAME = "collect";
  private static final String ID = "id";

  private final String id = UUID.randomUUID().toString();

  /** None so far. */
  public CollectCounters() {
    ALL.put(id, new ConcurrentHashMap<>());
  }

  /** Options of the {@link LocalCluster} whose counters are kept. */
  public String[] options() {
    String reporter = "metrics.reporter." + NAME + ".";
    return new String[] {
      reporter + "factory.class", Factory.class.getName(), reporter + ID, id,
    };
  }

  /** How many counters have this name. */
  public int count(String name) {
    return named(name).size();
  }

  /** The sum of all counters of this name. */
  public long sum(String name) {
    return named(name).stream().mapToLong(Counter::getCount).sum();
  }

  private List<Counter> named(String name) {
    return ALL.get(id).getOrDefault(name, List.of());
  }

  /** Makes the reporter; found by the name of this class as a service. */
  public static final class Factory implements MetricReporterFactory {
    /** For the service loader. */
    public Factory() {}

    @Override
    public MetricReporter createMetricReporter(Properties properties) {
      return new Reporter();
    }
  }

  private static final class Reporter implements MetricReporter {
    private Map<String, List<Counter>> counters = new ConcurrentHashMap<>();

    @Override
    public void open(MetricConfig config) {
      counters = ALL.get(config.getString(ID, ""));
    }

    @Override
    public void close() {}

    @Override
    public void notifyOfAddedMetric(Metric metric, String name, MetricGroup group) {
      if (metric instanceof Counter counter) {
        counters.computeIfAbsent(name, key -> new CopyOnWriteArrayList<>()).add(counter);
      }
    }

    @Override
    public void notifyOfRemovedMetric(Metric metric, String name, MetricGroup group) {}
  }
}
