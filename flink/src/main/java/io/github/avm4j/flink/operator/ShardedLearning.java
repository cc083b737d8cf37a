// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import io.github.avm4j.flink.record.BadRecord;
import io.github.avm4j.flink.record.Example;
import io.github.avm4j.flink.record.Lineage;
import io.github.avm4j.flink.record.ModelVersion;
import io.github.avm4j.flink.record.ModelVersionSerializer;
import io.github.avm4j.flink.record.Prediction;
import io.github.avm4j.flink.record.PredictionSerializer;
import io.github.avm4j.flink.record.ShardUpdate;
import io.github.avm4j.flink.record.ShardUpdateSerializer;
import io.github.avm4j.flink.record.WindowScore;
import io.github.avm4j.flink.record.WindowScoreSerializer;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;

/**
 * Learning one global model on parallel shards, as a part of any job: {@link LearnShard}, a tree of
 * {@link MergeShards}, {@link PublishModel} and {@link GlobalScore}, connected. Operators have
 * fixed uids that begin with the name.
 *
 * <pre>{@code
 * ShardedLearning learning =
 *     ShardedLearning.of("flights", start).shards(4).every(Schedule.everyInstances(10_000)).on(examples);
 * learning.models().sinkTo(new ModelFolder(URI.create("s3://bucket/models")));
 * }</pre>
 */
public final class ShardedLearning {
  private final SingleOutputStreamOperator<ModelVersion> models;
  private final SingleOutputStreamOperator<Prediction> learn;
  private final DataStream<WindowScore> scores;

  private ShardedLearning(
      SingleOutputStreamOperator<ModelVersion> models,
      SingleOutputStreamOperator<Prediction> learn,
      DataStream<WindowScore> scores) {
    this.models = models;
    this.learn = learn;
    this.scores = scores;
  }

  /**
   * {@return a builder of learning under a name, from a start}
   *
   * @param name name of the model
   * @param start learner to begin with
   */
  public static Builder of(String name, StartFiles start) {
    return new Builder(name, start);
  }

  /** {@return the versioned models, merged from all shards} */
  public DataStream<ModelVersion> models() {
    return models;
  }

  /** {@return the same versions as learners' files; empty unless enabled} */
  public DataStream<ModelVersion> learners() {
    return models.getSideOutput(PublishModel.LEARNERS);
  }

  /** {@return the prediction of each example before it was learned from; empty unless enabled} */
  public DataStream<Prediction> predictions() {
    return learn;
  }

  /** {@return the prequential scores of each shard and of all} */
  public DataStream<WindowScore> scores() {
    return scores;
  }

  /** {@return the examples that the learner did not accept} */
  public DataStream<BadRecord> refused() {
    return learn.getSideOutput(LearnShard.REFUSED);
  }

  /** Builder of the settings. */
  public static final class Builder {
    private final String name;
    private final StartFiles start;
    private int shards = 1;
    private Schedule schedule = Schedule.everyInstances(10_000);
    private int fanIn = 8;
    private long window = 1000;
    private boolean predictions;
    private double level;
    private double labels;
    private boolean learners;
    private boolean share = true;
    private boolean resumes;
    private String line = Lineage.NONE;
    private long newest;

    private Builder(String name, StartFiles start) {
      this.name = name;
      this.start = start;
    }

    /**
     * Number of shards; 1 by default.
     *
     * @param value number of shards, ≥ 1
     * @return this builder
     */
    public Builder shards(int value) {
      shards = value;
      return this;
    }

    /**
     * When to merge and publish; every 10,000 instances by default.
     *
     * @param value the schedule
     * @return this builder
     */
    public Builder every(Schedule value) {
      schedule = value;
      return this;
    }

    /**
     * Most children of a node of the merge tree; 8 by default.
     *
     * @param value number of children, ≥ 2
     * @return this builder
     */
    public Builder fanIn(int value) {
      fanIn = value;
      return this;
    }

    /**
     * Instances of a prequential score; 1000 by default.
     *
     * @param value number of instances, ≥ 1
     * @return this builder
     */
    public Builder window(long value) {
      window = value;
      return this;
    }

    /**
     * Whether to emit predictions; not by default.
     *
     * @param value whether to emit predictions
     * @return this builder
     */
    public Builder predictions(boolean value) {
      predictions = value;
      return this;
    }

    /**
     * Coverage of the intervals or prediction sets of predictions; 0, for none, by default.
     *
     * @param value one of the levels that the learner keeps, or 0
     * @return this builder
     */
    public Builder interval(double value) {
      level = value;
      return this;
    }

    /**
     * Share of the examples without a label to ask one for, which are predicted only; 0, to refuse
     * such examples, by default.
     *
     * @param value the share, in [0, 1]
     * @return this builder
     */
    public Builder labelShare(double value) {
      labels = value;
      return this;
    }

    /**
     * Whether to publish learners' files too, which can continue learning; not by default.
     *
     * @param value whether to publish learners
     * @return this builder
     */
    public Builder learners(boolean value) {
      learners = value;
      return this;
    }

    /**
     * Whether several shards begin as copies of a start that has settled, or of the learner of the
     * one shard whose savepoint they go on from; they do by default. Copies keep its core points
     * and forget nothing, so their merge loses little; where old labels become wrong, shards that
     * are each on their own follow better. docs/scale.md has figures.
     *
     * @param value whether shards begin as copies
     * @return this builder
     */
    public Builder share(boolean value) {
      share = value;
      return this;
    }

    /**
     * Declares that the job is started from a savepoint, which must hold a learner then; not by
     * default.
     *
     * @param value whether a savepoint is resumed
     * @return this builder
     */
    public Builder resumes(boolean value) {
      resumes = value;
      return this;
    }

    /**
     * The newest version that was published before. A job that continues this lineage from an older
     * savepoint numbers its versions from there, so that no number is used twice.
     *
     * @param lineage name of the line of versions
     * @param version its newest version
     * @return this builder
     */
    public Builder published(String lineage, long version) {
      line = lineage;
      newest = version;
      return this;
    }

    /**
     * Learns from {@code examples}. If these have as many subtasks as there are shards, each shard
     * takes its own subtask's, in their order and without a shuffle; else round robin.
     *
     * @param examples the labelled examples
     * @return the streams that result
     */
    public ShardedLearning on(DataStream<Example> examples) {
      if (shards > 1) {
        start.requireMergeable();
      }
      SingleOutputStreamOperator<Prediction> learn =
          (examples.getParallelism() == shards ? examples : examples.rebalance())
              .transform(
                  "learn",
                  PredictionSerializer.TYPE,
                  new LearnShard(
                      start, share, schedule, window, predictions, level, labels, resumes))
              .uid(name + "-learn")
              .setParallelism(shards);
      DataStream<WindowScore> scores =
          learn
              .getSideOutput(LearnShard.SCORES)
              .keyBy(score -> 0, Types.INT)
              .process(new GlobalScore(window), WindowScoreSerializer.TYPE)
              .name("scores")
              .uid(name + "-scores")
              .setParallelism(1);
      SingleOutputStreamOperator<ModelVersion> models =
          merge(learn.getSideOutput(LearnShard.UPDATES))
              .keyBy(update -> 0, Types.INT)
              .process(
                  new PublishModel(name, start.file(), learners, line, newest),
                  ModelVersionSerializer.TYPE)
              .name("publish")
              .uid(name + "-publish")
              .setParallelism(1);
      return new ShardedLearning(models, learn, scores);
    }

    private DataStream<ShardUpdate> merge(DataStream<ShardUpdate> fromShards) {
      DataStream<ShardUpdate> updates = fromShards;
      int nodes = shards;
      int level = 0;
      do {
        nodes = (nodes + fanIn - 1) / fanIn;
        MergeShards merge = new MergeShards(fanIn, schedule);
        String stage = "merge-" + ++level;
        updates =
            updates
                .keyBy(merge::node, Types.INT)
                .process(merge, ShardUpdateSerializer.TYPE)
                .name(stage)
                .uid(name + "-" + stage)
                .setParallelism(nodes);
      } while (nodes > 1);
      return updates;
    }
  }
}
