// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import io.github.avm4j.flink.record.BadRecord;
import io.github.avm4j.flink.record.Example;
import io.github.avm4j.flink.record.Formats;
import io.github.avm4j.flink.record.ModelVersion;
import io.github.avm4j.flink.record.Prediction;
import io.github.avm4j.flink.record.RoutedExample;
import io.github.avm4j.flink.record.WindowScore;
import java.util.List;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;

/**
 * Learning with one independent learner per cell, as a part of any job: {@link RouteExamples},
 * {@link LearnCells}, {@link AssembleCells} and {@link GlobalScore}, connected. Operators have
 * fixed uids that begin with the name.
 *
 * @param models the versioned models of all cells
 * @param predictions the prediction of each example before it was learned from
 * @param scores the prequential scores of all cells together
 * @param refused the examples that no learner accepted
 */
public record CellLearning(
    DataStream<ModelVersion> models,
    DataStream<Prediction> predictions,
    DataStream<WindowScore> scores,
    DataStream<BadRecord> refused) {

  /**
   * Settings of learning by cells.
   *
   * @param name name of the model
   * @param start the plan
   * @param parallelism of the learners
   * @param schedule when to publish
   * @param window instances of a prequential score
   * @param level coverage of intervals or prediction sets; 0 for none
   * @param lineage of the newest version that was published before; empty if none is known
   * @param version its number
   * @param everywhere whether all outputs of {@link #models} hold that version as their newest
   * @param parts names the outputs of {@link #models} if they are to get {@linkplain
   *     io.github.avm4j.pipeline.CellManifest parts}; empty if they are to get wholes
   * @param listed keys of the parts that the newest version lists which was published before; those
   *     of another plan are ended after the first version of this one
   */
  public record Settings(
      String name,
      CellStart start,
      int parallelism,
      Schedule schedule,
      long window,
      double level,
      String lineage,
      long version,
      boolean everywhere,
      String parts,
      List<String> listed) {}

  /**
   * Learns from examples.
   *
   * @param examples the labelled examples
   * @param how the settings
   * @return the streams that result
   */
  public static CellLearning on(DataStream<Example> examples, Settings how) {
    SingleOutputStreamOperator<RoutedExample> routed =
        examples
            .process(new RouteExamples(how.start), Formats.ROUTED_EXAMPLE.type())
            .name("route")
            .uid(how.name + "-route")
            .setParallelism(examples.getParallelism());
    SingleOutputStreamOperator<Prediction> learn =
        routed
            .keyBy(RoutedExample::cell, Types.INT)
            .process(
                new LearnCells(how.start, how.schedule, how.window, how.level),
                Formats.PREDICTION.type())
            .name("learn-cells")
            .uid(how.name + "-learn-cells")
            .setParallelism(how.parallelism);
    DataStream<WindowScore> scores =
        learn
            .getSideOutput(LearnCells.SCORES)
            .keyBy(score -> 0, Types.INT)
            .process(new GlobalScore(how.window), Formats.WINDOW_SCORE.type())
            .name("scores")
            .uid(how.name + "-scores")
            .setParallelism(1);
    DataStream<ModelVersion> models =
        learn
            .getSideOutput(LearnCells.UPDATES)
            .keyBy(update -> 0, Types.INT)
            .process(
                new AssembleCells(
                    how.name,
                    how.start,
                    how.schedule,
                    how.lineage,
                    how.version,
                    how.everywhere,
                    how.parts,
                    how.listed),
                Formats.MODEL_VERSION.type())
            .name("publish")
            .uid(how.name + "-assemble")
            .setParallelism(1);
    DataStream<BadRecord> refused =
        routed.getSideOutput(RouteExamples.REFUSED).union(learn.getSideOutput(LearnCells.REFUSED));
    return new CellLearning(models, learn, scores, refused);
  }
}
