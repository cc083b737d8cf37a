// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.load;

import com.google.common.util.concurrent.FutureCallback;
import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.MoreExecutors;
import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.grpc.GrpcClients;
import io.github.avm4j.serve.inference.GRPCInferenceServiceGrpc.GRPCInferenceServiceFutureStub;
import io.github.avm4j.serve.inference.ModelInferRequest;
import io.github.avm4j.serve.inference.ModelInferResponse;
import io.grpc.Status;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;

/** Sends one gRPC request again and again, with at most so many under way. */
final class GrpcClient implements AutoCloseable {
  private final ClientFactory factory =
      ClientFactory.builder().maxNumEventLoopsPerEndpoint(2).build();
  private final GRPCInferenceServiceFutureStub stub;
  private final ModelInferRequest request;
  private final int most;

  GrpcClient(int port, ModelInferRequest request, int most) {
    stub =
        GrpcClients.builder("gproto+http://127.0.0.1:" + port + "/")
            .factory(factory)
            .responseTimeoutMillis(30_000)
            .build(GRPCInferenceServiceFutureStub.class);
    this.request = request;
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
      Futures.addCallback(
          stub.modelInfer(request),
          new Counting(load, room, counted),
          MoreExecutors.directExecutor());
    }
    double taken = (System.nanoTime() - start) / 1e9;
    room.acquire(most);
    synchronized (load) {
      load.unsent = Math.max(0, (long) (rate * seconds) - sent);
      load.done(taken);
    }
    return load;
  }

  private record Counting(Load load, Semaphore room, long due)
      implements FutureCallback<ModelInferResponse> {
    @Override
    public void onSuccess(ModelInferResponse answer) {
      synchronized (load) {
        load.answered(System.nanoTime() - due);
      }
      room.release();
    }

    @Override
    public void onFailure(Throwable failure) {
      synchronized (load) {
        if (Status.fromThrowable(failure).getCode() == Status.Code.RESOURCE_EXHAUSTED) {
          load.shed++;
        } else {
          load.failed++;
        }
      }
      room.release();
    }
  }

  @Override
  public void close() {
    factory.close();
  }
}
