// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.flink.record.Example;
import io.github.avm4j.testkit.LateLabelChecks;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.flink.api.common.functions.DefaultOpenContext;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.streaming.api.TimeDomain;
import org.apache.flink.streaming.api.TimerService;
import org.apache.flink.streaming.api.functions.co.KeyedCoProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The join of a job obeys the contract of late labels, as {@code Pending} does. The function alone
 * is driven here, with states, timers and a watermark of the test's; it in a job is tested by
 * {@code KeyedAndScoringTest}.
 */
class JoinLabelsContractTest {
  @TestFactory
  Stream<DynamicTest> contract() {
    return LateLabelChecks.of(Driven::new).entrySet().stream()
        .map(check -> DynamicTest.dynamicTest(check.getKey(), check.getValue()));
  }

  private static final class Driven implements LateLabelChecks.Join, TimerService {
    private final Map<String, Example> states = new HashMap<>();
    private final TreeMap<Long, TreeSet<String>> timers = new TreeMap<>();
    private final List<String> learned = new ArrayList<>();
    private final List<Example> unlabelled = new ArrayList<>();
    private final List<Example> late = new ArrayList<>();
    private JoinLabels join = opened();
    private String key = "";
    private long now = 1_000_000;

    private JoinLabels opened() {
      JoinLabels fresh = new JoinLabels(LateLabelChecks.WITHIN);
      fresh.setRuntimeContext(
          (RuntimeContext)
              Proxy.newProxyInstance(
                  RuntimeContext.class.getClassLoader(),
                  new Class<?>[] {RuntimeContext.class},
                  (proxy, method, arguments) ->
                      switch (method.getName()) {
                        case "getState" ->
                            new State(((ValueStateDescriptor<?>) arguments[0]).getName());
                        case "getMetricGroup" ->
                            UnregisteredMetricsGroup.createOperatorMetricGroup();
                        default -> throw new UnsupportedOperationException(method.getName());
                      }));
      fresh.open(DefaultOpenContext.INSTANCE);
      return fresh;
    }

    /** The state of a name for the key of now. */
    private final class State implements ValueState<Example> {
      private final String name;

      State(String name) {
        this.name = name;
      }

      @Override
      public Example value() {
        return states.get(name + " " + key);
      }

      @Override
      public void update(Example value) {
        states.put(name + " " + key, value);
      }

      @Override
      public void clear() {
        states.remove(name + " " + key);
      }
    }

    private void output(OutputTag<?> tag, Object one) {
      (tag.equals(JoinLabels.LATE) ? late : unlabelled).add((Example) one);
    }

    private Collector<Example> out() {
      return new Collector<>() {
        @Override
        public void collect(Example one) {
          learned.add((int) one.x().get(0) + "=" + (int) one.y());
        }

        @Override
        public void close() {}
      };
    }

    private KeyedCoProcessFunction<String, Example, Example, Example>.Context context() {
      KeyedCoProcessFunction<String, Example, Example, Example> function = join;
      return function.new Context() {
        @Override
        public Long timestamp() {
          return now;
        }

        @Override
        public TimerService timerService() {
          return Driven.this;
        }

        @Override
        public <X> void output(OutputTag<X> tag, X one) {
          Driven.this.output(tag, one);
        }

        @Override
        public String getCurrentKey() {
          return key;
        }
      };
    }

    @Override
    public void row(String id, int row) throws Exception {
      key = id;
      Example one = new Example(id, "", FeatureVector.dense(row), Double.NaN, 1, now);
      join.processElement1(one, context(), out());
    }

    @Override
    public boolean label(String id, int label) throws Exception {
      key = id;
      Example one = new Example(id, "", FeatureVector.dense(), label, 1, now);
      join.processElement2(one, context(), out());
      return true;
    }

    @Override
    public void pass(Duration time) throws Exception {
      now += time.toMillis();
      while (!timers.isEmpty() && timers.firstKey() <= now) {
        Map.Entry<Long, TreeSet<String>> due = timers.pollFirstEntry();
        for (String one : due.getValue()) {
          key = one;
          fire(due.getKey());
        }
      }
    }

    private void fire(long time) throws Exception {
      KeyedCoProcessFunction<String, Example, Example, Example> function = join;
      KeyedCoProcessFunction<String, Example, Example, Example>.OnTimerContext context =
          function.new OnTimerContext() {
            @Override
            public TimeDomain timeDomain() {
              return TimeDomain.EVENT_TIME;
            }

            @Override
            public Long timestamp() {
              return time;
            }

            @Override
            public TimerService timerService() {
              return Driven.this;
            }

            @Override
            public <X> void output(OutputTag<X> tag, X one) {
              Driven.this.output(tag, one);
            }

            @Override
            public String getCurrentKey() {
              return key;
            }
          };
      join.onTimer(time, context, out());
    }

    /** States and timers are all that a checkpoint has. */
    @Override
    public void restart() {
      join = opened();
    }

    @Override
    public List<String> learned() {
      return learned;
    }

    @Override
    public long joined() {
      return learned.size();
    }

    @Override
    public long unlabelled() {
      return unlabelled.size();
    }

    @Override
    public long lateLabels() {
      return late.size();
    }

    @Override
    public long currentProcessingTime() {
      return now;
    }

    @Override
    public long currentWatermark() {
      return now;
    }

    @Override
    public void registerProcessingTimeTimer(long time) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void registerEventTimeTimer(long time) {
      timers.computeIfAbsent(time, at -> new TreeSet<>()).add(key);
    }

    @Override
    public void deleteProcessingTimeTimer(long time) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void deleteEventTimeTimer(long time) {
      throw new UnsupportedOperationException();
    }
  }
}
