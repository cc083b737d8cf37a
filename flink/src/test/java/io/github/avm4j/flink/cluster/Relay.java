// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The network between clients and a port of this machine, which can be cut and healed. */
public final class Relay implements AutoCloseable {
  private final ServerSocket server;
  private final int target;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private boolean silent;
  private boolean broken;

  /** A network in front of {@code target}, which need not listen yet. */
  public Relay(int target) throws IOException {
    this.target = target;
    server = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
    start(this::accept);
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work, "relay");
    thread.setDaemon(true);
    thread.start();
  }

  /** Where clients connect to. */
  public int port() {
    return server.getLocalPort();
  }

  /** Bytes and connections wait until {@link #heal}, as if every packet was lost. */
  public synchronized void silence() {
    silent = true;
  }

  /** Connections end, and so does every new one until {@link #heal}. */
  public synchronized void breakConnections() {
    broken = true;
    open.forEach(Relay::end);
  }

  /** The network is whole again. */
  public synchronized void heal() {
    silent = false;
    broken = false;
    notifyAll();
  }

  private synchronized void awaitNetwork() throws IOException {
    while (silent) {
      try {
        wait();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }
    if (broken) {
      throw new IOException("cut");
    }
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket client = server.accept();
        start(() -> connect(client));
      } catch (IOException e) {
        // Closed, or the client is gone already.
      }
    }
  }

  private void connect(Socket client) {
    try {
      awaitNetwork();
      Socket there = new Socket(InetAddress.getLoopbackAddress(), target);
      open.add(client);
      open.add(there);
      start(() -> pass(client, there));
      pass(there, client);
    } catch (IOException e) {
      end(client);
    }
  }

  private void pass(Socket from, Socket to) {
    byte[] buffer = new byte[1 << 16];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        awaitNetwork();
        out.write(buffer, 0, n);
      }
    } catch (IOException e) {
      // One of the two has ended: so does the other.
    }
    end(from);
    end(to);
    open.remove(from);
    open.remove(to);
  }

  private static void end(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It has ended, which is all that is wanted.
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    open.forEach(Relay::end);
    heal();
  }
}
