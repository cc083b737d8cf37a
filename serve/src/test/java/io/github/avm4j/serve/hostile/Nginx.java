// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.hostile;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.avm4j.serve.RunningServer;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.netty.handler.ssl.util.SelfSignedCertificate;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/** Debian's nginx with {@code deploy/nginx} in front of a server; skips the test without it. */
final class Nginx {
  static final String NAME = "predict.example.org";

  private static final Path NGINX = Path.of("/usr/sbin/nginx");

  private final Path folder;
  private final Process process;
  private final int port;

  /** In front of the server on a port of this machine, for these names beside its own. */
  Nginx(Path folder, int server, String names) throws Exception {
    assumeTrue(Files.isExecutable(NGINX), "skipped: Debian's nginx is not here");
    this.folder = folder;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    writeKeys();
    Path configuration = folder.resolve("nginx.conf");
    Files.writeString(configuration, configuration(server, names));
    Path log = folder.resolve("nginx.log");
    process =
        new ProcessBuilder(
                NGINX.toString(), "-p", folder.toString(), "-c", configuration.toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    RunningServer.await(
        "nginx",
        () -> {
          assertTrue(process.isAlive(), () -> read(log));
          return isOpen();
        });
  }

  @SuppressWarnings("deprecation") // not for production, which this is not
  private void writeKeys() throws Exception {
    SelfSignedCertificate pair = new SelfSignedCertificate(NAME, "EC", 256);
    Files.copy(pair.certificate().toPath(), folder.resolve("cert.pem"));
    Files.copy(pair.privateKey().toPath(), folder.resolve("key.pem"));
    pair.delete();
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }

  private boolean isOpen() {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  /** Debian's includes files of conf.d as this does; paths are the test's, as are ports. */
  private String configuration(int server, String names) throws IOException {
    String site = Files.readString(Path.of("..", "deploy", "nginx", "avm-serve.conf"));
    String mine =
        site.replace("listen 443", "listen 127.0.0.1:" + port)
            .replace("server_name " + NAME, "server_name " + NAME + " " + names)
            .replace("127.0.0.1:8080", "127.0.0.1:" + server)
            .replace("/etc/avm/tls", folder.toString());
    StringBuilder temporary = new StringBuilder();
    for (String kind : List.of("client_body", "proxy", "fastcgi", "uwsgi", "scgi")) {
      temporary.append(kind).append("_temp_path ").append(folder.resolve(kind)).append("; ");
    }
    // Its workers write large bodies to the test's folder, so they must be the test's user.
    return "user "
        + System.getProperty("user.name")
        + "; daemon off; worker_processes 1; error_log stderr; pid "
        + folder.resolve("pid")
        + ";\nevents { worker_connections 1024; }\nhttp {\naccess_log off; "
        + temporary
        + "\n"
        + mine
        + "}\n";
  }

  int port() {
    return port;
  }

  void stop() throws InterruptedException {
    process.destroy();
    assertTrue(process.waitFor(60, TimeUnit.SECONDS));
  }

  static SSLContext trustingAll() throws Exception {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
    return context;
  }

  /**
   * A connection from an address of this machine. Its context is its own: a session that it resumed
   * would have the name of before.
   */
  SSLSocket connect(String from, String name, String protocol) throws Exception {
    SSLSocket socket = (SSLSocket) trustingAll().getSocketFactory().createSocket();
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setServerNames(List.of(new SNIHostName(name)));
    parameters.setApplicationProtocols(new String[] {protocol});
    socket.setSSLParameters(parameters);
    socket.bind(new InetSocketAddress(from, 0));
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    socket.setSoTimeout(60_000);
    socket.startHandshake();
    return socket;
  }
}
