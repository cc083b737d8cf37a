// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.operate;

import io.github.avm4j.follow.Follower;
import io.github.avm4j.model.Provenance;
import io.github.avm4j.serve.feedback.FeedbackErrors;
import io.github.avm4j.serve.feedback.FeedbackEvaluation;
import io.github.avm4j.serve.feedback.LabelRequests;
import io.github.avm4j.serve.http.Admission;
import io.github.avm4j.serve.http.BodyBudget;
import io.github.avm4j.serve.http.Workers;
import io.github.avm4j.serve.learn.LearnThread;
import io.github.avm4j.serve.learn.Learning;
import io.github.avm4j.serve.models.DetectorTally;
import io.github.avm4j.serve.models.ModelRepository;
import io.github.avm4j.serve.models.ServedDetector;
import io.github.avm4j.serve.models.ServedModel;
import io.github.avm4j.serve.models.Shelf;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Metrics of the server in Prometheus' text format. Names and meanings: docs/serving.md. */
public final class Measures implements AutoCloseable {
  private static final Duration[] BUCKETS =
      java.util.stream.LongStream.of(
              100,
              250,
              500,
              1_000,
              2_500,
              5_000,
              10_000,
              25_000,
              50_000,
              100_000,
              250_000,
              500_000,
              1_000_000,
              2_500_000,
              5_000_000,
              10_000_000)
          .mapToObj(micros -> Duration.ofNanos(micros * 1000))
          .toArray(Duration[]::new);

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final ConcurrentMap<String, ConcurrentMap<Integer, Timer>> timers =
      new ConcurrentHashMap<>();
  private final MultiGauge version = models("avm_model_version", "Number of the version in use");
  private final MultiGauge age =
      models("avm_model_age_seconds", "Seconds since the version in use was made");
  private final MultiGauge instances =
      models("avm_model_instances", "Instances that the version in use has learned");
  private final MultiGauge info =
      models("avm_model_in_use", "1; version, lineage and digest of the model, in its labels");
  private final MultiGauge detectors =
      models("avm_detector_version", "Number of the version of the detector in use");
  private final MultiGauge seen =
      models("avm_detector_instances", "Rows the detector has seen, those learned here included");
  private final Set<String> counted = ConcurrentHashMap.newKeySet();
  private final JvmGcMetrics collections = new JvmGcMetrics();
  private final MultiGauge sources = models("avm_source_up", "1 if the source can be read");

  /** Registers the metrics of the Java process. */
  public Measures() {
    // Their names break Prometheus's rules; process_cpu_usage and the machine say the same.
    registry.config().meterFilter(MeterFilter.denyNameStartsWith("process.cpu.time"));
    registry.config().meterFilter(MeterFilter.denyNameStartsWith("system.cpu.count"));
    List<MeterBinder> process =
        List.of(
            new JvmMemoryMetrics(),
            new JvmThreadMetrics(),
            new ClassLoaderMetrics(),
            new ProcessorMetrics(),
            new FileDescriptorMetrics(),
            new UptimeMetrics());
    process.forEach(binder -> binder.bindTo(registry));
    collections.bindTo(registry);
    Gauge.builder("avm_build", () -> 1)
        .tag("version", Provenance.LIBRARY_VERSION)
        .tag("java", Runtime.version().toString())
        .description("1; the versions of this server and its Java, in its labels")
        .register(registry);
  }

  private MultiGauge models(String name, String what) {
    return MultiGauge.builder(name).description(what).register(registry);
  }

  /** Registers the metrics of these parts, read at each scrape. */
  public void watch(
      ModelRepository repository,
      Admission admission,
      BodyBudget bodies,
      Workers workers,
      FeedbackEvaluation evaluation) {
    Gauge.builder("avm_worker_queue", workers, Workers::waiting)
        .description("Large requests that wait for a worker thread")
        .register(registry);
    Gauge.builder("avm_workers_busy", workers, Workers::busy)
        .description("Worker threads that compute")
        .register(registry);
    Gauge.builder("avm_request_bytes_held", bodies, BodyBudget::held)
        .description("Bytes of requests and large replies held")
        .register(registry);
    Gauge.builder("avm_request_bytes_limit", bodies, BodyBudget::limit)
        .description("Most bytes of requests and large replies that may be held")
        .register(registry);
    Gauge.builder("avm_requests_inside", admission, Admission::inside)
        .description("Requests in progress")
        .register(registry);
    Gauge.builder("avm_requests_limit", admission, Admission::limit)
        .description("Most requests that may be in progress now")
        .register(registry);
    FunctionCounter.builder("avm_requests_shed", admission, Admission::shed)
        .description("Requests refused because of overload")
        .register(registry);
    FunctionCounter.builder("avm_models_loaded", repository, ModelRepository::loads)
        .description("Versions of models loaded")
        .register(registry);
    FunctionCounter.builder("avm_models_refused", repository, ModelRepository::refusals)
        .description("Versions of models refused; /v1/models has the reason")
        .register(registry);
    FunctionCounter.builder("avm_models_discarded", repository, ModelRepository::discards)
        .description("Versions of models not used because of their number or lineage")
        .register(registry);
    FunctionCounter.builder("avm_feedback_unmatched", evaluation, FeedbackEvaluation::unmatched)
        .description("Labels whose prediction is not stored, or no longer")
        .register(registry);
  }

  /** Registers the metrics of what is learned here. */
  public void watch(LearnThread learning) {
    counter(
        learning,
        "avm_learn_journal_lost",
        "Lines of the journal that could not be read at the start",
        LearnThread::lost);
    gauge(learning, "avm_learn_queue", "Rows in the queue, to be learned", LearnThread::queued);
    gauge(
        learning,
        "avm_learn_model_seconds",
        "Seconds that making the newest model took; the next one follows after nine times this",
        l -> l.health().modelMillis() / 1e3);
    gauge(
        learning,
        "avm_learn_journal_bytes",
        "Bytes of rows learned since the last save",
        l -> l.health().journalBytes());
    gauge(
        learning,
        "avm_learn_saved_timestamp_seconds",
        "Time of the last save, in seconds since 1970; 0 before the first",
        l -> l.health().savedMillis() / 1e3);
    gauge(
        learning,
        "avm_state_up",
        "1; 0 while the journal or the file of what learns cannot be written",
        l -> l.health().isStored() ? 1 : 0);
    if (learning instanceof Learning rows) {
      watchRows(rows);
    }
  }

  private void watchRows(Learning learning) {
    counter(
        learning,
        "avm_learn_rows",
        "Rows learned, those of earlier starts included",
        l -> l.state().rows());
    counter(
        learning, "avm_learn_refused", "Rows that could not be learned", l -> l.state().refused());
    counter(
        learning,
        "avm_learn_judged",
        "Rows predicted before they were learned, since the start",
        l -> l.state().judged());
    counter(
        learning,
        "avm_learn_loss",
        "Mistakes on rows predicted before they were learned, or squared errors",
        l -> l.state().loss());
    counter(
        learning,
        "avm_learn_baseline_loss",
        "Mistakes of a constant prediction on the same rows, or squared errors",
        l -> l.state().baselineLoss());
    counter(
        learning,
        "avm_learn_unlabelled",
        "Rows whose label did not come in time",
        l -> l.waiting().unlabelled());
    counter(
        learning,
        "avm_learn_dropped",
        "Rows dropped while they waited for a label, because of waiting-size",
        l -> l.waiting().dropped());
    counter(
        learning,
        "avm_learn_late_labels",
        "Labels refused: too late, a second one, or of an unknown id",
        l -> l.waiting().lateLabels());
    gauge(learning, "avm_learn_waiting", "Rows that wait for a label", l -> l.waiting().waiting());
    gauge(
        learning,
        "avm_learn_waiting_bytes",
        "Bytes of the rows that wait for a label",
        l -> l.waiting().bytes());
    gauge(
        learning,
        "avm_learn_model_lag_rows",
        "Rows learned that the model in use does not have yet",
        l -> l.state().rows() - l.state().modelRows());
  }

  private <T> void counter(T learning, String name, String what, ToDoubleFunction<T> value) {
    FunctionCounter.builder(name, learning, value).description(what).register(registry);
  }

  private <T> void gauge(T learning, String name, String what, ToDoubleFunction<T> value) {
    Gauge.builder(name, learning, value).description(what).register(registry);
  }

  /** Records a finished request. */
  public void request(String endpoint, int status, long nanos) {
    timers
        .computeIfAbsent(endpoint, key -> new ConcurrentHashMap<>())
        .computeIfAbsent(status, key -> timer(endpoint, status))
        .record(nanos, TimeUnit.NANOSECONDS);
  }

  private Timer timer(String endpoint, int status) {
    return Timer.builder("avm_request")
        .description("From a request's headers to its response")
        .tag("endpoint", endpoint)
        .tag("status", Integer.toString(status))
        .serviceLevelObjectives(BUCKETS)
        .register(registry);
  }

  /** All metrics as text. */
  public String scrape(
      ModelRepository repository,
      FeedbackEvaluation evaluation,
      LabelRequests labels,
      List<Follower> from,
      Clock clock) {
    Rows rows = new Rows();
    for (Shelf shelf : repository.shelves()) {
      ServedModel model = shelf.current();
      if (model != null) {
        describe(rows, model, clock);
        if (counted.add(shelf.name())) {
          count(shelf.name(), repository, evaluation);
          count(shelf.name(), evaluation, labels);
        }
      }
    }
    for (ServedDetector detector : repository.detectors().all()) {
      Tags tags = Tags.of("model", detector.name());
      rows.add(detectors, tags, detector.number());
      rows.add(seen, tags, detector.instances());
      if (counted.add(detector.name())) {
        count(detector.name(), detector.tally());
      }
    }
    for (Follower source : from) {
      rows.add(sources, Tags.of("source", source.name()), source.problem() == null ? 1 : 0);
    }
    synchronized (this) {
      for (MultiGauge gauge : List.of(version, age, instances, info, sources, detectors, seen)) {
        gauge.register(rows.of(gauge), true);
      }
      return registry.scrape();
    }
  }

  private void describe(Rows rows, ServedModel model, Clock clock) {
    Tags tags = Tags.of("model", model.name());
    Duration since = Duration.between(model.made(), clock.instant());
    rows.add(version, tags, model.number());
    rows.add(
        info,
        tags.and("version", model.version(), "lineage", model.lineage(), "digest", model.digest()),
        1);
    // A clock that was set back must not make a model of the future.
    rows.add(age, tags, Math.max(0, since.toMillis() / 1000.0));
    rows.add(instances, tags, model.rows().model().provenance().instances());
  }

  /** Counters of one model name; that of predictions begins anew with each version. */
  private void count(String model, ModelRepository repository, FeedbackEvaluation evaluation) {
    FunctionCounter.builder("avm_model_predictions", repository, r -> predicted(r.current(model)))
        .description("Rows that the version in use has predicted")
        .tag("model", model)
        .register(registry);
    FunctionCounter.builder("avm_model_judged", evaluation, h -> summary(h, model).judged())
        .description("Predictions whose labels arrived")
        .tag("model", model)
        .register(registry);
    FunctionCounter.builder("avm_model_loss", evaluation, h -> summary(h, model).loss())
        .description("Mistakes on predictions whose labels arrived, or squared errors")
        .tag("model", model)
        .register(registry);
  }

  /** Counters of the labels asked for, and of those that came. */
  private void count(String model, FeedbackEvaluation evaluation, LabelRequests labels) {
    FunctionCounter.builder("avm_model_labels_wanted", labels, from -> from.asked(model))
        .description("Predictions marked wants_label")
        .tag("model", model)
        .register(registry);
    FunctionCounter.builder(
            "avm_model_labels_returned", evaluation, from -> summary(from, model).wanted())
        .description("Predictions marked wants_label whose label arrived")
        .tag("model", model)
        .register(registry);
  }

  /** Counters of the detectors of one name, whatever their version. */
  private void count(String detector, DetectorTally tally) {
    count("avm_detector_rows", "Rows judged", detector, tally, DetectorTally::rows);
    count(
        "avm_detector_alarms", "Rows judged to be alarms", detector, tally, DetectorTally::alarms);
    count(
        "avm_detector_learned",
        "Rows judged and then handed to the detector to learn",
        detector,
        tally,
        DetectorTally::learned);
    count(
        "avm_detector_labels",
        "Rows that a person called an anomaly or normal",
        detector,
        tally,
        DetectorTally::labels);
  }

  private void count(
      String name,
      String what,
      String detector,
      DetectorTally tally,
      ToDoubleFunction<DetectorTally> counter) {
    FunctionCounter.builder(name, tally, counter)
        .description(what)
        .tag("model", detector)
        .register(registry);
  }

  private static double predicted(@Nullable ServedModel model) {
    return model == null ? 0 : model.predicted();
  }

  private static FeedbackErrors.Summary summary(FeedbackEvaluation evaluation, String model) {
    FeedbackErrors errors = evaluation.of(model);
    return errors == null ? new FeedbackErrors.Summary(0, 0, 0, Double.NaN) : errors.summary();
  }

  /** Removes the listeners of the garbage collector. */
  @Override
  public void close() {
    collections.close();
    registry.close();
  }

  /** The values of each gauge. */
  private static final class Rows {
    private final Map<MultiGauge, List<MultiGauge.Row<?>>> all = new HashMap<>();

    void add(MultiGauge gauge, Tags tags, Number value) {
      all.computeIfAbsent(gauge, key -> new ArrayList<>()).add(MultiGauge.Row.of(tags, value));
    }

    List<MultiGauge.Row<?>> of(MultiGauge gauge) {
      return all.getOrDefault(gauge, List.of());
    }
  }
}
