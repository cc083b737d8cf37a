// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.format;

import io.github.avm4j.model.InvalidModelException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/**
 * The container of docs/format.md: magic, version, then sections of (type, length, payload,
 * CRC32C). Knows nothing of what a section means.
 */
public final class Sections {
  /** The configuration record. */
  public static final int CONFIG = 1;

  /** Where the model comes from. */
  public static final int PROVENANCE = 2;

  /** Labels, core points and the coefficients of the output. */
  public static final int MODEL = 3;

  /** What the paper's learner needs beyond the model to go on. */
  public static final int LEARNER = 4;

  /** What the second-order learner needs beyond the model to go on. */
  public static final int SECOND_ORDER = 5;

  /** Scaling and intercept; a file without it has neither. */
  public static final int SCALING = 6;

  /** Settings of the default learner, and all that it needs beyond its model to go on. */
  public static final int STATE = 7;

  /** Columns, the target's name and the names of the classes. */
  public static final int SCHEMA = 8;

  /** Details of the columns in SCHEMA; a file without it has columns of the first format. */
  public static final int COLUMNS = 12;

  /** Centres of cells and their models; a file without it has none. */
  public static final int CELLS = 13;

  /** Thresholds of intervals and prediction sets; a file without it has none. */
  public static final int CALIBRATION = 16;

  /** Who predicts in the cell that a learner is of; a file without it is of no such learner. */
  public static final int CELL_CONTEST = 17;

  /** Settings and state of a detector; a file has it and no model. */
  public static final int DETECTOR = 19;

  /** The parts of a model that is published in parts; a file with it has no model of its own. */
  public static final int MANIFEST = 20;

  /** How the cells of the columns in SCHEMA are read; a file without it has the default rules. */
  public static final int CELL_RULES = 22;

  /** Rows that were predicted and wait for their labels; a file without it has none. */
  public static final int WAITING = 23;

  /** Ranges of features; a file without it bounds none. */
  public static final int BOUNDS = 24;

  /** Of what was never released. */
  private static final Set<Integer> RETIRED = Set.of(9, 10, 14, 15, 18, 21);

  /** The newest container version; this code reads every one up to it. */
  public static final int VERSION = 1;

  /** Types from here on may be skipped by a reader that does not know them. */
  private static final int OPTIONAL = 0x8000_0000;

  private static final byte[] MAGIC = {(byte) 0x89, 'A', 'V', 'M', '\r', '\n', 0x1A, '\n'};

  /** Bytes that every file begins with. */
  public static final int HEAD = MAGIC.length;

  /** Where the low byte of the number of sections is. */
  private static final int COUNT_AT = 10;

  /** Bytes of a section beside its payload: type, length and checksum. */
  private static final int AROUND = 3 * Integer.BYTES;

  private Sections() {}

  /** The file that holds the given payloads, in ascending order of type. */
  public static byte[] write(Map<Integer, byte[]> payloads) {
    long bytes = HEAD + 2L * Short.BYTES;
    for (byte[] payload : payloads.values()) {
      bytes += AROUND + (long) payload.length;
    }
    ByteWriter out = new ByteWriter(bytes);
    CRC32C crc = new CRC32C();
    out.raw(MAGIC);
    out.u16(VERSION);
    out.u16(payloads.size());
    for (Map.Entry<Integer, byte[]> section : new TreeMap<>(payloads).entrySet()) {
      writeSection(out, crc, section.getKey(), section.getValue());
    }
    return out.toBytes();
  }

  /** The file {@code file} with one section more, of a type it does not have. */
  public static byte[] append(byte[] file, int type, byte[] payload) {
    ByteWriter out = new ByteWriter(AROUND + (long) file.length + payload.length);
    out.raw(file);
    writeSection(out, new CRC32C(), type, payload);
    byte[] longer = out.toBytes();
    longer[COUNT_AT]++;
    return longer;
  }

  private static void writeSection(ByteWriter out, CRC32C crc, int type, byte[] payload) {
    out.i32(type);
    out.i32(payload.length);
    out.raw(payload);
    out.i32(crc(crc, type, payload, 0, payload.length));
  }

  /** The sections of a file by type, each as a reader; lengths and checksums are checked here. */
  public static Map<Integer, ByteReader> read(byte[] file) throws InvalidModelException {
    requireMagic(file);
    ByteReader in = new ByteReader(file, HEAD, file.length - HEAD, "the file");
    int version = in.u16();
    if (version == 0 || version > VERSION) {
      throw new InvalidModelException(
          "the file has format version "
              + version
              + ", and this avm4j reads versions 1 to "
              + VERSION
              + ": use a newer avm4j");
    }
    int count = in.u16();
    Map<Integer, ByteReader> sections = new TreeMap<>();
    CRC32C crc = new CRC32C();
    for (int s = 0; s < count; s++) {
      int type = in.i32();
      int length = in.count("section length", 1);
      int start = file.length - in.remaining();
      skip(in, length);
      if (in.i32() != crc(crc, type, file, start, length)) {
        throw new InvalidModelException(
            name(type)
                + " is damaged (its checksum does not match): copy the file again, or train anew");
      }
      if (isKnown(type)) {
        add(sections, type, new ByteReader(file, start, length, name(type)));
      }
    }
    in.end();
    return sections;
  }

  /** The type of the first section of what begins as a file does; -1 if there is none. */
  public static int firstType(byte[] file) {
    int at = HEAD + 4;
    return file.length < at + 4 || !Arrays.equals(MAGIC, 0, HEAD, file, 0, HEAD)
        ? -1
        : file[at] & 0xFF
            | (file[at + 1] & 0xFF) << 8
            | (file[at + 2] & 0xFF) << 16
            | file[at + 3] << 24;
  }

  /**
   * Whether what begins as a file does has a section of that type, by the headers of its sections
   * alone: checksums are not looked at, and what ends early has none.
   */
  public static boolean has(byte[] file, int type) {
    if (firstType(file) == -1) {
      return false;
    }
    ByteBuffer in = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    long at = HEAD + 4L;
    while (at + 8 <= file.length) {
      if (in.getInt((int) at) == type) {
        return true;
      }
      int length = in.getInt((int) at + 4);
      if (length < 0) {
        return false;
      }
      at += 12L + length;
    }
    return false;
  }

  /** Checks that a file's first {@link #HEAD} bytes are those of this format. */
  public static void requireMagic(byte[] file) throws InvalidModelException {
    if (file.length < HEAD || !Arrays.equals(MAGIC, 0, HEAD, file, 0, HEAD)) {
      throw new InvalidModelException(
          "the file was not written by avm4j: it does not begin as model files do");
    }
  }

  private static String name(int type) {
    return "section " + Integer.toUnsignedString(type);
  }

  /** Whether to read a section; one that is not known may be skipped or must not be. */
  private static boolean isKnown(int type) throws InvalidModelException {
    boolean known = type >= CONFIG && type <= BOUNDS && !RETIRED.contains(type);
    if (!known && (type & OPTIONAL) == 0) {
      throw new InvalidModelException(
          "the file has an unknown " + name(type) + ": use a newer avm4j");
    }
    return known;
  }

  private static void skip(ByteReader in, int length) throws InvalidModelException {
    if (in.remaining() < (long) length + 4) {
      throw new InvalidModelException(
          "the file is cut short: a section of "
              + length
              + " bytes has "
              + in.remaining()
              + " left; copy the file again, or train anew");
    }
    in.advance(length);
  }

  private static void add(Map<Integer, ByteReader> sections, int type, ByteReader reader)
      throws InvalidModelException {
    if (sections.put(type, reader) != null) {
      throw new InvalidModelException(name(type) + " appears twice");
    }
  }

  /** The section of the given type. */
  public static ByteReader require(Map<Integer, ByteReader> sections, int type, String name)
      throws InvalidModelException {
    ByteReader reader = sections.get(type);
    if (reader == null && sections.containsKey(DETECTOR)) {
      throw new InvalidModelException(
          "the file holds a detector of anomalies, no model: Avm.loadDetector reads it");
    }
    if (reader == null) {
      throw new InvalidModelException(
          sections.containsKey(MANIFEST)
              ? "the file lists the parts of a model; read it where they are: its topic or folder"
              : "the file has no " + name + " section (" + type + ")");
    }
    return reader;
  }

  private static int crc(CRC32C crc, int type, byte[] bytes, int offset, int length) {
    crc.reset();
    update(crc, type);
    update(crc, length);
    crc.update(bytes, offset, length);
    return (int) crc.getValue();
  }

  private static void update(CRC32C crc, int value) {
    for (int shift = 0; shift < 32; shift += 8) {
      crc.update(value >>> shift);
    }
  }
}
