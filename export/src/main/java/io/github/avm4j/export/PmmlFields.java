// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.export;

import io.github.avm4j.feature.Column;
import io.github.avm4j.feature.Scaling;
import java.util.List;
import javax.xml.stream.XMLStreamException;

/**
 * The fields of a PMML file: raw inputs, and how they become features. A feature that needs no work
 * is the input itself; all others are derived, first {@code avm4j:raw:j} where a column gives
 * several features, then {@code avm4j:j}, scaled.
 */
final class PmmlFields {
  private static final double DAY = 86_400;

  private final PmmlXml xml;
  private final Exportable source;

  PmmlFields(PmmlXml xml, Exportable source) {
    this.xml = xml;
    this.source = source;
  }

  /** The inputs' declarations; a cell that is missing stays missing here. */
  void dataFields() throws XMLStreamException {
    for (int j = 0; source.schema.isNumbered() && j < source.dimension; j++) {
      xml.empty("DataField", "name", "x" + (j + 1), "optype", "continuous", "dataType", "double");
    }
    for (Column column : source.usedColumns()) {
      boolean text = column.kind() == Column.Kind.CATEGORICAL;
      if (column.kind() == Column.Kind.HASHED) {
        throw new NotExpressibleException(
            "column '"
                + column.name()
                + "' is hashed, and PMML has no hash of texts: train with the column ignored, or"
                + " as categorical");
      }
      xml.empty(
          "DataField",
          "name",
          column.name(),
          "optype",
          text ? "categorical" : "continuous",
          "dataType",
          text ? "string" : "double");
    }
  }

  /** How the inputs are used: missing numbers are replaced here. */
  void miningFields() throws XMLStreamException {
    for (int j = 0; source.schema.isNumbered() && j < source.dimension; j++) {
      miningField("x" + (j + 1), "0.0");
    }
    for (Column column : source.usedColumns()) {
      if (column.kind() == Column.Kind.NUMERIC) {
        miningField(column.name(), Double.toString(column.fill()));
      } else {
        xml.empty("MiningField", "name", column.name(), "invalidValueTreatment", "asIs");
      }
    }
  }

  private void miningField(String name, String replacement) throws XMLStreamException {
    xml.empty("MiningField", "name", name, "missingValueReplacement", replacement);
  }

  /** The derived fields of all features. */
  void derivedFields() throws XMLStreamException {
    int j = 0;
    for (Column column : source.usedColumns()) {
      for (int k = 0; k < column.width(); k++) {
        if (column.kind() != Column.Kind.NUMERIC) {
          raw(column, k, j);
        }
        j++;
      }
    }
    for (j = 0; j < source.dimension; j++) {
      if (isScaled(j)) {
        scaled(j);
      }
    }
  }

  boolean hasDerivedFields() {
    for (int j = 0; j < source.dimension; j++) {
      if (isScaled(j)) {
        return true;
      }
    }
    return !source.isNumeric();
  }

  private boolean isScaled(int j) {
    return j < source.model.scaling().dimension();
  }

  /** The name of the field that holds feature j. */
  String feature(int j) {
    return isScaled(j) ? "avm4j:" + j : unscaled(j);
  }

  private String unscaled(int j) {
    if (source.schema.isNumbered()) {
      return "x" + (j + 1);
    }
    int left = j;
    for (Column column : source.usedColumns()) {
      if (left < column.width()) {
        return column.kind() == Column.Kind.NUMERIC ? column.name() : "avm4j:raw:" + j;
      }
      left -= column.width();
    }
    throw new AssertionError("feature " + j);
  }

  private void derived(String name) throws XMLStreamException {
    xml.open("DerivedField", "name", name, "optype", "continuous", "dataType", "double");
  }

  private void raw(Column column, int k, int j) throws XMLStreamException {
    derived("avm4j:raw:" + j);
    if (column.kind() == Column.Kind.CATEGORICAL) {
      xml.empty(
          "NormDiscrete",
          "field",
          column.name(),
          "value",
          column.categories().get(k),
          "mapMissingTo",
          "0");
    } else {
      time(column.name(), k);
    }
    xml.close();
  }

  /** Feature k of a time in seconds since 1970: days, sine and cosine of hour and weekday. */
  private void time(String field, int k) throws XMLStreamException {
    xml.apply("if");
    xml.apply("isMissing");
    xml.field(field);
    xml.close();
    xml.constant(0);
    if (k == 0) {
      daysGone(field, 1);
    } else {
      xml.apply(List.of("sin", "cos", "sin", "cos").get(k - 1));
      xml.apply("*");
      xml.constant(2 * Math.PI);
      shareGone(field, k < 3 ? 1 : 7);
      xml.close();
      xml.close();
    }
    xml.close();
  }

  /** The share gone of the running span of so many days, which begins on Monday. */
  private void shareGone(String field, int days) throws XMLStreamException {
    xml.apply("-");
    daysGone(field, days);
    xml.apply("floor");
    daysGone(field, days);
    xml.close();
    xml.close();
  }

  /** floor(seconds)/day, or (that + 3)/7 in weeks: day 0 was a Thursday. */
  private void daysGone(String field, int days) throws XMLStreamException {
    if (days > 1) {
      xml.apply("/");
      xml.apply("+");
    }
    xml.apply("/");
    xml.apply("floor");
    xml.field(field);
    xml.close();
    xml.constant(DAY);
    xml.close();
    if (days > 1) {
      xml.constant(3);
      xml.close();
      xml.constant(days);
      xml.close();
    }
  }

  /** {@link Scaling#apply}: max(−8, min(8, (g(x) − shift)·scale)). */
  private void scaled(int j) throws XMLStreamException {
    Scaling scaling = source.model.scaling();
    derived("avm4j:" + j);
    xml.apply("max");
    xml.constant(-Scaling.LIMIT);
    xml.apply("min");
    xml.constant(Scaling.LIMIT);
    xml.apply("*");
    xml.apply("-");
    if (scaling.isLogarithmic(j)) {
      logarithm(unscaled(j));
    } else {
      xml.field(unscaled(j));
    }
    xml.constant(scaling.shift(j));
    xml.close();
    xml.constant(scaling.scale(j));
    xml.close();
    xml.close();
    xml.close();
    xml.close();
  }

  /** sign(x)·log(1 + |x|). */
  private void logarithm(String field) throws XMLStreamException {
    xml.apply("*");
    xml.apply("if");
    xml.apply("lessThan");
    xml.field(field);
    xml.constant(0);
    xml.close();
    xml.constant(-1);
    xml.constant(1);
    xml.close();
    xml.apply("ln1p");
    xml.apply("abs");
    xml.field(field);
    xml.close();
    xml.close();
    xml.close();
  }
}
