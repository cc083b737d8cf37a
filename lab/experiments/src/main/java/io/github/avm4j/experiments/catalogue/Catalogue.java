// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments.catalogue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The public data sets that are known by name: those of the AVM paper, and others. */
public final class Catalogue {
  private final Map<String, DataSet> sets = new LinkedHashMap<>();

  private Catalogue(List<DataSet> sets) {
    for (DataSet set : sets) {
      this.sets.put(set.name(), set);
    }
  }

  /** What the resource file holds. */
  private record Content(int version, List<DataSet> sets) {}

  /** {@return the catalogue that comes with this library} */
  public static Catalogue standard() {
    try (InputStream in = Catalogue.class.getResourceAsStream("catalogue.json")) {
      if (in == null) {
        throw new IllegalStateException("catalogue.json is not on the class path");
      }
      return new Catalogue(new ObjectMapper().readValue(in, Content.class).sets());
    } catch (IOException e) {
      throw new UncheckedIOException("catalogue.json cannot be read", e);
    }
  }

  /**
   * {@return a catalogue of other sets}
   *
   * @param sets the data sets
   */
  public static Catalogue of(List<DataSet> sets) {
    return new Catalogue(sets);
  }

  /** {@return all sets, the paper's first} */
  public List<DataSet> sets() {
    return List.copyOf(sets.values());
  }

  /**
   * {@return the set of that name, whatever its case}
   *
   * @param name name of a data set
   * @throws IllegalArgumentException if there is none; the message lists the names
   */
  public DataSet get(String name) {
    DataSet set = sets.get(name.toLowerCase(Locale.ROOT));
    if (set == null) {
      throw new IllegalArgumentException(
          "no data set is called \"" + name + "\"; there are " + String.join(", ", sets.keySet()));
    }
    return set;
  }
}
