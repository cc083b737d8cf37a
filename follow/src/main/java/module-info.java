// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/**
 * Following models: versions that others publish are found, checked and used, and bad ones change
 * nothing. Start at {@link io.github.avm4j.follow.NewestModel}.
 *
 * @since 0.1.0
 */
module io.github.avm4j.follow {
  requires transitive io.github.avm4j.core;
  requires static org.jspecify;

  exports io.github.avm4j.follow;
}
