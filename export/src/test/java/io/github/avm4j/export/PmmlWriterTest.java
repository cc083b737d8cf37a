// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.export;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.config.KernelChoice;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.Column;
import io.github.avm4j.kernel.Laplacian;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.pipeline.RowModel;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamReader;
import org.jpmml.model.JAXBSerializer;
import org.junit.jupiter.api.Test;

class PmmlWriterTest {
  @Test
  void everyKindOfColumnIsADerivedField() throws Exception {
    for (int classes : new int[] {2, 3, 5}) {
      assertClose(
          Streams.mixed(Task.CLASSIFICATION, classes, Map.of()),
          Avm.classifier().kernel(KernelChoice.GAUSSIAN).build());
    }
    assertClose(
        Streams.mixed(Task.REGRESSION, 0, Map.of()),
        Avm.regressor().kernel(KernelChoice.GAUSSIAN).build());
    assertClose(Streams.mixed(Task.REGRESSION, 0, Map.of()), Streams.gaussian(Task.REGRESSION));
  }

  @Test
  void sparseSchemasAreStandardisedInDerivedFields() throws Exception {
    assertClose(
        Streams.manyValues(Task.REGRESSION),
        Avm.regressor().kernel(KernelChoice.GAUSSIAN).budget(60).build());
  }

  @Test
  void featuresAreBoundedInDerivedFields() throws Exception {
    DataSet data = Streams.mixed(Task.REGRESSION, 0, Map.of());
    Learner learner = Avm.regressor().kernel(KernelChoice.GAUSSIAN).build();
    assertClose(data, CellModels.narrow(data.learn(learner)));
  }

  private static void assertClose(DataSet data, Learner learner) throws Exception {
    assertClose(data, data.learn(learner));
  }

  private static void assertClose(DataSet data, RowModel rows) throws Exception {
    Answers answers =
        new PmmlRuntime(PmmlWriter.write(rows, 0)).ask(rows, data.columns(), data.test());
    Comparison result = Comparison.of(rows, data.columns(), data.test(), answers);
    assertTrue(result.difference() < 1e-11, result.toString());
    assertEquals(result.excused(), result.otherLabels(), result.toString());
  }

  /** The library that knows PMML's schema writes the elements it has read in the schema's order. */
  @Test
  void elementsStandInTheOrderOfTheSchema() throws Exception {
    byte[] file =
        PmmlWriter.write(
            Streams.mixed(Task.CLASSIFICATION, 3, Map.of())
                .learn(Avm.classifier().kernel(KernelChoice.GAUSSIAN).build()),
            0);
    JAXBSerializer serializer = new JAXBSerializer();
    ByteArrayOutputStream again = new ByteArrayOutputStream();
    serializer.serialize(serializer.deserialize(new ByteArrayInputStream(file)), again);
    assertEquals(elements(again.toByteArray()), elements(file));
  }

  private static List<String> elements(byte[] file) throws Exception {
    List<String> names = new ArrayList<>();
    XMLStreamReader reader =
        XMLInputFactory.newDefaultFactory().createXMLStreamReader(new ByteArrayInputStream(file));
    while (reader.hasNext()) {
      if (reader.next() == XMLStreamConstants.START_ELEMENT) {
        names.add(reader.getLocalName() + reader.getAttributeCount());
      }
    }
    return names;
  }

  @Test
  void namesAreEscaped() throws Exception {
    DataSet data = Streams.mixed(Task.REGRESSION, 0, Map.of());
    List<Column> columns =
        data.schema().columns().stream()
            .map(
                c ->
                    new Column(
                        "<" + c.name() + "> & \"co\"",
                        c.kind(),
                        c.fill(),
                        c.categories(),
                        c.buckets(),
                        c.details()))
            .toList();
    RowModel learned = data.learn(Avm.regressor().kernel(KernelChoice.GAUSSIAN).build());
    RowModel rows =
        new RowModel(new io.github.avm4j.feature.Schema(columns), "", List.of(), learned.model());
    List<String> names = columns.stream().map(Column::name).toList();
    Answers answers = new PmmlRuntime(PmmlWriter.write(rows, 0)).ask(rows, names, data.test());
    Comparison result = Comparison.of(rows, names, data.test(), answers);
    assertTrue(result.difference() < 1e-11, result.toString());
  }

  @Test
  void whatPmmlCannotSayIsRefused() {
    DataSet hashed = Streams.mixed(Task.REGRESSION, 0, Map.of("colour", Column.Kind.HASHED));
    assertRefused("hashed", hashed.learn(Streams.gaussian(Task.REGRESSION)));
    DataSet full = Streams.full(Task.CLASSIFICATION, 3);
    assertRefused("hashed", full.learn(Streams.gaussian(Task.CLASSIFICATION)));
    DataSet mixed = Streams.mixed(Task.REGRESSION, 0, Map.of());
    Learner laplacian = LearnerKinds.paper(Task.REGRESSION, new Laplacian(1), 1);
    assertRefused("Laplacian", mixed.learn(laplacian));
    RowModel plain = mixed.learn(Streams.gaussian(Task.REGRESSION));
    assertRefused(
        "cells with a kernel expansion of their own", CellModels.divided(plain, plain.model()));
    assertRefused(
        "U+0001", new RowModel(plain.schema(), "bad\u0001name", plain.classNames(), plain.model()));
  }

  private static void assertRefused(String why, RowModel rows) {
    String message =
        assertThrows(NotExpressibleException.class, () -> PmmlWriter.write(rows, 0)).getMessage();
    assertTrue(message.contains(why), message);
  }
}
