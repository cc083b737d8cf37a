// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.http;

import com.linecorp.armeria.common.TlsKeyPair;
import com.linecorp.armeria.common.TlsProvider;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The server's key and certificate, and whom it trusts, from PEM files. {@link #poll} reads them
 * again when they have changed; files that do not fit each other leave the old ones in use.
 */
public final class Certificates implements TlsProvider {
  private final Path certificate;
  private final Path key;
  private final @Nullable Path clientAuthority;
  private final EventLog log;
  private volatile Loaded loaded;

  private record Loaded(TlsKeyPair pair, @Nullable List<X509Certificate> trusted, Object print) {}

  /**
   * Reads the files.
   *
   * @param clientAuthority whose clients may connect; null to ask clients for no certificate
   * @throws IOException if they cannot be used
   */
  public Certificates(Path certificate, Path key, @Nullable Path clientAuthority, EventLog log)
      throws IOException {
    this.certificate = certificate;
    this.key = key;
    this.clientAuthority = clientAuthority;
    this.log = log;
    this.loaded = load(print());
  }

  /** Takes in changed files. */
  public void poll() {
    try {
      Object print = print();
      if (!print.equals(loaded.print)) {
        loaded = load(print);
        log.info("certificate_loaded", "file", certificate, "until", until());
      }
    } catch (IOException e) {
      log.warn("certificate_refused", "file", certificate, "reason", e.toString());
    }
  }

  private String until() {
    return loaded.pair.certificateChain().get(0).getNotAfter().toInstant().toString();
  }

  private Object print() throws IOException {
    return List.of(
        Files.getLastModifiedTime(certificate),
        Files.getLastModifiedTime(key),
        clientAuthority == null ? "" : Files.getLastModifiedTime(clientAuthority));
  }

  private Loaded load(Object print) throws IOException {
    try {
      TlsKeyPair pair = TlsKeyPair.of(key.toFile(), certificate.toFile());
      return new Loaded(pair, clientAuthority == null ? null : read(clientAuthority), print);
    } catch (RuntimeException e) {
      throw new IOException(
          certificate + " and " + key + " are no PEM certificate and key: " + e.getMessage(), e);
    }
  }

  /**
   * The certificates of a file, at least one: to the TLS library an empty list means every public
   * authority that Java knows, whose clients would all be let in.
   */
  private static List<X509Certificate> read(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      List<X509Certificate> trusted =
          CertificateFactory.getInstance("X.509").generateCertificates(in).stream()
              .map(X509Certificate.class::cast)
              .toList();
      if (trusted.isEmpty()) {
        throw new IOException(
            file
                + " holds no PEM certificate, so no client could be let in: put the authority of"
                + " your clients there");
      }
      return trusted;
    } catch (GeneralSecurityException e) {
      throw new IOException(file + " holds no PEM certificates: " + e.getMessage(), e);
    }
  }

  /** Whether clients must show a certificate. */
  public boolean asksClients() {
    return clientAuthority != null;
  }

  @Override
  public TlsKeyPair keyPair(String hostname) {
    return loaded.pair;
  }

  @Override
  public @Nullable List<X509Certificate> trustedCertificates(String hostname) {
    return loaded.trusted;
  }
}
