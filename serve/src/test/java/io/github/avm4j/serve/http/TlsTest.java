// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.ClientFactoryBuilder;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.TlsKeyPair;
import io.github.avm4j.serve.RunningServer;
import io.github.avm4j.serve.TestModels;
import io.netty.handler.ssl.util.SelfSignedCertificate;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsTest {
  /**
   * Made once, of elliptic curves: to find the primes of an RSA key takes this JVM, which compiles
   * with its first compiler alone, up to two seconds, and many times that on a busy machine.
   */
  private static TlsKeyPair first;

  private static TlsKeyPair second;
  private static TlsKeyPair mine;

  @TempDir Path folder;

  @BeforeAll
  static void pairs() throws Exception {
    first = pair("localhost");
    second = pair("localhost");
    mine = pair("client");
  }

  @SuppressWarnings("deprecation") // for its fixed keys in production; here they live for a test
  private static TlsKeyPair pair(String name) throws Exception {
    SelfSignedCertificate made = new SelfSignedCertificate(name, "EC", 256);
    try {
      return TlsKeyPair.of(made.key(), made.cert());
    } finally {
      made.delete();
    }
  }

  /** Connections may take as long as the machine needs: time is not what is tested. */
  private static ClientFactoryBuilder patient() {
    return ClientFactory.builder().tlsNoVerify().connectTimeout(Duration.ofMinutes(5));
  }

  private void write(String name, TlsKeyPair pair) throws Exception {
    Files.writeString(
        folder.resolve(name + ".pem"),
        pem("CERTIFICATE", pair.certificateChain().get(0).getEncoded()));
    Files.writeString(
        folder.resolve(name + ".key"), pem("PRIVATE KEY", pair.privateKey().getEncoded()));
  }

  private static String pem(String kind, byte[] bytes) {
    return "-----BEGIN "
        + kind
        + "-----\n"
        + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes)
        + "\n-----END "
        + kind
        + "-----\n";
  }

  /** The serial number of the certificate the server shows. */
  private static String serial(int port) throws Exception {
    AtomicReference<String> seen = new AtomicReference<>("");
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {new Noting(seen)}, null);
    try (SSLSocket socket =
        (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", port)) {
      socket.startHandshake();
    }
    return seen.get();
  }

  private record Noting(AtomicReference<String> seen) implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {
      seen.set(chain[0].getSerialNumber().toString());
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }

  @Test
  void certificatesAreReloadedAndBadOnesRefused() throws Exception {
    write("server", first);
    Path models = Files.createDirectory(folder.resolve("models"));
    RunningServer.put(models, "m.avm", TestModels.numbered(2, 10, 1));
    try (RunningServer server =
        new RunningServer(
            models,
            "--tls-cert=" + folder.resolve("server.pem"),
            "--tls-key=" + folder.resolve("server.key"))) {
      String before = first.certificateChain().get(0).getSerialNumber().toString();
      assertEquals(before, serial(server.server().port()));
      Files.writeString(folder.resolve("server.pem"), "rubbish");
      RunningServer.await("refusal", () -> server.log().contains("certificate_refused"));
      assertEquals(before, serial(server.server().port()));
      write("server", second);
      String after = second.certificateChain().get(0).getSerialNumber().toString();
      RunningServer.await("reload", () -> serial(server.server().port()).equals(after));
    }
  }

  @Test
  void clientsWithoutACertificateAreTurnedAway() throws Exception {
    write("server", first);
    write("client", mine);
    Path models = Files.createDirectory(folder.resolve("models"));
    RunningServer.put(models, "m.avm", TestModels.numbered(2, 10, 1));
    try (RunningServer server =
        new RunningServer(
            models,
            "--tls-cert=" + folder.resolve("server.pem"),
            "--tls-key=" + folder.resolve("server.key"),
            "--tls-client-ca=" + folder.resolve("client.pem"))) {
      try (ClientFactory known = patient().tls(mine).build();
          ClientFactory stranger = patient().build()) {
        assertEquals(200, live(server, known).status().code());
        assertThrows(Exception.class, () -> live(server, stranger));
      }
    }
  }

  /** Whom a public authority vouches for is still a stranger. */
  @Test
  void noAuthorityLetsNobodyIn() throws Exception {
    write("server", first);
    write("client", mine);
    Path empty = Files.writeString(folder.resolve("empty.pem"), "# to be filled in\n");
    Path models = Files.createDirectory(folder.resolve("models"));
    RunningServer.put(models, "m.avm", TestModels.numbered(2, 10, 1));
    String[] tls = {
      "--tls-cert=" + folder.resolve("server.pem"), "--tls-key=" + folder.resolve("server.key")
    };
    IllegalArgumentException failure =
        assertThrows(
            IllegalArgumentException.class,
            () -> new RunningServer(models, tls[0], tls[1], "--tls-client-ca=" + empty).close());
    assertTrue(failure.getMessage().contains("holds no PEM certificate"), failure.getMessage());
    Path authority = folder.resolve("client.pem");
    try (RunningServer server =
            new RunningServer(models, tls[0], tls[1], "--tls-client-ca=" + authority);
        ClientFactory known = patient().tls(mine).build()) {
      Files.writeString(authority, "");
      RunningServer.await("refusal", () -> server.log().contains("certificate_refused"));
      assertEquals(200, live(server, known).status().code(), "the old authority stays");
    }
  }

  private static AggregatedHttpResponse live(RunningServer server, ClientFactory factory) {
    return WebClient.builder(server.server().address())
        .factory(factory)
        .responseTimeout(Duration.ofMinutes(5))
        .build()
        .get("/v2/health/live")
        .aggregate()
        .join();
  }

  @Test
  void filesThatAreNoCertificatesStopTheStart() throws Exception {
    Files.writeString(folder.resolve("a"), "rubbish");
    RunningServer.put(folder, "m.avm", TestModels.numbered(2, 10, 1));
    IllegalArgumentException failure =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                new RunningServer(
                        folder,
                        "--tls-cert=" + folder.resolve("a"),
                        "--tls-key=" + folder.resolve("a"))
                    .close());
    assertTrue(String.valueOf(failure.getMessage()).contains("PEM"));
  }
}
