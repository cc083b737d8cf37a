// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.pipeline;

import io.github.avm4j.internal.format.ByteReader;
import io.github.avm4j.internal.format.ByteWriter;
import io.github.avm4j.internal.format.ModelFormat;
import io.github.avm4j.internal.format.Sections;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.model.Provenance;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The list of parts of a version of a model that is published in parts: the pieces of its plan's
 * file and the file of each cell's model, each with a digest of its bytes. Parts that a version
 * shares with the version before are not published again; {@link CellAssembly} puts them together.
 *
 * <p>A part has a key, {@code PLAN/plan-0} or {@code PLAN/17}, under which a newer one replaces it.
 * Immutable.
 */
public final class CellManifest {
  /** The digest of a cell without a model: the plan's model predicts there. */
  public static final long NONE = 0;

  /** Most bytes of a piece of a plan: half of what brokers accept by default. */
  private static final int PIECE = 1 << 19;

  private static final Pattern PLAN = Pattern.compile("[0-9a-f]{1,16}");

  private final String plan;
  private final Provenance provenance;
  private final long[] pieces;
  private final long[] cells;

  /**
   * Of a version.
   *
   * @param plan name of the plan, up to 16 digits 0 to 9 and a to f
   * @param provenance where the whole comes from
   * @param pieces digest of each piece of the plan's file
   * @param cells digest of each cell's file, {@link #NONE} if it has no model
   * @throws IllegalArgumentException if the plan has no such name, no piece or no cell, or a piece
   *     has the digest {@link #NONE}
   */
  public CellManifest(String plan, Provenance provenance, long[] pieces, long[] cells) {
    if (!PLAN.matcher(plan).matches() || pieces.length == 0 || cells.length == 0) {
      throw new IllegalArgumentException(
          "a manifest needs a plan, its pieces and cells, had '%s', %d and %d"
              .formatted(plan, pieces.length, cells.length));
    }
    for (long piece : pieces) {
      if (piece == NONE) {
        throw new IllegalArgumentException("each piece of a plan needs a digest, one had none (0)");
      }
    }
    this.plan = plan;
    this.provenance = provenance;
    this.pieces = pieces.clone();
    this.cells = cells.clone();
  }

  /**
   * {@return whether bytes begin as a manifest does; a model's or learner's file does not}
   *
   * @param file bytes of a file
   */
  public static boolean isManifest(byte[] file) {
    return Sections.firstType(file) == Sections.PROVENANCE;
  }

  /**
   * {@return the manifest in the bytes of a file}
   *
   * @param file bytes of a file
   * @throws InvalidModelException if they are not such a file, or damaged
   */
  public static CellManifest read(byte[] file) throws InvalidModelException {
    Map<Integer, ByteReader> sections = Sections.read(file);
    ByteReader in = Sections.require(sections, Sections.MANIFEST, "MANIFEST");
    String plan = in.text();
    long[] pieces = digests(in, "pieces of the plan");
    long[] cells = digests(in, "cells");
    in.end();
    Provenance provenance =
        ModelFormat.readProvenance(Sections.require(sections, Sections.PROVENANCE, "PROVENANCE"));
    try {
      return new CellManifest(plan, provenance, pieces, cells);
    } catch (IllegalArgumentException e) {
      throw new InvalidModelException(String.valueOf(e.getMessage()), e);
    }
  }

  private static long[] digests(ByteReader in, String name) throws InvalidModelException {
    long[] digests = new long[in.count(name, Long.BYTES)];
    for (int i = 0; i < digests.length; i++) {
      digests[i] = in.i64();
    }
    return digests;
  }

  /** {@return this in the format of docs/format.md} */
  public byte[] toBytes() {
    ByteWriter out = new ByteWriter();
    out.text(plan);
    for (long[] digests : List.of(pieces, cells)) {
      out.i32(digests.length);
      for (long digest : digests) {
        out.i64(digest);
      }
    }
    return Sections.write(
        Map.of(
            Sections.PROVENANCE,
            ModelFormat.writeProvenance(provenance),
            Sections.MANIFEST,
            out.toBytes()));
  }

  /**
   * {@return what names the content of a part: the first 64 bits of its SHA-256, never {@link
   * #NONE}}
   *
   * @param part bytes of the part
   */
  public static long digest(byte[] part) {
    try {
      byte[] all = MessageDigest.getInstance("SHA-256").digest(part);
      long first = 0;
      for (int i = 0; i < Long.BYTES; i++) {
        first = first << 8 | all[i] & 0xFF;
      }
      return first == NONE ? 1 : first;
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /**
   * {@return the pieces of a plan's file, in order}
   *
   * @param file bytes of the plan as a model of rows
   */
  public static List<byte[]> pieces(byte[] file) {
    List<byte[]> all = new ArrayList<>();
    for (int from = 0; from < file.length; from += PIECE) {
      all.add(Arrays.copyOfRange(file, from, Math.min(file.length, from + PIECE)));
    }
    return all;
  }

  /** {@return the name of the plan} */
  public String plan() {
    return plan;
  }

  /** {@return where the whole comes from} */
  public Provenance provenance() {
    return provenance;
  }

  /** {@return the number of pieces of the plan's file} */
  public int planPieces() {
    return pieces.length;
  }

  /** {@return the number of parts: the pieces of the plan and the cells} */
  public int size() {
    return pieces.length + cells.length;
  }

  /**
   * {@return the digest of a part; {@link #NONE} for a cell without a model}
   *
   * @param part from 0: the pieces of the plan first, then the cells
   */
  public long digest(int part) {
    return part < pieces.length ? pieces[part] : cells[part - pieces.length];
  }

  /**
   * {@return the key of a part}
   *
   * @param part from 0: the pieces of the plan first, then the cells
   */
  public String key(int part) {
    return part < pieces.length ? pieceKey(plan, part) : cellKey(plan, part - pieces.length);
  }

  /**
   * {@return the key of a piece of a plan}
   *
   * @param plan name of the plan
   * @param piece the piece, from 0
   */
  public static String pieceKey(String plan, int piece) {
    return plan + "/plan-" + piece;
  }

  /**
   * {@return the key of a cell}
   *
   * @param plan name of the plan
   * @param cell the cell, from 0
   */
  public static String cellKey(String plan, int cell) {
    return plan + "/" + cell;
  }

  /**
   * {@return where a part lies, relative to the folder of the manifest}
   *
   * @param plan name of the plan
   * @param digest digest of the part
   */
  public static String path(String plan, long digest) {
    return "cells-" + plan + "/" + HexFormat.of().toHexDigits(digest) + ".part";
  }
}
