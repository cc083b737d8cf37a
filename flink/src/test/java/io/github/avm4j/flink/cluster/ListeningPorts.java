// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Where a process listens, as the kernel says (Linux). */
public final class ListeningPorts {
  private static final String LISTEN = "0A";
  private static final String LOOPBACK_4 = "0100007F";
  private static final String LOOPBACK_6 = "00000000000000000000000001000000";
  private static final String MAPPED_4 = "0000000000000000FFFF00000100007F";

  private ListeningPorts() {}

  /** Addresses in the kernel's hexadecimal, a colon, the port. */
  public static List<String> of(long pid) throws IOException {
    Set<String> sockets = new HashSet<>();
    try (Stream<Path> open = Files.list(Path.of("/proc/" + pid + "/fd"))) {
      for (Path one : open.toList()) {
        if (Files.isSymbolicLink(one)) {
          sockets.add(Files.readSymbolicLink(one).toString());
        }
      }
    }
    List<String> found = new ArrayList<>();
    for (String table : List.of("tcp", "tcp6")) {
      Path path = Path.of("/proc/" + pid + "/net/" + table);
      for (String line : Files.exists(path) ? Files.readAllLines(path) : List.<String>of()) {
        String[] cells = line.strip().split("\\s+");
        if (cells.length > 9
            && cells[3].equals(LISTEN)
            && sockets.contains("socket:[" + cells[9] + "]")) {
          int colon = cells[1].indexOf(':');
          found.add(cells[1].substring(0, colon) + ":" + port(cells[1].substring(colon + 1)));
        }
      }
    }
    return found;
  }

  private static int port(String hexadecimal) {
    return Integer.parseInt(hexadecimal, 16);
  }

  /** Whether only this machine reaches it. */
  public static boolean isLoopback(String listening) {
    String address = listening.substring(0, listening.indexOf(':'));
    return Set.of(LOOPBACK_4, LOOPBACK_6, MAPPED_4).contains(address);
  }
}
