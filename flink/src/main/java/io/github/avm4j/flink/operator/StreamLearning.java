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
 *     StreamLearning.on(examples, StreamLearning.settings("flights", start));
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
   * Settings of learning a stream.
   *
   * @param name name of the model
   * @param start learner to begin with
   * @param schedule when to publish
   * @param window instances of a prequential score
   * @param predictions whether to emit predictions
   * @param level coverage of their intervals or prediction sets; 0 for none
   * @param labelShare share of the examples without a label to ask one for, which are predicted
   *     only; 0 to refuse them
   * @param learners whether to publish learners' files too, which can continue learning
   * @param resumes whether the job is started from a savepoint, which must hold a learner then
   * @param lineage of the newest version that was published before; empty if none is known
   * @param version its number: versions of the same line are numbered from there on
   */
  public record Settings(
      String name,
      StartFiles start,
      Schedule schedule,
      long window,
      boolean predictions,
      double level,
      double labelShare,
      boolean learners,
      boolean resumes,
      String lineage,
      long version)
      implements Serializable {}

  /**
   * {@return settings that publish a model every 10,000 instances, and a score every 1,000}
   *
   * @param name name of the model
   * @param start learner to begin with
   */
  public static Settings settings(String name, StartFiles start) {
    Schedule schedule = Schedule.everyInstances(10_000);
    return new Settings(name, start, schedule, 1000, false, 0, 0, false, false, Lineage.NONE, 0);
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
