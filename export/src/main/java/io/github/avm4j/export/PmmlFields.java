// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.export;

import io.github.avm4j.feature.Bounds;
import io.github.avm4j.feature.Column;
import io.github.avm4j.feature.Scaling;
import io.github.avm4j.feature.Standard;
import javax.xml.stream.XMLStreamException;

/**
 * The fields of a PMML file: raw inputs, and how they become features. A feature that needs no work
 * is the input itself; all others are derived, first {@code avm4j:raw:j} where a column gives
 * several features, then {@code avm4j:bound:j}, cut to what was learned, then {@code avm4j:j},
 * scaled.
 */
final class PmmlFields {
  private static final double DAY = 86_400;
  private static final double YEAR = 365.2425;

  private final PmmlXml xml;
  private final Exportable source;
  private final BoundTable bounds;

  PmmlFields(PmmlXml xml, Exportable source) {
    this.xml = xml;
    this.source = source;
    this.bounds = source.bounds(source.model.bounds());
  }

  /** The inputs' declarations; a cell that is missing stays missing here. */
  void dataFields() throws XMLStreamException {
    for (int j = 0; source.schema.isNumbered() && j < source.dimension; j++) {
      xml.empty("DataField", "name", "x" + (j + 1), "optype", "continuous", "dataType", "double");
    }
    for (Column column : source.usedColumns()) {
      boolean text = column.kind() == Column.Kind.CATEGORY;
      if (column.buckets() > 0) {
        throw new NotExpressibleException(
            "column '"
                + column.name()
                + "' is hashed, and PMML has no hash of texts: export to ONNX, or train with the"
                + " column dropped or as categorical");
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
      if (column.kind() == Column.Kind.NUMBER) {
        miningField(column.name(), Double.toString(column.missing(0)));
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
        if (isRaw(column)) {
          raw(column, k, j);
        }
        j++;
      }
    }
    for (j = 0; j < source.dimension; j++) {
      if (bounds.is(j)) {
        bound(j);
      }
      if (isScaled(j)) {
        scaled(j);
      }
    }
  }

  boolean hasDerivedFields() {
    for (int j = 0; j < source.dimension; j++) {
      if (isScaled(j) || bounds.is(j)) {
        return true;
      }
    }
    return !source.isNumeric();
  }

  /** Whether the column's features are derived before they are scaled. */
  private static boolean isRaw(Column column) {
    return column.kind() != Column.Kind.NUMBER || !column.details().standard().isNone();
  }

  private boolean isScaled(int j) {
    return j < source.scaling.dimension();
  }

  /** The name of the field that holds feature j. */
  String feature(int j) {
    return isScaled(j) ? "avm4j:" + j : bounded(j);
  }

  private String bounded(int j) {
    return bounds.is(j) ? "avm4j:bound:" + j : unscaled(j);
  }

  private String unscaled(int j) {
    if (source.schema.isNumbered()) {
      return "x" + (j + 1);
    }
    int left = j;
    for (Column column : source.usedColumns()) {
      if (left < column.width()) {
        return isRaw(column) ? "avm4j:raw:" + j : column.name();
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
    double unit = column.details().unit();
    if (column.kind() == Column.Kind.CATEGORY && unit == 1) {
      xml.empty(
          "NormDiscrete",
          "field",
          column.name(),
          "value",
          column.categories().get(k),
          "mapMissingTo",
          "0");
    } else if (column.kind() == Column.Kind.CATEGORY) {
      indicator(column.name(), column.categories().get(k), unit);
    } else {
      xml.apply("*");
      xml.constant(unit);
      if (column.kind() == Column.Kind.NUMBER) {
        standard(column.details().standard(), () -> xml.field(column.name()));
      } else {
        time(column, k);
      }
      xml.close();
    }
    xml.close();
  }

  /** {@code unit} where the field is {@code value}, else 0. */
  private void indicator(String field, String value, double unit) throws XMLStreamException {
    xml.apply("if");
    xml.apply("isMissing");
    xml.field(field);
    xml.close();
    xml.constant(0);
    xml.apply("if");
    xml.apply("equal");
    xml.field(field);
    xml.open("Constant", "dataType", "string");
    xml.text(value);
    xml.close();
    xml.close();
    xml.constant(unit);
    xml.constant(0);
    xml.close();
    xml.close();
  }

  /** An expression being written. */
  private interface Part {
    void write() throws XMLStreamException;
  }

  /** {@link Standard#apply}. */
  private void standard(Standard standard, Part x) throws XMLStreamException {
    if (standard.isNone()) {
      x.write();
      return;
    }
    Part g = standard.logarithm() ? () -> logarithm(x) : x;
    clipped(g, standard.shift(), standard.scale(), -standard.limit(), standard.limit());
  }

  /** Feature k of a time in seconds since 1970: sine and cosine of day, week and year. */
  private void time(Column column, int k) throws XMLStreamException {
    String field = column.name();
    xml.apply("if");
    xml.apply("isMissing");
    xml.field(field);
    xml.close();
    xml.constant(column.missing(k));
    xml.apply(k % 2 == 0 ? "sin" : "cos");
    xml.apply("*");
    xml.constant(2 * Math.PI);
    shareGone(field, k < 2 ? 1 : k < 4 ? 7 : YEAR);
    xml.close();
    xml.close();
    xml.close();
  }

  /** The share gone of the running span of so many days; a week begins on Monday. */
  private void shareGone(String field, double days) throws XMLStreamException {
    xml.apply("-");
    daysGone(field, days);
    xml.apply("floor");
    daysGone(field, days);
    xml.close();
    xml.close();
  }

  /** floor(seconds)/day, or (that + 3)/7 in weeks, as day 0 was a Thursday, or that/year. */
  private void daysGone(String field, double days) throws XMLStreamException {
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
      xml.constant(days == 7 ? 3 : 0);
      xml.close();
      xml.constant(days);
      xml.close();
    }
  }

  /** {@link Bounds#apply}. */
  private void bound(int j) throws XMLStreamException {
    derived("avm4j:bound:" + j);
    xml.apply("if");
    xml.apply("or");
    xml.apply("lessThan");
    xml.field(unscaled(j));
    xml.constant(bounds.below()[j]);
    xml.close();
    xml.apply("greaterThan");
    xml.field(unscaled(j));
    xml.constant(bounds.above()[j]);
    xml.close();
    xml.close();
    xml.constant(bounds.mean()[j]);
    xml.apply("max");
    xml.constant(bounds.lower()[j]);
    xml.apply("min");
    xml.constant(bounds.upper()[j]);
    xml.field(unscaled(j));
    xml.close();
    xml.close();
    xml.close();
    xml.close();
  }

  /** {@link Scaling#apply}. */
  private void scaled(int j) throws XMLStreamException {
    Scaling scaling = source.scaling;
    derived("avm4j:" + j);
    Part field = () -> xml.field(bounded(j));
    Part g = scaling.isLogarithmic(j) ? () -> logarithm(field) : field;
    clipped(g, scaling.shift(j), scaling.scale(j), -Scaling.LIMIT, Scaling.LIMIT);
    xml.close();
  }

  /** max(lower, min(upper, (g − shift)·scale)), without the cut where the limits are infinite. */
  private void clipped(Part g, double shift, double scale, double lower, double upper)
      throws XMLStreamException {
    boolean cut = Double.isFinite(upper);
    if (cut) {
      xml.apply("max");
      xml.constant(lower);
      xml.apply("min");
      xml.constant(upper);
    }
    xml.apply("*");
    xml.apply("-");
    g.write();
    xml.constant(shift);
    xml.close();
    xml.constant(scale);
    xml.close();
    if (cut) {
      xml.close();
      xml.close();
    }
  }

  /** sign(x)·log(1 + |x|). */
  private void logarithm(Part x) throws XMLStreamException {
    xml.apply("*");
    xml.apply("if");
    xml.apply("lessThan");
    x.write();
    xml.constant(0);
    xml.close();
    xml.constant(-1);
    xml.constant(1);
    xml.close();
    xml.apply("ln1p");
    xml.apply("abs");
    x.write();
    xml.close();
    xml.close();
    xml.close();
  }
}
