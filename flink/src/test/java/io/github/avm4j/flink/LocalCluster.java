// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink;

import io.github.avm4j.fixtures.FlinkRest;
import io.github.avm4j.fixtures.Waiting;
import java.nio.file.Path;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.execution.ExecutionState;
import org.apache.flink.runtime.executiongraph.AccessExecutionGraph;
import org.apache.flink.runtime.executiongraph.AccessExecutionVertex;
import org.apache.flink.runtime.executiongraph.ErrorInfo;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamGraph;

/** A Flink cluster in this process. */
public final class LocalCluster implements AutoCloseable {
  private final MiniCluster cluster;

  /** Starts it with these options: a name, a value, the next name. */
  public LocalCluster(int slots, String... more) throws Exception {
    Configuration options = new Configuration();
    options.setString("rest.port", "0");
    // A call lasts as long as what it asks for, as a savepoint on a busy machine.
    options.setString("pekko.ask.timeout", Waiting.PATIENCE.toMinutes() + " min");
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
   * Stops a job with a savepoint, once no task of it is still starting; where that is. A job with a
   * source that may end meanwhile cannot be stopped safely: a task that is just ending declines the
   * savepoint, and Flink fails the job.
   */
  public String stop(JobID job, Path folder) throws Exception {
    Waiting.until("running tasks", () -> allRun(job));
    return cluster
        .stopWithSavepoint(job, folder.toUri().toString(), false, SavepointFormatType.CANONICAL)
        .get();
  }

  private boolean allRun(JobID job) throws Exception {
    AccessExecutionGraph graph = cluster.getExecutionGraph(job).get();
    if (graph.getState().isTerminalState()) {
      ErrorInfo why = graph.getFailureInfo();
      throw new IllegalStateException(
          graph.getState() + (why == null ? "" : ": " + why.getExceptionAsString()));
    }
    // A job that is not made yet has no tasks.
    boolean all = graph.getState() == JobStatus.RUNNING;
    for (AccessExecutionVertex task : graph.getAllExecutionVertices()) {
      ExecutionState state = task.getExecutionState();
      all &= state == ExecutionState.RUNNING || state == ExecutionState.FINISHED;
    }
    return all;
  }

  /** Whether a job is running: not failed, not starting anew. */
  public boolean isRunning(JobID job) throws Exception {
    return cluster.getJobStatus(job).get() == JobStatus.RUNNING;
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
