// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.hostile;

import io.github.avm4j.serve.load.KeptConnection;
import io.github.avm4j.serve.load.KeptConnection.Response;
import java.io.IOException;
import java.net.Socket;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Small requests at a steady rate, each client on a connection that it renews only if the server
 * closes it. One that is refused is sent once more, after as long as the reply says.
 */
final class HonestClients {
  private static final Pattern AFTER = Pattern.compile("(?i)\r\nretry-after: *(\\d+)");
  private static final Pattern ID = Pattern.compile("\"id\":\"([^\"]+)\"");
  private static final String TOKEN = "authorization: Bearer " + AttackedServer.TOKEN;

  private final Callable<Socket> connections;
  private final Queue<Outcome> outcomes = new ConcurrentLinkedQueue<>();
  private final Map<String, Integer> refusals = new ConcurrentSkipListMap<>();
  private final Queue<Thread> threads = new ConcurrentLinkedQueue<>();
  private volatile boolean over;

  HonestClients(Callable<Socket> connections) {
    this.connections = connections;
  }

  /**
   * Statuses of the first reply and of the last, 0 for none; the first took so many nanoseconds.
   */
  private record Outcome(int first, int last, long nanos) {}

  private interface Round {
    void run(Client client, long due) throws Exception;
  }

  /** Predictions of the model that is not taught. */
  void predict(int clients, double perSecond) {
    start(clients, perSecond, (client, due) -> client.ask(due, AttackedServer.PREDICT, "[1, 2]"));
  }

  /** Predictions of the learner, each with its label 50 ms later. */
  void teach(int clients, double perSecond) {
    start(
        clients,
        perSecond,
        (client, due) -> {
          double a = client.random.nextGaussian();
          double b = client.random.nextGaussian();
          String row = "{\"a\":" + a + ",\"b\":" + b + "}";
          Response predicted = client.ask(due, "/v1/predict", row);
          if (predicted != null && predicted.status() == 200) {
            Matcher id = ID.matcher(predicted.body());
            LockSupport.parkNanos(50_000_000);
            String label = a * b > 0 ? "yes" : "no";
            String body = "{\"id\":\"" + (id.find() ? id.group(1) : "") + "\",\"label\":\"";
            client.ask(System.nanoTime(), "/v1/label", body + label + "\"}");
          }
        });
  }

  private void start(int clients, double perSecond, Round round) {
    long period = (long) (1e9 * clients / perSecond);
    for (int k = 0; k < clients; k++) {
      Client client = new Client(new Random(threads.size()));
      long first = System.nanoTime() + k * period / clients;
      Thread thread = new Thread(() -> client.run(round, first, period), "honest-" + k);
      threads.add(thread);
      thread.start();
    }
  }

  private final class Client {
    private final Random random;
    private KeptConnection connection;

    Client(Random random) {
      this.random = random;
    }

    void run(Round round, long first, long period) {
      for (long due = first; !over; due = Math.max(due + period, System.nanoTime() - period)) {
        while (System.nanoTime() < due) {
          LockSupport.parkNanos(due - System.nanoTime());
        }
        try {
          round.run(this, due);
        } catch (Exception e) {
          throw new IllegalStateException(e);
        }
      }
      close();
    }

    /** The last reply; null if there was none. */
    Response ask(long due, String path, String body) throws Exception {
      Response first = post(path, body);
      long nanos = System.nanoTime() - due;
      Response last = first;
      if (status(first) == 0 || status(first) == 429 || status(first) == 503) {
        refusals.merge(first == null ? "no reply" : first.body(), 1, Integer::sum);
        Thread.sleep(1000L * seconds(first));
        last = post(path, body);
      }
      outcomes.add(new Outcome(status(first), status(last), nanos));
      return last;
    }

    private Response post(String path, String body) throws Exception {
      try {
        if (connection == null) {
          connection = new KeptConnection(connections.call());
        }
        Response response = connection.post(path, body, TOKEN);
        if (response.headers().toLowerCase(Locale.ROOT).contains("connection: close")) {
          close();
        }
        return response;
      } catch (IOException e) {
        System.out.println("an honest client has no reply: " + e);
        close();
        return null;
      }
    }

    private void close() {
      try {
        if (connection != null) {
          connection.close();
        }
      } catch (IOException e) {
        // it is gone
      }
      connection = null;
    }
  }

  private static int status(Response response) {
    return response == null ? 0 : response.status();
  }

  private static int seconds(Response refusal) {
    Matcher after = AFTER.matcher(refusal == null ? "" : refusal.headers());
    return after.find() ? Integer.parseInt(after.group(1)) : 0;
  }

  void stop() throws InterruptedException {
    over = true;
    for (Thread thread : threads) {
      thread.join();
    }
  }

  /** How many had which status at first. */
  Map<Integer, Integer> statuses() {
    Map<Integer, Integer> counts = new TreeMap<>();
    outcomes.forEach(one -> counts.merge(one.first, 1, Integer::sum));
    return counts;
  }

  /** How often which reason was given for repeating a request. */
  Map<String, Integer> refusals() {
    return refusals;
  }

  long notServedAtFirst() {
    return outcomes.stream().filter(one -> one.first != 200).count();
  }

  /** Percentage of requests that were served at first. */
  double served() {
    return 100 - 100.0 * notServedAtFirst() / outcomes.size();
  }

  /**
   * Percentage of requests that were served in the end. A label that is known already was learned.
   */
  double servedInTheEnd() {
    return 100.0
        * outcomes.stream()
            .filter(one -> one.last == 200 || one.first == 0 && one.last == 409)
            .count()
        / outcomes.size();
  }

  /** Sorted milliseconds of those that were served at first, from when they were due. */
  double[] millis() {
    return outcomes.stream()
        .filter(one -> one.first == 200)
        .mapToDouble(one -> one.nanos / 1e6)
        .sorted()
        .toArray();
  }
}
