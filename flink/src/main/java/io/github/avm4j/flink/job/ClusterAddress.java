// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

/**
 * Address of a JobManager's REST endpoint.
 *
 * @param host name or address
 * @param port 8081 if not given
 */
record ClusterAddress(String host, int port) {
  private static final int USUAL = 8081;

  static ClusterAddress parse(String text) {
    int colon = text.lastIndexOf(':');
    String host = colon < 0 ? text : text.substring(0, colon);
    String port = colon < 0 ? Integer.toString(USUAL) : text.substring(colon + 1);
    if (host.isEmpty() || !port.matches("[0-9]{1,5}") || Integer.parseInt(port) > 65535) {
      throw new ConfigException("a cluster is named HOST:PORT, was " + text);
    }
    return new ClusterAddress(host, Integer.parseInt(port));
  }
}
