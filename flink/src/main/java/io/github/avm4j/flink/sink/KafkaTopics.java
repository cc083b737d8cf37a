// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.sink;

import io.github.avm4j.flink.record.BadRecord;
import io.github.avm4j.flink.record.Detection;
import io.github.avm4j.flink.record.Formats;
import io.github.avm4j.flink.record.ModelVersion;
import io.github.avm4j.flink.record.Parsed;
import io.github.avm4j.flink.record.Prediction;
import io.github.avm4j.flink.record.RawRecord;
import io.github.avm4j.flink.record.RecordFormat;
import io.github.avm4j.flink.record.WindowScore;
import io.github.avm4j.pipeline.CellManifest;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Pattern;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.KafkaSourceBuilder;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * Creates Flink sources and sinks of Kafka topics. Sources see committed records only; sinks write
 * in transactions that end with a checkpoint, so readers with {@code
 * isolation.level=read_committed} see everything exactly once. Predictions, detections and bad
 * records may be written at least once instead: at once, and again after a restart.
 */
public final class KafkaTopics {
  private static final byte[] NONE = {};

  /** Kafka's own name of how long a transaction may be open. */
  public static final String TRANSACTION_TIMEOUT = "transaction.timeout.ms";

  /** Kafka's own name of the bytes that a request may have, and with them a record. */
  private static final String LARGEST = "max.request.size";

  /** Bytes that are left for the headers of a bad record: its reason, mostly. */
  private static final int HEADERS = 4 * BadRecord.LONGEST_REASON + 4096;

  /** Below the brokers' default limit of 15 minutes; Flink's default of an hour is refused. */
  public static final String TEN_MINUTES = "600000";

  private final Properties properties;
  private final String job;
  private final DeliveryGuarantee rows;

  /**
   * Topics of a cluster.
   *
   * @param properties of Kafka's clients; {@code bootstrap.servers} at least
   * @param job begins the names of consumer groups and transactions; jobs that share a cluster must
   *     differ in it
   * @param rows how predictions, detections and bad records are written; versions and scores are
   *     always written exactly once
   */
  public KafkaTopics(Map<String, String> properties, String job, DeliveryGuarantee rows) {
    this.properties = new Properties();
    this.properties.putAll(properties);
    this.job = job;
    this.rows = rows;
  }

  /**
   * Records of a topic from given positions on.
   *
   * @param topic name of the topic
   * @param format of the records
   * @param toLatest whether to end at what is there when the job starts
   * @param begin offset of the first record, by {@code topic-partition}, of every partition there
   *     is; empty for the beginning
   * @return the source
   */
  public KafkaSource<Parsed> records(
      String topic, RecordFormat format, boolean toLatest, Map<String, Long> begin) {
    KafkaSourceBuilder<Parsed> source = source(topic, new Records(format));
    Map<TopicPartition, Long> offsets = new HashMap<>();
    begin.forEach(
        (name, offset) -> {
          if (name.matches(Pattern.quote(topic + "-") + "[0-9]{1,9}")) {
            int partition = Integer.parseInt(name.substring(topic.length() + 1));
            offsets.put(new TopicPartition(topic, partition), offset);
          }
        });
    if (!offsets.isEmpty()) {
      source.setStartingOffsets(OffsetsInitializer.offsets(offsets));
    }
    return toLatest ? source.setBounded(OffsetsInitializer.latest()).build() : source.build();
  }

  /**
   * {@return a source of the models of a topic that {@link #models(String)} writes}
   *
   * @param topic name of the topic
   */
  public KafkaSource<ModelVersion> modelSource(String topic) {
    return this.<ModelVersion>source(topic, new ModelFormat(topic)).build();
  }

  private <T> KafkaSourceBuilder<T> source(
      String topic, KafkaRecordDeserializationSchema<T> format) {
    return KafkaSource.<T>builder()
        .setProperties(properties)
        .setProperty("isolation.level", "read_committed")
        .setGroupId(job)
        .setTopics(topic)
        .setStartingOffsets(OffsetsInitializer.earliest())
        .setDeserializer(format);
  }

  /**
   * {@return a sink of models by name, with headers {@code version}, {@code instances} and {@code
   * lineage}; meant for compaction. A model in parts goes to the first partition, so that its parts
   * come before their manifest}
   *
   * @param topic name of the topic
   */
  public KafkaSink<ModelVersion> models(String topic) {
    return sink("models", new ModelFormat(topic));
  }

  /**
   * {@return a sink of learners' files, written as {@link #models(String)} writes models}
   *
   * @param topic name of the topic
   */
  public KafkaSink<ModelVersion> learners(String topic) {
    return sink("learners", new ModelFormat(topic));
  }

  /**
   * {@return a sink of predictions as JSON; class names are those of {@code start}'s file}
   *
   * @param topic name of the topic
   * @param start file of the learner whose class names are used
   */
  public KafkaSink<Prediction> predictions(String topic, byte[] start) {
    return sink("predictions", new PredictionFormat(topic, start.clone()), rows);
  }

  /**
   * {@return a sink of detections as JSON; names of features are those of {@code start}'s file}
   *
   * @param name tells it apart from other sinks of detections of the job
   * @param topic name of the topic
   * @param start file of the detector whose feature names are used
   */
  public KafkaSink<Detection> detections(String name, String topic, byte[] start) {
    return sink(name, new DetectionFormat(topic, start), rows);
  }

  /**
   * {@return a sink of scores as JSON}
   *
   * @param topic name of the topic
   */
  public KafkaSink<WindowScore> scores(String topic) {
    return sink(
        "scores",
        (score, context, time) -> new ProducerRecord<>(topic, null, JsonLines.score(score)));
  }

  /**
   * {@return a sink of bad records as they came, key and value byte for byte, so that they can be
   * replayed; what would be too large for a request is cut, and has a header {@code cut}}
   *
   * @param topic name of the topic
   * @param start file of the learner whose class names are used
   */
  public KafkaSink<BadRecord> badRecords(String topic, byte[] start) {
    int most = Integer.parseInt(properties.getProperty(LARGEST, "1048576"));
    return sink("bad-records", new BadRecordFormat(topic, start.clone(), most), rows);
  }

  private <T> KafkaSink<T> sink(String name, KafkaRecordSerializationSchema<T> format) {
    return sink(name, format, DeliveryGuarantee.EXACTLY_ONCE);
  }

  private <T> KafkaSink<T> sink(
      String name, KafkaRecordSerializationSchema<T> format, DeliveryGuarantee guarantee) {
    Properties producer = new Properties();
    producer.putAll(properties);
    producer.putIfAbsent(TRANSACTION_TIMEOUT, TEN_MINUTES);
    return KafkaSink.<T>builder()
        .setBootstrapServers(properties.getProperty("bootstrap.servers"))
        .setKafkaProducerConfig(producer)
        .setDeliveryGuarantee(guarantee)
        .setTransactionalIdPrefix(job + "-" + name)
        .setRecordSerializer(format)
        .build();
  }

  private static void header(ProducerRecord<byte[], byte[]> record, String key, String value) {
    record.headers().add(key, value.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * {@return a record as it is in its topic}
   *
   * @param record from a consumer
   */
  public static RawRecord raw(ConsumerRecord<byte[], byte[]> record) {
    byte[] key = record.key();
    byte[] value = record.value();
    return new RawRecord(
        record.topic() + "-" + record.partition(),
        record.offset(),
        key == null ? NONE : key,
        value == null ? NONE : value,
        record.timestamp());
  }

  private static final class Records implements KafkaRecordDeserializationSchema<Parsed> {
    private static final long serialVersionUID = 1;

    private final RecordFormat format;

    Records(RecordFormat format) {
      this.format = format;
    }

    @Override
    public void deserialize(ConsumerRecord<byte[], byte[]> record, Collector<Parsed> out) {
      out.collect(format.parse(raw(record)));
    }

    @Override
    public TypeInformation<Parsed> getProducedType() {
      return Formats.PARSED.type();
    }
  }

  private static final class ModelFormat
      implements KafkaRecordDeserializationSchema<ModelVersion>,
          KafkaRecordSerializationSchema<ModelVersion> {
    private static final long serialVersionUID = 1;

    private final String topic;

    ModelFormat(String topic) {
      this.topic = topic;
    }

    @Override
    public ProducerRecord<byte[], byte[]> serialize(
        ModelVersion model, KafkaSinkContext context, @Nullable Long time) {
      byte[] key = model.name().getBytes(StandardCharsets.UTF_8);
      byte @Nullable [] value = model.isPart() && model.file().length == 0 ? null : model.file();
      boolean ordered = model.isPart() || CellManifest.isManifest(model.file());
      ProducerRecord<byte[], byte[]> record =
          new ProducerRecord<>(topic, ordered ? 0 : null, key, value);
      header(record, "version", Long.toString(model.version()));
      header(record, "instances", Long.toString(model.instances()));
      header(record, "lineage", model.lineage());
      return record;
    }

    /**
     * A record without name, number or file (a tombstone) is no model and is passed over. So is a
     * model in parts.
     */
    @Override
    public void deserialize(ConsumerRecord<byte[], byte[]> record, Collector<ModelVersion> out) {
      long version = number(record, "version");
      long instances = number(record, "instances");
      if (record.key() != null && record.value() != null && version >= 0 && instances >= 0) {
        String name = new String(record.key(), StandardCharsets.UTF_8);
        ModelVersion model =
            new ModelVersion(name, text(record, "lineage"), version, instances, record.value());
        if (!model.isPart() && !CellManifest.isManifest(model.file())) {
          out.collect(model);
        }
      }
    }

    private static long number(ConsumerRecord<byte[], byte[]> record, String key) {
      String text = text(record, key);
      return text.matches("[0-9]{1,18}") ? Long.parseLong(text) : -1;
    }

    @Override
    public TypeInformation<ModelVersion> getProducedType() {
      return Formats.MODEL_VERSION.type();
    }
  }

  /** A header as text; empty if it is not there. */
  static String text(ConsumerRecord<byte[], byte[]> record, String key) {
    Header header = record.headers().lastHeader(key);
    return header == null || header.value() == null
        ? ""
        : new String(header.value(), StandardCharsets.UTF_8);
  }

  private static final class PredictionFormat
      implements KafkaRecordSerializationSchema<Prediction> {
    private static final long serialVersionUID = 1;

    private final String topic;
    private final Names names;

    PredictionFormat(String topic, byte[] start) {
      this.topic = topic;
      this.names = new Names(start);
    }

    @Override
    public ProducerRecord<byte[], byte[]> serialize(
        Prediction prediction, KafkaSinkContext context, @Nullable Long time) {
      return new ProducerRecord<>(
          topic,
          prediction.id().getBytes(StandardCharsets.UTF_8),
          JsonLines.prediction(prediction, names.get()));
    }
  }

  private static final class BadRecordFormat implements KafkaRecordSerializationSchema<BadRecord> {
    private static final long serialVersionUID = 1;

    private final String topic;
    private final Names names;
    private final int room;

    BadRecordFormat(String topic, byte[] start, int largest) {
      this.topic = topic;
      this.names = new Names(start);
      this.room = Math.max(0, largest - HEADERS);
    }

    @Override
    public ProducerRecord<byte[], byte[]> serialize(
        BadRecord bad, KafkaSinkContext context, @Nullable Long time) {
      RawRecord raw = bad.record();
      byte[] key = Arrays.copyOf(raw.key(), Math.min(raw.key().length, room / 2));
      byte[] value = Arrays.copyOf(raw.value(), Math.min(raw.value().length, room - key.length));
      ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(topic, key, value);
      header(record, "reason", bad.reason());
      int cut = raw.key().length - key.length + raw.value().length - value.length;
      if (cut > 0) {
        header(record, "cut", Integer.toString(cut));
      }
      header(record, "source", raw.source());
      header(record, "offset", Long.toString(raw.offset()));
      header(record, "time", Long.toString(raw.time()));
      if (!Double.isNaN(bad.label())) {
        header(record, "label", names.get().name(bad.label()));
      }
      return record;
    }
  }
}
