// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.operate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.serve.AvmServer;
import io.github.avm4j.serve.RunningServer;
import io.github.avm4j.serve.ServeMain;
import io.github.avm4j.serve.TestModels;
import io.github.avm4j.serve.http.EventLog;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said of settings that cannot be used. */
class SettingsTest {
  @TempDir Path folder;

  private static String failure(Map<String, String> environment, String... flags) {
    return String.valueOf(
        assertThrows(
                IllegalArgumentException.class, () -> Settings.read(List.of(flags), environment))
            .getMessage());
  }

  @Test
  void theSourceOfAWrongValueIsNamed() throws Exception {
    String words = "port must be a whole number in 0..65535, was x";
    assertEquals("--port: " + words, failure(Map.of(), "--port", "x", "m"));
    assertEquals("AVM_SERVE_PORT: " + words, failure(Map.of("AVM_SERVE_PORT", "x"), "m"));
    Path file = Files.writeString(folder.resolve("c"), "# ports\n\nkeep=2\nport = x\n");
    assertEquals(file + " line 4: " + words, failure(Map.of(), "--config=" + file, "m"));
    assertEquals(
        "--access-log: access-log must be true or false, was on",
        failure(Map.of(), "--access-log=on", "m"));
    assertEquals(
        "--idle-timeout: idle-timeout must be a duration such as 500ms, 30s, 5m, 1h or 7d, was 30",
        failure(Map.of(), "--idle-timeout=30", "m"));
    assertEquals(
        "--idle-timeout: idle-timeout must be from 1ms to 1h, was 61m",
        failure(Map.of(), "--idle-timeout=61m", "m"));
    assertEquals(
        "--max-body: max-body must be from 1 to 500MiB, was 0",
        failure(Map.of(), "--max-body=0", "m"));
    for (String share : List.of("1.1", "-0.1", "20%", "NaN")) {
      assertEquals(
          "--label-share: label-share must be a share from 0 to 1, such as 0.2, was " + share,
          failure(Map.of(), "--label-share=" + share, "m"));
    }
    assertEquals(
        "AVM_SERVE_TLS_KEY: tls-key is not enough; TLS needs both tls-cert and tls-key",
        failure(Map.of("AVM_SERVE_TLS_KEY", "k"), "m"));
  }

  @Test
  void aFileIsReadLineByLine() throws Exception {
    Path file = Files.writeString(folder.resolve("c"), "port\n");
    assertEquals(
        file + " line 1: must be NAME=VALUE or begin with #",
        failure(Map.of(), "--config=" + file, "m"));
    Files.writeString(file, "keep=1\nprot=8\n");
    assertTrue(
        failure(Map.of(), "--config=" + file, "m")
            .startsWith(file + " line 2: there is no setting 'prot'"));
    assertEquals(
        "AVM_SERVE_CONFIG: config must be a file that exists, was nowhere",
        failure(Map.of("AVM_SERVE_CONFIG", "nowhere"), "m"));
    assertEquals(
        "--token-file: token-file must be a file that can be read, was " + folder,
        failure(Map.of(), "--token-file=" + folder, "m"));
  }

  private static Process serve(Path log, String... arguments) throws IOException {
    List<String> words =
        new java.util.ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                ServeMain.class.getName()));
    words.addAll(List.of(arguments));
    return new ProcessBuilder(words).redirectError(log.toFile()).start();
  }

  @Test
  void wrongSettingsEndWithTwo() throws Exception {
    Path log = folder.resolve("log");
    Path tokens = Files.writeString(folder.resolve("tokens"), "# mine\nshort\n");
    Process process = serve(log, "--token-file=" + tokens, folder.toString());
    assertEquals(2, process.waitFor(), Files.readString(log));
    assertTrue(
        Files.readString(log)
            .contains(
                "avm: "
                    + tokens
                    + " line 2: must be NAME TOKEN PERMISSION,… with a token of at least"));
  }

  @Test
  void aPortInUseIsSaidBeforeModelsAreLoaded() throws Exception {
    RunningServer.put(folder, "m-1.avm", TestModels.numbered(2, 10, 1));
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = Integer.toString(taken.getLocalPort());
      Settings settings = Settings.read(List.of("--port", port, folder.toString()), Map.of());
      ByteArrayOutputStream said = new ByteArrayOutputStream();
      EventLog log =
          new EventLog(new PrintStream(said, true, StandardCharsets.UTF_8), Clock.systemUTC());
      AvmServer server = new AvmServer(settings, log, Clock.systemUTC());
      assertEquals(
          "127.0.0.1:" + port + " is in use; choose another with --port",
          assertThrows(IOException.class, server::start).getMessage());
      assertFalse(said.toString(StandardCharsets.UTF_8).contains("model_loaded"));
    }
  }

  @Test
  void otherAddressesThatCannotBeOpenedAreExplained() {
    assertEquals(
        "192.0.2.1 is no address of this machine; choose another with --host",
        assertThrows(IOException.class, () -> AddressCheck.check("192.0.2.1", 0)).getMessage());
    IOException late = new IOException("bind(..) failed: Address already in use");
    assertTrue(
        String.valueOf(AddressCheck.failure("::", 80, late).getMessage()).contains("80 is in use"));
    IOException denied = new IOException("Permission denied");
    assertTrue(
        String.valueOf(AddressCheck.failure("::", 80, denied).getMessage()).contains("above 1023"));
    IOException second = AddressCheck.administration("::", 80, late);
    assertTrue(String.valueOf(second.getMessage()).endsWith("--admin-port"), second::getMessage);
  }
}
