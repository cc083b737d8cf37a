// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.operate;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/** Checks before the start that the server's address can be opened; messages for its operator. */
public final class AddressCheck {
  private AddressCheck() {}

  /**
   * Opens the address and closes it again, so that a server that cannot open its port fails before
   * it warms up. Another process may still take the port in between.
   *
   * @throws IOException saying what to do
   */
  public static void check(String host, int port) throws IOException {
    InetSocketAddress address = new InetSocketAddress(host, port);
    if (address.isUnresolved()) {
      throw new IOException(host + " is an unknown host; choose another with --host");
    }
    try (ServerSocket probe = new ServerSocket()) {
      probe.setReuseAddress(true);
      probe.bind(address);
    } catch (IOException e) {
      throw failure(host, port, e);
    }
  }

  /** The error message for the address of clients, if it could not be opened. */
  public static IOException failure(String host, int port, Throwable cause) {
    return failure("", host, port, cause);
  }

  /** The same for the administrative address. */
  public static IOException administration(String host, int port, Throwable cause) {
    return failure("admin-", host, port, cause);
  }

  private static IOException failure(String flags, String host, int port, Throwable cause) {
    String reason = String.valueOf(cause.getMessage());
    String where = host + ":" + port;
    if (reason.contains("in use")) {
      return new IOException(where + " is in use; choose another with --" + flags + "port", cause);
    }
    if (reason.contains("ermission denied")) {
      return new IOException(
          where
              + " needs more rights than this process has; choose a --"
              + flags
              + "port above 1023",
          cause);
    }
    if (reason.contains("assign requested address")) {
      return new IOException(
          host + " is no address of this machine; choose another with --" + flags + "host", cause);
    }
    return new IOException(where + " cannot be opened: " + reason, cause);
  }
}
