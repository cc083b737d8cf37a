// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.option;

import io.github.avm4j.data.catalogue.Catalogue;
import io.github.avm4j.data.catalogue.DataCache;
import io.github.avm4j.data.catalogue.Limits;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for the folders of public data sets. */
public final class CatalogueOptions {
  @Option(
      names = "--mirror",
      paramLabel = "DIR",
      defaultValue = "${env:AVM_MIRROR}",
      description = "Folder that already has the files; the variable AVM_MIRROR by default.")
  private @Nullable Path mirror;

  @Option(
      names = "--cache",
      paramLabel = "DIR",
      defaultValue = "${env:AVM_CACHE}",
      description = "Folder of downloads; the variable AVM_CACHE by default, else ~/.cache/avm4j.")
  private @Nullable Path cache;

  CatalogueOptions() {}

  /** Cache of these folders. */
  public DataCache cache() {
    return of(mirror, cache);
  }

  /** Cache of the folders in the variables AVM_MIRROR and AVM_CACHE. */
  public static DataCache fromEnvironment() {
    String mirror = System.getenv(DataCache.MIRROR);
    String cache = System.getenv("AVM_CACHE");
    return of(mirror == null ? null : Path.of(mirror), cache == null ? null : Path.of(cache));
  }

  private static DataCache of(@Nullable Path mirror, @Nullable Path cache) {
    return cache == null
        ? new DataCache(mirror)
        : new DataCache(Catalogue.standard(), cache, mirror, Limits.usual());
  }
}
