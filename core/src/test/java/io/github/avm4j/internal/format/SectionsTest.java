// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.format;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.model.InvalidModelException;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SectionsTest {
  private static final byte[] PAYLOAD = {5, 6, 7};

  private static String refusal(byte[] file) {
    return assertThrows(InvalidModelException.class, () -> Sections.read(file)).getMessage();
  }

  @Test
  void writesWhatTheDocumentDraws() {
    byte[] expected = new FileForge().section(1, PAYLOAD).section(3, new byte[0]).toBytes();
    assertArrayEquals(expected, Sections.write(Map.of(3, new byte[0], 1, PAYLOAD)));
  }

  @Test
  void readsSectionsInAnyOrder() throws InvalidModelException {
    byte[] file = new FileForge().section(4, PAYLOAD).section(2, new byte[] {9}).toBytes();
    Map<Integer, ByteReader> sections = Sections.read(file);
    assertEquals(2, sections.size());
    assertEquals(9, sections.get(2).u8());
    assertEquals(3, sections.get(4).remaining());
    assertEquals(5, sections.get(4).u8());
  }

  @Test
  void refusesOtherFiles() {
    assertTrue(refusal(new byte[0]).contains("not written by avm4j"));
    assertTrue(
        refusal("PNG something else".getBytes(java.nio.charset.StandardCharsets.UTF_8))
            .contains("not written by avm4j"));
    // What a transfer as text does to the line ends.
    byte[] file = new FileForge().section(1, PAYLOAD).toBytes();
    byte[] asText = new byte[file.length - 1];
    System.arraycopy(file, 0, asText, 0, 4);
    System.arraycopy(file, 5, asText, 4, asText.length - 4);
    assertTrue(refusal(asText).contains("not written by avm4j"));
  }

  @Test
  void refusesVersionsItDoesNotKnow() {
    FileForge forge = new FileForge().section(1, PAYLOAD);
    for (int version : new int[] {0, 2, 3, 256, 65535}) {
      String message = refusal(forge.toBytes(version, 1));
      assertTrue(message.contains("format version " + version), message);
      assertTrue(message.contains("1 to 1"), message);
    }
  }

  @Test
  void refusesAWrongNumberOfSections() {
    FileForge forge = new FileForge().section(1, PAYLOAD).section(2, PAYLOAD);
    assertTrue(refusal(forge.toBytes(1, 3)).contains("cut short"));
    assertTrue(refusal(forge.toBytes(1, 1)).contains("bytes too many"));
    assertTrue(refusal(forge.toBytes(1, 65535)).contains("cut short"));
  }

  @Test
  void refusesAnUnknownMandatorySection() {
    for (int type : new int[] {0, 9, Sections.BOUNDS + 1, 77, 0x7FFF_FFFF}) {
      String message =
          refusal(new FileForge().section(1, PAYLOAD).section(type, PAYLOAD).toBytes());
      assertTrue(message.contains("unknown section " + type), message);
      assertTrue(message.contains("newer avm4j"), message);
    }
  }

  @Test
  void skipsUnknownOptionalSectionsButChecksThem() throws InvalidModelException {
    FileForge forge =
        new FileForge()
            .section(0x8000_0000, PAYLOAD)
            .section(1, PAYLOAD)
            .section(0x8000_0001, PAYLOAD)
            .section(0x8000_0001, PAYLOAD)
            .section(0xFFFF_FFFF, new byte[0]);
    byte[] file = forge.toBytes();
    assertEquals(java.util.Set.of(1), Sections.read(file).keySet());
    file[file.length - 1] ^= 1;
    assertTrue(refusal(file).contains("section 4294967295 is damaged"), refusal(file));
  }

  @Test
  void refusesASectionThatAppearsTwice() {
    byte[] file = new FileForge().section(2, PAYLOAD).section(2, new byte[] {1}).toBytes();
    assertEquals("section 2 appears twice", refusal(file));
  }

  @Test
  void refusesLengthsBeyondTheFile() {
    for (int length : new int[] {4, 5, 100, Integer.MAX_VALUE, -1, Integer.MIN_VALUE}) {
      ByteWriter section = new ByteWriter();
      section.i32(1);
      section.i32(length);
      section.raw(new byte[7]);
      byte[] file = new FileForge().raw(section.toBytes()).toBytes();
      String message = refusal(file);
      assertTrue(message.contains("cut short") || message.contains("must be >= 0"), message);
      assertTrue(Allocation.of(() -> Sections.read(file)) < 16_384);
    }
  }

  @Test
  void namesAMissingSection() throws InvalidModelException {
    Map<Integer, ByteReader> sections = Sections.read(new FileForge().toBytes());
    String message =
        assertThrows(
                InvalidModelException.class,
                () -> Sections.require(sections, Sections.MODEL, "MODEL"))
            .getMessage();
    assertEquals("the file has no MODEL section (3)", message);
  }

  @Test
  void manyOptionalSectionsCostNothing() throws InvalidModelException {
    FileForge forge = new FileForge();
    for (int s = 0; s < 60_000; s++) {
      forge.section(0x8000_0000 + s, new byte[0]);
    }
    byte[] file = forge.toBytes();
    assertTrue(Sections.read(file).isEmpty());
    long bytes = Allocation.of(() -> Sections.read(file));
    assertTrue(bytes < 16_384, bytes + " bytes for a file of " + file.length);
  }

  @Test
  void theChecksumCoversTypeAndLength() {
    byte[] file = new FileForge().section(1, PAYLOAD).section(2, PAYLOAD).toBytes();
    byte[] other = Arrays.copyOf(file, file.length);
    other[12] = 3;
    assertTrue(refusal(other).contains("section 3 is damaged"));
  }
}
