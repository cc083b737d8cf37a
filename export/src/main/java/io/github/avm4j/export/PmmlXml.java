// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.export;

import java.io.ByteArrayOutputStream;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** PMML being written: elements with attributes as name, value, name, value… */
final class PmmlXml {
  private static final String NAMESPACE = "http://www.dmg.org/PMML-4_4";

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final XMLStreamWriter out;

  PmmlXml() throws XMLStreamException {
    out = XMLOutputFactory.newDefaultFactory().createXMLStreamWriter(bytes, "UTF-8");
    out.writeStartDocument("UTF-8", "1.0");
    open("PMML", "xmlns", NAMESPACE, "version", "4.4");
  }

  void open(String element, String... attributes) throws XMLStreamException {
    out.writeCharacters("\n");
    out.writeStartElement(element);
    write(attributes);
  }

  void empty(String element, String... attributes) throws XMLStreamException {
    out.writeCharacters("\n");
    out.writeEmptyElement(element);
    write(attributes);
  }

  private void write(String... attributes) throws XMLStreamException {
    for (int i = 0; i < attributes.length; i += 2) {
      checkText(attributes[i + 1]);
      out.writeAttribute(attributes[i], attributes[i + 1]);
    }
  }

  /** XML has no way to write most control characters, not even escaped. */
  private static void checkText(String text) {
    for (int i = 0; i < text.length(); i++) {
      char ch = text.charAt(i);
      if (ch < ' ' && ch != '\t' && ch != '\n' && ch != '\r' || ch >= '\uFFFE') {
        throw new NotExpressibleException(
            String.format("XML cannot hold the character U+%04X of a name: rename it", (int) ch));
      }
    }
  }

  void text(String text) throws XMLStreamException {
    checkText(text);
    out.writeCharacters(text);
  }

  void close() throws XMLStreamException {
    out.writeEndElement();
  }

  void apply(String function) throws XMLStreamException {
    open("Apply", "function", function);
  }

  void field(String name) throws XMLStreamException {
    empty("FieldRef", "field", name);
  }

  void constant(double value) throws XMLStreamException {
    open("Constant", "dataType", "double");
    text(Double.toString(value));
    close();
  }

  byte[] toBytes() throws XMLStreamException {
    out.writeEndDocument();
    out.close();
    return bytes.toByteArray();
  }
}
