// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.load;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.RequestHeaders;
import io.github.avm4j.serve.guard.Futures;
import io.github.avm4j.serve.inference.ModelInferRequest;
import java.nio.ByteBuffer;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Sends one gRPC request again and again, with at most so many under way. It writes gRPC's frame
 * itself and looks at the response's status only: a whole stub costs more than the server.
 */
final class GrpcClient implements AutoCloseable {
  private static final int RESOURCE_EXHAUSTED = 8;

  private final ClientFactory factory =
      ClientFactory.builder().maxNumEventLoopsPerEndpoint(2).build();
  private final RequestHeaders headers =
      RequestHeaders.builder(HttpMethod.POST, "/inference.GRPCInferenceService/ModelInfer")
          .add("content-type", "application/grpc+proto")
          .add("te", "trailers")
          .build();
  private final WebClient client;
  private final byte[] frame;
  private final int most;

  GrpcClient(int port, ModelInferRequest request, int most) {
    client =
        WebClient.builder("h2c://127.0.0.1:" + port + "/")
            .factory(factory)
            .responseTimeoutMillis(30_000)
            .maxResponseLength(1 << 24)
            .build();
    byte[] message = request.toByteArray();
    frame =
        ByteBuffer.allocate(5 + message.length)
            .put((byte) 0)
            .putInt(message.length)
            .put(message)
            .array();
    this.most = most;
  }

  /** As {@link RestClient#run}. */
  Load run(double rate, double seconds) throws InterruptedException {
    Load load = new Load();
    Semaphore room = new Semaphore(most);
    long start = System.nanoTime();
    long end = start + (long) (seconds * 1e9);
    double gap = rate > 0 ? 1e9 / rate : 0;
    long sent = 0;
    for (long now = start; now < end; now = System.nanoTime()) {
      long due = gap == 0 ? now : start + (long) (sent * gap);
      if (due > now) {
        LockSupport.parkNanos(Math.min(due - now, 1_000_000));
        continue;
      }
      room.acquire();
      sent++;
      long counted = gap == 0 ? System.nanoTime() : due;
      Futures.then(
          client.execute(HttpRequest.of(headers, HttpData.wrap(frame))).aggregate(),
          (response, failure) -> count(load, room, counted, response));
    }
    double taken = (System.nanoTime() - start) / 1e9;
    room.acquire(most);
    synchronized (load) {
      load.unsent = Math.max(0, (long) (rate * seconds) - sent);
      load.done(taken);
    }
    return load;
  }

  private static void count(
      Load load, Semaphore room, long due, @Nullable AggregatedHttpResponse response) {
    synchronized (load) {
      int status = response == null ? -1 : status(response);
      if (status == 0) {
        load.completed(System.nanoTime() - due);
      } else if (status == RESOURCE_EXHAUSTED) {
        load.shed++;
      } else {
        load.failed++;
      }
    }
    room.release();
  }

  /** In the trailers, or in the headers of a response that has nothing else. */
  private static int status(AggregatedHttpResponse response) {
    int trailer = response.trailers().getInt("grpc-status", -1);
    return trailer < 0 ? response.headers().getInt("grpc-status", -1) : trailer;
  }

  @Override
  public void close() {
    factory.close();
  }
}
