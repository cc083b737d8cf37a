// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/**
 * Models of avm4j as files of other tools.
 *
 * @since 0.1.0
 */
module io.github.avm4j.export {
  requires transitive io.github.avm4j.core;
  requires java.xml;
  requires static org.jspecify;

  exports io.github.avm4j.export;
}
