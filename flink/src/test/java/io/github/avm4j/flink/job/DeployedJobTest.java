// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The job of {@code deploy/kubernetes/flink} can be read, and its image has what it needs. */
class DeployedJobTest {
  private static final Path MANIFESTS = Path.of("..", "deploy", "kubernetes");

  private static List<String> find(String file, String pattern) throws IOException {
    return Pattern.compile(pattern, Pattern.MULTILINE)
        .matcher(Files.readString(MANIFESTS.resolve(file)))
        .results()
        .map(found -> found.group(1))
        .toList();
  }

  @Test
  void theJobIsReadAndFeedsTheServer() throws IOException {
    String text = Files.readString(MANIFESTS.resolve("flink/job-configmap.yaml"));
    String yaml =
        text.substring(text.indexOf("job.yaml: |\n") + 12)
            .lines()
            .map(line -> line.replaceFirst("^    ", ""))
            .collect(Collectors.joining("\n"));
    StreamConfig config = StreamConfig.parse(yaml, null);
    assertEquals("flights", config.name());
    assertEquals(List.of("9249"), find("flink/flinkdeployment.yaml", "prom.port: \"(\\d+)\""));
    for (String setting : List.of("MODEL_TOPIC", "LABEL_TOPIC")) {
      String topic = find("serve/configmap.yaml", "AVM_SERVE_" + setting + ": (\\S+)").get(0);
      assertTrue(yaml.contains(": " + topic + "\n"), topic + " is not in the job");
    }
    String mounted = find("flink/flinkdeployment.yaml", "kafka-keys, mountPath: ([^,]+),").get(0);
    assertEquals(mounted + "/client.pem", config.kafka().get("ssl.keystore.location"));
    Map<String, String> kafka = new TreeMap<>(config.kafka());
    kafka.remove("bootstrap.servers");
    List<String> lines = kafka.entrySet().stream().map(Object::toString).toList();
    List<String> servers = find("serve/kafka-configmap.yaml", "^    (\\S+=\\S+)$");
    assertEquals(servers.stream().sorted().toList(), lines, "job and server connect alike");
  }

  @Test
  void theImageHasTheJarsThatAreSubmittedOtherwise() throws Exception {
    assertEquals(JobJars.SHIPPED, find("flink/Containerfile", "/stream/lib/(\\S+?)\\*\\.jar"));
    List<String> main = find("flink/flinkdeployment.yaml", "entryClass: (\\S+)");
    assertEquals(List.of(StreamMain.class.getName()), main);
  }
}
