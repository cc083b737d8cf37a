// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.measure;

import io.github.avm4j.flink.operator.StartFiles;
import io.github.avm4j.flink.operator.StreamLearning;
import io.github.avm4j.flink.record.Example;
import io.github.avm4j.flink.record.Formats;
import io.github.avm4j.flink.record.RawRecord;
import java.util.Locale;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/**
 * What it costs that an example carries the record it was read from, which a bad record must give
 * back: the same job with and without that record, where operators are chained and where examples
 * are sent from one task to another (as by a key, a label that comes apart, or an input of another
 * parallelism). Arguments: records per run, rounds.
 *
 * <p>Every time is (T(n) − T(n/4)) / (3n/4), as in {@link EngineTax}; the rounds of all kinds
 * alternate, the first is not counted, and medians are taken over the others.
 */
public final class OriginCost {
  /** Bytes of a number and its delimiter in a line of text. */
  private static final int BYTES = 9;

  private final int d;
  private final int n;
  private final StartFiles start;

  OriginCost(int d, int n) {
    this.d = d;
    this.n = n;
    this.start = EngineTax.start(d, n);
  }

  /** Prints a table: a row per dimension and path of the examples. */
  public static void main(String[] args) throws Exception {
    int n = args.length > 0 ? Integer.parseInt(args[0]) : 200_000;
    int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 5;
    System.out.println("| d | path | without µs | with µs | with/without |");
    System.out.println("|--:|---|--:|--:|--:|");
    for (int d : new int[] {8, 100}) {
      System.out.print(rows(d, n, rounds));
    }
  }

  private static String rows(int d, int n, int rounds) throws Exception {
    OriginCost cost = new OriginCost(d, n);
    StringBuilder text = new StringBuilder();
    text.append(cost.row("chained, learned from", false, true, rounds));
    text.append(cost.row("sent, learned from", true, true, rounds));
    text.append(cost.row("sent alone", true, false, rounds));
    return text.toString();
  }

  private String row(String path, boolean sent, boolean learned, int rounds) throws Exception {
    double[] without = new double[rounds];
    double[] with = new double[rounds];
    for (int r = -1; r < rounds; r++) {
      double plain = slope(false, sent, learned);
      double carried = slope(true, sent, learned);
      if (r >= 0) {
        without[r] = plain;
        with[r] = carried;
      }
    }
    double before = EngineTax.median(without);
    double after = EngineTax.median(with);
    return String.format(
        Locale.ROOT, "| %d | %s | %.2f | %.2f | %.2f |%n", d, path, before, after, after / before);
  }

  /** Microseconds per record. */
  private double slope(boolean carried, boolean sent, boolean learned) throws Exception {
    double part = seconds(n / 4, carried, sent, learned);
    return (seconds(n, carried, sent, learned) - part) * 1e6 / (n - n / 4);
  }

  /** Net seconds of one job. */
  double seconds(int count, boolean carried, boolean sent, boolean learned) throws Exception {
    Configuration options = new Configuration();
    options.setString("pipeline.object-reuse", "true");
    options.setString("pipeline.generic-types", "false");
    options.setString("rest.port", "0");
    var env = StreamExecutionEnvironment.createLocalEnvironment(1, options);
    int features = d;
    DataStream<Example> examples =
        env.fromSource(
            new DataGeneratorSource<>(
                i -> example(i, features, carried), count, Formats.EXAMPLE.type()),
            WatermarkStrategy.noWatermarks(),
            "examples");
    DataStream<Example> there = sent ? examples.rebalance() : examples;
    if (learned) {
      StreamLearning.on(there, StreamLearning.settings("cost", start))
          .models()
          .sinkTo(new DiscardingSink<>());
    } else {
      there.sinkTo(new DiscardingSink<>());
    }
    return env.execute().getNetRuntime() / 1e3;
  }

  private static Example example(long i, int d, boolean carried) {
    Example e = EngineTax.example(i, d);
    RawRecord origin =
        carried ? new RawRecord("rows-0", i, new byte[0], new byte[BYTES * d], i) : null;
    return new Example(e.id(), e.key(), e.x(), e.y(), e.weight(), e.time(), origin);
  }
}
