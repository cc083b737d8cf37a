// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve;

import io.github.avm4j.serve.guard.Admission;
import io.github.avm4j.serve.repository.ModelRepository;
import io.github.avm4j.serve.repository.ModelSource;
import io.github.avm4j.serve.repository.ScoreBins;
import io.github.avm4j.serve.repository.ServedModel;
import io.github.avm4j.serve.repository.Shelf;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;

/** What is counted, in the form Prometheus reads. Names and meanings: docs/serving.md. */
public final class Measures {
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
  private final MultiGauge version = models("avm_model_version", "Version that answers");
  private final MultiGauge age = models("avm_model_age_seconds", "Time since it was loaded");
  private final MultiGauge instances = models("avm_model_instances", "Instances it learned from");
  private final MultiGauge scores = models("avm_model_scores", "Scores given, by tenth");
  private final MultiGauge shift = models("avm_model_score_shift", "Stability index of the scores");
  private final MultiGauge sources = models("avm_source_up", "1 if the source can be read");

  /** Nothing counted yet. */
  public Measures() {}

  private MultiGauge models(String name, String what) {
    return MultiGauge.builder(name).description(what).register(registry);
  }

  /** Shows these too, as they are when they are asked for. */
  public void watch(ModelRepository repository, Admission admission) {
    Gauge.builder("avm_requests_inside", admission, Admission::inside)
        .description("Requests being worked on")
        .register(registry);
    FunctionCounter.builder("avm_requests_shed", admission, Admission::shed)
        .description("Requests refused for want of room")
        .register(registry);
    FunctionCounter.builder("avm_models_loaded", repository, ModelRepository::loads)
        .description("Versions taken")
        .register(registry);
    FunctionCounter.builder("avm_models_refused", repository, ModelRepository::refusals)
        .description("Versions refused")
        .register(registry);
  }

  /** Counts an answered request. */
  public void request(String endpoint, int status, long nanos) {
    timers
        .computeIfAbsent(endpoint, key -> new ConcurrentHashMap<>())
        .computeIfAbsent(status, key -> timer(endpoint, status))
        .record(nanos, TimeUnit.NANOSECONDS);
  }

  private Timer timer(String endpoint, int status) {
    return Timer.builder("avm_request")
        .description("From a request's headers to its answer")
        .tag("endpoint", endpoint)
        .tag("status", Integer.toString(status))
        .serviceLevelObjectives(BUCKETS)
        .register(registry);
  }

  /** All of it as text. */
  public String scrape(ModelRepository repository, List<ModelSource> from, Clock clock) {
    List<MultiGauge.Row<?>> versions = new ArrayList<>();
    List<MultiGauge.Row<?>> ages = new ArrayList<>();
    List<MultiGauge.Row<?>> learned = new ArrayList<>();
    List<MultiGauge.Row<?>> spread = new ArrayList<>();
    List<MultiGauge.Row<?>> shifts = new ArrayList<>();
    for (Shelf shelf : repository.shelves()) {
      ServedModel model = shelf.current();
      if (model == null) {
        continue;
      }
      Tags tags = Tags.of("model", shelf.name());
      Duration since = Duration.between(model.loaded(), clock.instant());
      versions.add(MultiGauge.Row.of(tags, model.number()));
      // A clock that was set back must not make a model of the future.
      ages.add(MultiGauge.Row.of(tags, Math.max(0, since.toMillis() / 1000.0)));
      learned.add(MultiGauge.Row.of(tags, model.rows().model().provenance().instances()));
      shifts.add(MultiGauge.Row.of(tags, model.bins().shift()));
      for (int b = 0; b < ScoreBins.BINS; b++) {
        spread.add(
            MultiGauge.Row.of(tags.and("tenth", Integer.toString(b)), model.bins().counted(b)));
      }
    }
    List<MultiGauge.Row<?>> up = new ArrayList<>();
    for (ModelSource source : from) {
      up.add(MultiGauge.Row.of(Tags.of("source", source.name()), source.problem() == null ? 1 : 0));
    }
    synchronized (this) {
      version.register(versions, true);
      age.register(ages, true);
      instances.register(learned, true);
      scores.register(spread, true);
      shift.register(shifts, true);
      sources.register(up, true);
      return registry.scrape();
    }
  }
}
