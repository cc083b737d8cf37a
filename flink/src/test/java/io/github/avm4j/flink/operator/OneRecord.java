// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import io.github.avm4j.fixtures.TestStream;
import io.github.avm4j.flink.TestRecords;
import io.github.avm4j.flink.record.Example;
import io.github.avm4j.flink.record.Formats;
import io.github.avm4j.flink.record.Parsed;
import io.github.avm4j.flink.record.Prediction;
import io.github.avm4j.flink.sink.KafkaTopics;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.ProcessOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Takes records from a topic's bytes to those of their predictions, by all that a job of one
 * learner chains between: what {@link StationsTest} looks at.
 */
final class OneRecord {
  private final KafkaRecordDeserializationSchema<Parsed> read;
  private final OneInputStreamOperatorTestHarness<Parsed, Example> sort;
  private final OneInputStreamOperatorTestHarness<Example, Prediction> learn;
  private final OneInputStreamOperatorTestHarness<Prediction, Prediction> deadline;
  private final KafkaRecordSerializationSchema<Prediction> write;

  @SuppressWarnings("unchecked")
  private OneRecord() throws Exception {
    StartFiles start = TestRecords.start();
    Map<String, String> nowhere = Map.of("bootstrap.servers", "localhost:1");
    KafkaTopics topics = new KafkaTopics(nowhere, "job", DeliveryGuarantee.EXACTLY_ONCE);
    read =
        (KafkaRecordDeserializationSchema<Parsed>)
            part(
                topics.records("in", TestRecords.format(), false, Map.of()),
                "deserializationSchema");
    write =
        (KafkaRecordSerializationSchema<Prediction>)
            part(topics.predictions("out", start.file()), "recordSerializer");
    sort = open(new ProcessOperator<>(new SortRecords(start.file())), Formats.EXAMPLE.type());
    StreamLearning.Settings settings = StreamLearning.settings("job", start).predicting(0.9);
    learn = open(new LearnStream(settings), Formats.PREDICTION.type());
    deadline = open(new CommitDeadline<>(Duration.ofHours(1)), Formats.PREDICTION.type());
  }

  private static Object part(Object whole, String name) throws ReflectiveOperationException {
    Field field = whole.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field.get(whole);
  }

  private static <I, O> OneInputStreamOperatorTestHarness<I, O> open(
      OneInputStreamOperator<I, O> operator, TypeInformation<O> type) throws Exception {
    var harness = new OneInputStreamOperatorTestHarness<>(operator);
    harness.setup(type.createSerializer(harness.getExecutionConfig().getSerializerConfig()));
    harness.open();
    return harness;
  }

  /** The debugger waits for the second call of this. */
  private void pass(long i) throws Exception {
    byte[] value = TestStream.line(i).getBytes(StandardCharsets.UTF_8);
    List<Parsed> parsed = new ArrayList<>();
    read.deserialize(new ConsumerRecord<>("in", 0, i, new byte[] {1}, value), collect(parsed));
    Example example = through(sort, parsed.get(0));
    Prediction prediction = through(deadline, through(learn, example));
    write.serialize(prediction, null, i);
  }

  private static <I, O> O through(OneInputStreamOperatorTestHarness<I, O> harness, I value)
      throws Exception {
    harness.processElement(new StreamRecord<>(value));
    O out = harness.extractOutputValues().get(0);
    harness.getOutput().clear();
    return out;
  }

  private static <T> Collector<T> collect(List<T> into) {
    return new Collector<>() {
      @Override
      public void collect(T one) {
        into.add(one);
      }

      @Override
      public void close() {}
    };
  }

  /** The debugger begins here. */
  static void begin() {}

  /** The debugger ends here. */
  static void end() {}

  /** The first records make what is made once. */
  public static void main(String[] args) throws Exception {
    OneRecord record = new OneRecord();
    for (long i = 0; i < 20; i++) {
      record.pass(i);
    }
    begin();
    record.pass(20);
    end();
  }
}
