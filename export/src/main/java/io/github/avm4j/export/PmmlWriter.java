// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.export;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.kernel.Gaussian;
import io.github.avm4j.model.Model;
import io.github.avm4j.pipeline.RowModel;
import javax.xml.stream.XMLStreamException;

/**
 * Models as PMML 4.4: a SupportVectorMachineModel whose support vectors are the core points, with
 * encoding and scaling as derived fields. Gaussian kernel only, no cells.
 *
 * <p>Classes are decided by OneAgainstAll: one machine a class, and as PMML's default has it the
 * smallest value wins, so each machine holds −f. The field of a time takes seconds since
 * 1970-01-01T00:00, as written and without its zone; a missing cell is a missing value.
 *
 * @since 0.1.0
 */
public final class PmmlWriter {
  private PmmlWriter() {}

  /**
   * {@return the file of a model of plain vectors; field j is named {@code xj}, from 1}
   *
   * @param model the model
   */
  public static byte[] write(Model model) {
    return write(Exportable.named(model), 0);
  }

  /**
   * {@return the file of a model of raw rows} O(S·d) time and memory.
   *
   * @param rows the model of rows
   * @param features number of numbered features, 0 for as many as the model has seen
   * @throws NotExpressibleException if PMML cannot say what the model says
   */
  public static byte[] write(RowModel rows, int features) {
    Exportable source = new Exportable(rows, features);
    if (!(source.model.config().kernel() instanceof Gaussian)) {
      throw new NotExpressibleException(
          "PMML has no kernel "
              + source.model.config().kernel()
              + ", of ours only the Gaussian: export to ONNX, or train with a Gaussian kernel"
              + " (--kernel gaussian)");
    }
    source.requireOneExpansion("PMML");
    try {
      PmmlXml xml = new PmmlXml();
      new PmmlWriter.Body(xml, source).write();
      return xml.toBytes();
    } catch (XMLStreamException e) {
      throw new NotExpressibleException("a name cannot be written as XML: " + e.getMessage());
    }
  }

  /** The elements in the order of PMML's schema. */
  private static final class Body {
    private final PmmlXml xml;
    private final Exportable source;
    private final PmmlFields fields;
    private final String target;

    Body(PmmlXml xml, Exportable source) {
      this.xml = xml;
      this.source = source;
      this.fields = new PmmlFields(xml, source);
      this.target = source.freeName(source.targetName());
    }

    void write() throws XMLStreamException {
      header();
      xml.open("DataDictionary");
      fields.dataFields();
      targetField();
      xml.close();
      xml.open(
          "SupportVectorMachineModel",
          "modelName",
          "avm4j",
          "functionName",
          source.isClassification() ? "classification" : "regression",
          "algorithmName",
          "Approximation Vector Machine",
          "classificationMethod",
          "OneAgainstAll",
          "svmRepresentation",
          "SupportVectors");
      xml.open("MiningSchema");
      fields.miningFields();
      xml.empty("MiningField", "name", target, "usageType", "target");
      xml.close();
      if (fields.hasDerivedFields()) {
        xml.open("LocalTransformations");
        fields.derivedFields();
        xml.close();
      }
      String gamma = Double.toString(source.model.config().kernel().gamma());
      xml.empty("RadialBasisKernelType", "gamma", gamma);
      vectors();
      machines();
      xml.close();
      xml.close();
    }

    private void header() throws XMLStreamException {
      xml.open("Header", "description", "Kernel expansion over core points, learned by avm4j");
      for (var fact : source.provenance().entrySet()) {
        xml.empty("Extension", "name", fact.getKey(), "value", fact.getValue());
      }
      xml.empty("Application", "name", "avm4j", "version", source.model.provenance().library());
      xml.close();
    }

    private void targetField() throws XMLStreamException {
      boolean classes = source.isClassification();
      xml.open(
          "DataField",
          "name",
          target,
          "optype",
          classes ? "categorical" : "continuous",
          "dataType",
          classes ? "string" : "double");
      for (int j = 0; j < source.model.classes(); j++) {
        xml.empty("Value", "value", source.className(j));
      }
      xml.close();
    }

    private void vectors() throws XMLStreamException {
      int size = source.model.size();
      xml.open("VectorDictionary", "numberOfVectors", Integer.toString(size));
      xml.open("VectorFields", "numberOfFields", Integer.toString(source.dimension));
      for (int j = 0; j < source.dimension; j++) {
        xml.field(fields.feature(j));
      }
      xml.close();
      for (int i = 0; i < size; i++) {
        xml.open("VectorInstance", "id", "c" + i);
        vector(FeatureVector.dense(source.point(i)));
        xml.close();
      }
      xml.close();
    }

    private void vector(FeatureVector point) throws XMLStreamException {
      StringBuilder indices = new StringBuilder();
      StringBuilder entries = new StringBuilder();
      for (int k = 0; k < point.count(); k++) {
        if (point.values()[k] != 0) {
          indices.append(k + 1).append(' ');
          entries.append(point.values()[k]).append(' ');
        }
      }
      xml.open("REAL-SparseArray", "n", Integer.toString(source.dimension), "defaultValue", "0");
      if (entries.length() > 0) {
        element("Indices", indices.toString().strip());
        element("REAL-Entries", entries.toString().strip());
      }
      xml.close();
    }

    private void element(String name, String text) throws XMLStreamException {
      xml.open(name);
      xml.text(text);
      xml.close();
    }

    private void machines() throws XMLStreamException {
      int machines = Math.max(1, source.model.classes());
      int size = source.model.size();
      for (int j = 0; j < machines; j++) {
        if (source.isClassification()) {
          xml.open("SupportVectorMachine", "targetCategory", source.className(j));
        } else {
          xml.open("SupportVectorMachine");
        }
        xml.open(
            "SupportVectors",
            "numberOfSupportVectors",
            Integer.toString(size),
            "numberOfAttributes",
            Integer.toString(source.dimension));
        for (int i = 0; i < size; i++) {
          xml.empty("SupportVector", "vectorId", "c" + i);
        }
        xml.close();
        coefficients(j, size);
        xml.close();
      }
    }

    private void coefficients(int j, int size) throws XMLStreamException {
      xml.open(
          "Coefficients",
          "numberOfCoefficients",
          Integer.toString(size),
          "absoluteValue",
          Double.toString(source.model.intercept()));
      for (int i = 0; i < size; i++) {
        double w = source.coefficient(j, i);
        double value = source.isClassification() ? 0.0 - w : w;
        xml.empty("Coefficient", "value", Double.toString(value));
      }
      xml.close();
    }
  }
}
