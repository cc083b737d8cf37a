// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import io.github.avm4j.flink.record.BadRecord;
import io.github.avm4j.flink.record.Example;
import io.github.avm4j.flink.record.Formats;
import io.github.avm4j.flink.record.Lineage;
import io.github.avm4j.flink.record.ModelVersion;
import io.github.avm4j.flink.record.Prediction;
import io.github.avm4j.flink.record.WindowScore;
import java.io.Serializable;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;

/**
 * Learning a stream with one learner, in one subtask, as a part of any job. Operators have fixed
 * uids that begin with the name.
 *
 * <pre>{@code
 * StreamLearning learning =
 *     StreamLearning.on(
 *         examples, StreamLearning.settings("flights", start).window(500).predicting(0.9));
 * learning.models().sinkTo(new ModelFolder(URI.create("s3://bucket/models")));
 * }</pre>
 *
 * @param models the versioned models
 * @param learners the same versions as learners' files; empty unless enabled
 * @param predictions the prediction of each example before it was learned from; empty unless
 *     enabled
 * @param scores the prequential scores
 * @param refused the examples that the learner did not accept
 */
public record StreamLearning(
    DataStream<ModelVersion> models,
    DataStream<ModelVersion> learners,
    DataStream<Prediction> predictions,
    DataStream<WindowScore> scores,
    DataStream<BadRecord> refused) {

  /**
   * Settings of learning a stream: a model every 10,000 instances, a score every 1,000, no
   * predictions and no learners, unless set otherwise. Not to be changed once used.
   */
  public static final class Settings implements Serializable {
    private static final long serialVersionUID = 1;

    final String name;
    final StartFiles start;
    Schedule schedule = Schedule.everyInstances(10_000);
    long window = 1000;
    boolean predictions;
    double level;
    double labelShare;
    boolean learners;
    String lineage = Lineage.NONE;
    long version;

    private Settings(String name, StartFiles start) {
      this.name = name;
      this.start = start;
    }

    /**
     * {@return these settings, which publish by a schedule}
     *
     * @param value when to publish
     */
    public Settings publishing(Schedule value) {
      schedule = value;
      return this;
    }

    /**
     * {@return these settings, with scores of windows}
     *
     * @param instances of a score, ≥ 1
     */
    public Settings window(long instances) {
      if (instances < 1) {
        throw new IllegalArgumentException("window must be >= 1, was " + instances);
      }
      window = instances;
      return this;
    }

    /**
     * {@return these settings, which emit predictions}
     *
     * @param coverage of their intervals or prediction sets; 0 for none
     */
    public Settings predicting(double coverage) {
      predictions = true;
      level = coverage;
      return this;
    }

    /**
     * {@return these settings, for examples without labels, which are predicted only}
     *
     * @param share of them to ask a label for; 0 to refuse them
     */
    public Settings asking(double share) {
      labelShare = share;
      return this;
    }

    /** {@return these settings, which publish learners' files too, which can continue learning} */
    public Settings withLearners() {
      learners = true;
      return this;
    }

    /**
     * {@return these settings, after a version that was published before}
     *
     * @param line its lineage, whose versions are numbered on
     * @param number its number
     */
    public Settings after(String line, long number) {
      lineage = line;
      version = number;
      return this;
    }
  }

  /**
   * {@return the default settings}
   *
   * @param name name of the model
   * @param start learner to begin with
   */
  public static Settings settings(String name, StartFiles start) {
    return new Settings(name, start);
  }

  /**
   * Learns from examples, in their order if they come from one subtask.
   *
   * @param examples the labelled examples
   * @param how the settings
   * @return the streams that result
   */
  public static StreamLearning on(DataStream<Example> examples, Settings how) {
    SingleOutputStreamOperator<Prediction> learn =
        examples
            .transform("learn", Formats.PREDICTION.type(), new LearnStream(how))
            .uid(how.name + "-learn")
            .setParallelism(1);
    SingleOutputStreamOperator<ModelVersion> models =
        learn
            .getSideOutput(LearnStream.LEARNER)
            .keyBy(learner -> 0, Types.INT)
            .process(new PublishModel(how), Formats.MODEL_VERSION.type())
            .name("publish")
            .uid(how.name + "-publish")
            .setParallelism(1);
    return new StreamLearning(
        models,
        models.getSideOutput(PublishModel.LEARNERS),
        learn,
        learn.getSideOutput(LearnStream.SCORES),
        learn.getSideOutput(LearnStream.REFUSED));
  }
}
