// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink;

import java.nio.file.Path;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamGraph;

/** A Flink cluster in this process. */
public final class LocalCluster implements AutoCloseable {
  private final MiniCluster cluster;

  /** Starts it. */
  public LocalCluster(int slots) throws Exception {
    Configuration options = new Configuration();
    options.setString("rest.port", "0");
    cluster =
        new MiniCluster(
            new MiniClusterConfiguration.Builder()
                .setConfiguration(options)
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(slots)
                .build());
    cluster.start();
  }

  /** An environment as our jobs have it: no Kryo, objects reused, a checkpoint every 100 ms. */
  public static StreamExecutionEnvironment environment(String... options) {
    Configuration all = new Configuration();
    all.setString("pipeline.generic-types", "false");
    all.setString("pipeline.object-reuse", "true");
    all.setString("execution.checkpointing.interval", "100 ms");
    all.setString("restart-strategy.type", "none");
    for (int i = 0; i < options.length; i += 2) {
      all.setString(options[i], options[i + 1]);
    }
    return StreamExecutionEnvironment.getExecutionEnvironment(all);
  }

  /** Submits; the environment is spent then. */
  public JobID submit(StreamExecutionEnvironment env) throws Exception {
    StreamGraph graph = env.getStreamGraph();
    return cluster
        .submitJob(graph.getJobGraph(getClass().getClassLoader(), new JobID()))
        .get()
        .getJobID();
  }

  /** Runs to the end. */
  public void run(StreamExecutionEnvironment env) throws Exception {
    cluster.requestJobResult(submit(env)).get().toJobExecutionResult(getClass().getClassLoader());
  }

  /** Waits for the end of a job. */
  public void await(JobID job) throws Exception {
    cluster.requestJobResult(job).get().toJobExecutionResult(getClass().getClassLoader());
  }

  /** Stops a running job with a savepoint; where that is. */
  public String stop(JobID job, Path folder) throws Exception {
    while (cluster.getJobStatus(job).get() != JobStatus.RUNNING) {
      Thread.sleep(20);
    }
    return cluster
        .stopWithSavepoint(job, folder.toUri().toString(), false, SavepointFormatType.CANONICAL)
        .get();
  }

  /** Ends a job. */
  public void cancel(JobID job) throws Exception {
    cluster.cancelJob(job).get();
  }

  @Override
  public void close() {
    try {
      cluster.close();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
