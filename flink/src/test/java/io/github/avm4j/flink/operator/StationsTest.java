// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.Location;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.LaunchingConnector;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.MethodEntryEvent;
import com.sun.jdi.request.ClassPrepareRequest;
import com.sun.jdi.request.EventRequestManager;
import com.sun.jdi.request.MethodEntryRequest;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * The classes that one record passes through in a job of one learner, from the bytes of a topic to
 * those of its prediction, seen by a debugger as their methods are entered. Who adds one meets it
 * here; records are values and do not count, nor does what is below the learner.
 */
class StationsTest {
  private static final String PACKAGE = "io.github.avm4j.";
  private static final List<String> LOOKED_AT = List.of("flink", "data", "feature", "pipeline");
  private static final int MOST = 9;

  /** In whose hands the record, its row or its prediction is, in this order. */
  private static final List<String> STATIONS =
      List.of(
          "flink.sink.KafkaTopics",
          "flink.record.RecordFormat",
          "data.LibsvmRow",
          "feature.RowEncoder",
          "flink.operator.SortRecords",
          "flink.operator.LearnStream",
          "flink.record.EvaluatedLearner",
          "flink.operator.CommitDeadline",
          "flink.sink.JsonLines");

  /** Values; counters and look-ups; the learner's means; and how a harness copies its output. */
  private static final List<String> ASIDE =
      List.of(
          "feature.FeatureVector",
          "feature.Row",
          "flink.record.PredictionRange",
          "flink.record.RawRecord",
          "feature.Decimals",
          "feature.Scaling",
          "feature.Schema",
          "feature.Bounds",
          "flink.operator.RunCounts",
          "flink.record.Tally",
          "flink.sink.Names",
          "pipeline.ClassNames",
          "feature.GrowingSchema",
          "flink.record.WireFormat");

  @Test
  void ofOneRecord() throws Exception {
    Set<String> expected = new TreeSet<>(STATIONS);
    expected.addAll(ASIDE);
    assertEquals(expected, entered());
    assertTrue(STATIONS.size() <= MOST);
  }

  private static Set<String> entered() throws Exception {
    LaunchingConnector connector = Bootstrap.virtualMachineManager().defaultConnector();
    Map<String, Connector.Argument> arguments = connector.defaultArguments();
    arguments.get("main").setValue(OneRecord.class.getName());
    arguments
        .get("options")
        .setValue(
            "-XX:TieredStopAtLevel=1 -Dorg.slf4j.simpleLogger.defaultLogLevel=off -cp \""
                + System.getProperty("java.class.path")
                + '"');
    VirtualMachine machine = connector.launch(arguments);
    machine.process().getOutputStream().close();
    ClassPrepareRequest prepared = machine.eventRequestManager().createClassPrepareRequest();
    prepared.addClassFilter(OneRecord.class.getName());
    prepared.enable();
    Set<String> seen = new TreeSet<>();
    try {
      while (true) {
        EventSet events = machine.eventQueue().remove();
        for (Event event : events) {
          look(machine.eventRequestManager(), event, seen);
        }
        events.resume();
      }
    } catch (VMDisconnectedException e) {
      return seen;
    }
  }

  private static void look(EventRequestManager requests, Event event, Set<String> seen)
      throws ClassNotFoundException {
    if (event instanceof ClassPrepareEvent prepared) {
      for (String mark : List.of("begin", "end")) {
        ReferenceType type = prepared.referenceType();
        Location at = type.methodsByName(mark).get(0).location();
        requests.createBreakpointRequest(at).enable();
      }
    } else if (event instanceof BreakpointEvent mark) {
      boolean begins = mark.location().method().name().equals("begin");
      for (String name : begins ? LOOKED_AT : List.<String>of()) {
        MethodEntryRequest entries = requests.createMethodEntryRequest();
        entries.addClassFilter(PACKAGE + name + ".*");
        entries.enable();
      }
      if (!begins) {
        requests.deleteEventRequests(List.copyOf(requests.methodEntryRequests()));
      }
    } else if (event instanceof MethodEntryEvent entry) {
      String outermost = entry.location().declaringType().name().replaceAll("\\$.*", "");
      if (!Class.forName(outermost).isRecord() && !outermost.equals(OneRecord.class.getName())) {
        seen.add(outermost.substring(PACKAGE.length()));
      }
    }
  }
}
