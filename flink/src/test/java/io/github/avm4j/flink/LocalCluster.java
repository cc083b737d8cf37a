// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink;

import io.github.avm4j.flink.cluster.FlinkRest;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.checkpoint.CheckpointException;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamGraph;

/** A Flink cluster in this process. */
public final class LocalCluster implements AutoCloseable {
  private static final int TRIES = 5;

  private final MiniCluster cluster;

  /** Starts it with these options: a name, a value, the next name. */
  public LocalCluster(int slots, String... more) throws Exception {
    Configuration options = new Configuration();
    options.setString("rest.port", "0");
    for (int i = 0; i < more.length; i += 2) {
      options.setString(more[i], more[i + 1]);
    }
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

  /** Its REST endpoint. */
  public FlinkRest rest() throws Exception {
    return new FlinkRest(cluster.getRestAddress().get().getPort());
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

  /**
   * Stops a running job with a savepoint; where that is. While tasks are starting, Flink refuses
   * and the job goes on: then it is asked again. A job with a source that may end meanwhile cannot
   * be stopped safely: a task that is just ending declines the savepoint, and Flink fails the job.
   */
  public String stop(JobID job, Path folder) throws Exception {
    for (int tries = 1; ; tries++) {
      try {
        return stopNow(job, folder);
      } catch (ExecutionException e) {
        if (!(e.getCause() instanceof CheckpointException) || tries == TRIES) {
          throw e;
        }
        Thread.sleep(100);
      }
    }
  }

  private String stopNow(JobID job, Path folder) throws Exception {
    for (JobStatus status = cluster.getJobStatus(job).get();
        status != JobStatus.RUNNING;
        status = cluster.getJobStatus(job).get()) {
      if (status.isTerminalState()) {
        await(job);
        throw new IllegalStateException("the job is " + status);
      }
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
