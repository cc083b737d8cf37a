// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.AttachingConnector;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.MethodEntryEvent;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.MethodEntryRequest;
import io.github.avm4j.serve.load.ServerProcess;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The classes that one prediction of {@code /v1/predict} passes through on a connection that is
 * open, seen by a debugger as their methods are entered. Who adds one meets it here; records are
 * values and do not count.
 */
class StationsTest {
  private static final String PACKAGE = "io.github.avm4j.serve.";
  private static final int MOST = 9;

  /** In whose hands the request, its body or its row is, in this order. */
  private static final List<String> STATIONS =
      List.of(
          "http.RequestIds",
          "http.Endpoint",
          "http.Bodies",
          "http.Admission",
          "predict.Predict",
          "http.Json",
          "predict.RowReader",
          "models.RowEncoding",
          "models.ServedModel");

  /** Counters and look-ups, which see nothing of it but a name, a size or a time. */
  private static final List<String> ASIDE =
      List.of(
          "http.BodyBudget",
          "http.Guard",
          "http.Hosts",
          "operate.Measures",
          "predict.Models",
          "models.ModelRepository",
          "feedback.LabelRequests");

  @TempDir Path folder;

  private final HttpClient client = HttpClient.newHttpClient();

  @Test
  void ofOnePrediction() throws Exception {
    RunningServer.put(folder, "m-1.avm", TestModels.people(2));
    String debugger = "transport=dt_socket,server=y,suspend=n,quiet=y,address=127.0.0.1:0";
    try (ServerProcess server =
        new ServerProcess(
            folder.resolve("log"),
            List.of("-agentlib:jdwp=" + debugger),
            ServeMain.class.getName(),
            "--port=0",
            folder.toString())) {
      ask(server).join();
      VirtualMachine machine = attach(server.pid());
      MethodEntryRequest entries = machine.eventRequestManager().createMethodEntryRequest();
      entries.addClassFilter(PACKAGE + "*");
      entries.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
      entries.enable();
      Set<String> expected = new TreeSet<>(STATIONS);
      expected.addAll(ASIDE);
      assertEquals(expected, entered(machine, ask(server)));
      assertTrue(STATIONS.size() <= MOST);
      machine.dispose();
    }
  }

  /** The classes entered by the server's event loops until the reply is there. */
  private static Set<String> entered(VirtualMachine machine, CompletableFuture<?> reply)
      throws Exception {
    Set<String> seen = new TreeSet<>();
    while (true) {
      boolean over = reply.isDone();
      EventSet events = machine.eventQueue().remove(500);
      if (events == null && over) {
        reply.join();
        return seen;
      }
      for (Event event : events == null ? Set.<Event>of() : events) {
        if (event instanceof MethodEntryEvent entry
            && entry.thread().name().startsWith("armeria")) {
          String type = entry.location().declaringType().name();
          String outermost = type.replaceAll("\\$.*", "");
          if (!type.contains("$$Lambda") && !Class.forName(outermost).isRecord()) {
            seen.add(outermost.substring(PACKAGE.length()));
          }
        }
      }
      if (events != null) {
        events.resume();
      }
    }
  }

  private CompletableFuture<Void> ask(ServerProcess server) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/v1/predict"))
            .POST(HttpRequest.BodyPublishers.ofString("{\"age\": 33, \"job\": \"cook\"}"))
            .build();
    return client
        .sendAsync(request, HttpResponse.BodyHandlers.ofString())
        .thenAccept(reply -> assertEquals(200, reply.statusCode(), reply.body()));
  }

  /** The agent tells its port to those who ask for the process. */
  private static VirtualMachine attach(long process) throws Exception {
    for (AttachingConnector connector : Bootstrap.virtualMachineManager().attachingConnectors()) {
      if (connector.name().equals("com.sun.jdi.ProcessAttach")) {
        Map<String, Connector.Argument> arguments = connector.defaultArguments();
        arguments.get("pid").setValue(Long.toString(process));
        return connector.attach(arguments);
      }
    }
    throw new AssertionError("this JDK cannot attach a debugger to a process");
  }
}
