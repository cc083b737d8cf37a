// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.format;

import io.github.avm4j.config.LearnerConfig;
import io.github.avm4j.feature.Bounds;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Scaling;
import io.github.avm4j.internal.coreset.CoreSet;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.model.Model;
import io.github.avm4j.model.Provenance;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * Models as bytes, drawn in docs/format.md; the only place that knows them. Files are read for
 * ever: a later version adds codes and sections and changes none.
 *
 * <p>Reading trusts nothing: every length is checked against the bytes present before it is
 * allocated, so a file of n bytes makes the reader allocate at most 16·n bytes and 64 kB.
 */
public final class ModelFormat {
  private static final int DENSE = 0;
  private static final int OPEN_ENDED = 1;
  private static final int POSTINGS = 2;

  /** Most bytes of a file: what one array holds. */
  public static final int MOST_BYTES = ByteWriter.MOST;

  private ModelFormat() {}

  /** The model as a file's bytes. */
  public static byte[] write(Model model) {
    return Sections.write(payloads(model));
  }

  /** The CONFIG, PROVENANCE and MODEL sections, for files that hold more. */
  public static Map<Integer, byte[]> payloads(Model model) {
    Map<Integer, byte[]> payloads = new TreeMap<>();
    payloads.put(Sections.CONFIG, ConfigFormat.write(model.config()));
    payloads.put(Sections.PROVENANCE, writeProvenance(model.provenance()));
    payloads.put(Sections.MODEL, writeModel(model));
    if (!model.scaling().isIdentity() || model.intercept() != 0) {
      payloads.put(Sections.SCALING, writeScaling(model.scaling(), model.intercept()));
    }
    if (!model.calibration().levels().isEmpty()) {
      payloads.put(Sections.CALIBRATION, CalibrationFormat.write(model.calibration()));
    }
    if (model.bounds().dimension() > 0) {
      payloads.put(Sections.BOUNDS, writeBounds(model.bounds()));
    }
    if (!model.levels().isEmpty()) {
      payloads.put(Sections.CELLS, CellsFormat.write(model.levels()));
    }
    return payloads;
  }

  /**
   * The model in a model's or a learner's file.
   *
   * @throws InvalidModelException if the bytes are not one
   */
  public static Model read(byte[] file) throws InvalidModelException {
    return read(Sections.read(file));
  }

  /** The model in a file of that path. */
  public static Model read(Path path) throws IOException {
    return read(bytes(path));
  }

  /**
   * The bytes of a model's or learner's file.
   *
   * @throws InvalidModelException if it is larger than such a file can be, or does not begin as one
   */
  public static byte[] bytes(Path path) throws IOException {
    long size = Files.size(path);
    if (size > MOST_BYTES) {
      try (InputStream in = Files.newInputStream(path)) {
        Sections.requireMagic(in.readNBytes(Sections.HEAD));
      }
      throw new InvalidModelException(
          "the file has %d bytes; one of avm4j has at most %d".formatted(size, MOST_BYTES));
    }
    return Files.readAllBytes(path);
  }

  /** The model among sections already taken apart. */
  public static Model read(Map<Integer, ByteReader> sections) throws InvalidModelException {
    LearnerConfig config = ConfigFormat.read(Sections.require(sections, Sections.CONFIG, "CONFIG"));
    Provenance provenance =
        readProvenance(Sections.require(sections, Sections.PROVENANCE, "PROVENANCE"));
    Model model =
        readModel(config, provenance, Sections.require(sections, Sections.MODEL, "MODEL"));
    ByteReader scaling = sections.get(Sections.SCALING);
    if (scaling != null) {
      double intercept = scaling.f64("intercept");
      model = scaled(model, readScaling(scaling), intercept);
      scaling.end();
    }
    ByteReader calibration = sections.get(Sections.CALIBRATION);
    if (calibration != null) {
      model = model.with(CalibrationFormat.read(calibration, config.task()));
    }
    ByteReader bounds = sections.get(Sections.BOUNDS);
    if (bounds != null) {
      model = model.with(readBounds(bounds));
    }
    ByteReader cells = sections.get(Sections.CELLS);
    return cells == null ? model : CellsFormat.read(model, cells);
  }

  private static Model scaled(Model model, Scaling scaling, double intercept)
      throws InvalidModelException {
    try {
      return model.with(scaling, intercept);
    } catch (IllegalArgumentException e) {
      throw new InvalidModelException("the scaling is not valid: " + e.getMessage(), e);
    }
  }

  private static byte[] writeScaling(Scaling scaling, double intercept) {
    ByteWriter out = new ByteWriter();
    out.f64(intercept);
    writeScaling(out, scaling);
    return out.toBytes();
  }

  public static void writeScaling(ByteWriter out, Scaling scaling) {
    out.u8(scaling.isSparse() ? 1 : 0);
    out.i32(scaling.dimension());
    for (int j = 0; j < scaling.dimension(); j++) {
      out.f64(scaling.shift(j));
      out.f64(scaling.scale(j));
      out.u8(scaling.isLogarithmic(j) ? 1 : 0);
    }
  }

  public static Scaling readScaling(ByteReader in) throws InvalidModelException {
    boolean sparse = in.code("sparse scaling", 2) == 1;
    int dimension = in.count("scaled features", 17);
    double[] shift = new double[dimension];
    double[] scale = new double[dimension];
    boolean[] logarithm = new boolean[dimension];
    for (int j = 0; j < dimension; j++) {
      shift[j] = in.f64("shift");
      scale[j] = in.f64("scale");
      logarithm[j] = in.code("logarithm", 2) == 1;
    }
    try {
      return new Scaling(shift, scale, logarithm, sparse);
    } catch (IllegalArgumentException e) {
      throw new InvalidModelException("the scaling is not valid: " + e.getMessage(), e);
    }
  }

  private static byte[] writeBounds(Bounds bounds) {
    ByteWriter out = new ByteWriter();
    out.u8(bounds.isSparse() ? 1 : 0);
    out.i32(bounds.dimension());
    for (int j = 0; j < bounds.dimension(); j++) {
      out.f64(bounds.lowest(j));
      out.f64(bounds.highest(j));
      out.f64(bounds.mean(j));
      out.i64(bounds.count(j));
      out.i64(bounds.cut(j));
    }
    return out.toBytes();
  }

  private static Bounds readBounds(ByteReader in) throws InvalidModelException {
    boolean sparse = in.code("sparse bounds", 2) == 1;
    int dimension = in.count("bounded features", 40);
    double[][] numbers = new double[3][dimension];
    long[][] counts = new long[2][dimension];
    for (int j = 0; j < dimension; j++) {
      for (double[] number : numbers) {
        number[j] = in.f64("range");
      }
      for (long[] count : counts) {
        count[j] = in.i64();
      }
    }
    in.end();
    try {
      return new Bounds(numbers[0], numbers[1], numbers[2], counts[0], counts[1], sparse);
    } catch (IllegalArgumentException e) {
      throw new InvalidModelException("the bounds are not valid: " + e.getMessage(), e);
    }
  }

  /** The PROVENANCE section. */
  public static byte[] writeProvenance(Provenance provenance) {
    ByteWriter out = new ByteWriter();
    out.text(provenance.library());
    out.i64(provenance.instances());
    out.text(provenance.jdk());
    out.text(provenance.architecture());
    out.text(provenance.simd());
    return out.toBytes();
  }

  /** The provenance in its section. */
  public static Provenance readProvenance(ByteReader in) throws InvalidModelException {
    String library = in.text();
    long instances = in.i64();
    if (instances < 0) {
      throw new InvalidModelException("instances must be >= 0, was " + instances);
    }
    Provenance provenance = new Provenance(library, instances, in.text(), in.text(), in.text());
    in.end();
    return provenance;
  }

  private static byte[] writeModel(Model model) {
    CoreSet set = model.coreSet();
    ByteWriter out = new ByteWriter();
    out.i32(model.classes());
    for (int j = 0; j < model.classes(); j++) {
      out.f64(model.label(j));
    }
    writeCoreSet(out, set);
    out.i32(model.columns());
    for (int c = 0; c < model.columns(); c++) {
      for (int i = 0; i < set.size(); i++) {
        out.f64(model.coefficient(c, i));
      }
    }
    return out.toBytes();
  }

  private static Model readModel(LearnerConfig config, Provenance provenance, ByteReader in)
      throws InvalidModelException {
    double[] labels = readLabels(in);
    CoreSet set = readCoreSet(in, Double.BYTES);
    double[][] coefficients = new double[columns(in, labels.length, set.size())][];
    for (int c = 0; c < coefficients.length; c++) {
      coefficients[c] = in.f64s("coefficient", set.size());
    }
    in.end();
    try {
      return new Model(config, provenance, labels, set, coefficients, Scaling.none(), 0);
    } catch (IllegalArgumentException e) {
      throw new InvalidModelException("the model does not fit together: " + e.getMessage(), e);
    }
  }

  private static double[] readLabels(ByteReader in) throws InvalidModelException {
    double[] labels = in.f64s("label", in.count("labels", 8));
    try {
      LearnerConfig.checkLabels(labels);
    } catch (IllegalArgumentException e) {
      throw new InvalidModelException("the labels are not valid: " + e.getMessage(), e);
    }
    return labels;
  }

  private static int columns(ByteReader in, int labels, int size) throws InvalidModelException {
    int columns = in.i32();
    int expected = labels <= 2 ? 1 : labels;
    if (columns != expected) {
      throw new InvalidModelException(
          labels + " labels need " + expected + " columns, were " + columns);
    }
    if (8L * columns * size > in.remaining()) {
      throw new InvalidModelException(
          columns + " columns of " + size + " coefficients are not here");
    }
    return columns;
  }

  /** Core points among other bytes. */
  public static void writeCoreSet(ByteWriter out, CoreSet set) {
    boolean postings = set.storesPostings();
    out.u8(postings ? POSTINGS : set.isOpenEnded() ? OPEN_ENDED : DENSE);
    out.i32(set.dimension());
    out.i32(set.size());
    for (int i = 0; i < set.size(); i++) {
      out.u8(set.isCentre(i) ? 1 : 0);
      if (postings) {
        FeatureVector point = set.point(i);
        out.i32(point.count());
        out.i32s(point.indices(), point.count());
        out.f64s(point.values(), point.count());
      } else {
        for (int j = 0; j < set.dimension(); j++) {
          out.f64(set.coordinate(i, j));
        }
      }
    }
  }

  /**
   * The core points that {@link #writeCoreSet} wrote.
   *
   * @param more bytes at least that follow for each of them
   */
  public static CoreSet readCoreSet(ByteReader in, int more) throws InvalidModelException {
    int storage = in.code("storage", 3);
    int dimension = in.i32();
    if (dimension < (storage == DENSE ? 1 : 0) || dimension > LearnerConfig.MAX_FEATURES) {
      throw new InvalidModelException("a core set cannot have " + dimension + " features");
    }
    if (storage == OPEN_ENDED && dimension > CoreSet.TILED_DIMENSION_LIMIT) {
      throw new InvalidModelException(
          "an open-ended core set in tiles has at most "
              + CoreSet.TILED_DIMENSION_LIMIT
              + " features, was "
              + dimension);
    }
    // At least this many bytes a point: its mark, its features and what follows.
    long row = more + (storage == POSTINGS ? 1 + 4 : 1 + 8L * dimension);
    int size = in.count("core points", (int) Math.min(Integer.MAX_VALUE, row));
    CoreSet set =
        storage == DENSE
            ? CoreSet.dense(dimension)
            : storage == OPEN_ENDED ? CoreSet.sparse(dimension) : CoreSet.postings(dimension);
    for (int i = 0; i < size; i++) {
      boolean centre = in.code("centre", 2) == 1;
      FeatureVector point =
          storage == POSTINGS
              ? readSparse(in, dimension)
              : FeatureVector.dense(in.f64s("feature", dimension));
      if (!(point.squaredNorm() < Double.POSITIVE_INFINITY)) {
        throw new InvalidModelException("core point " + i + " has features too large to square");
      }
      set.append(point, centre);
    }
    return set;
  }

  private static FeatureVector readSparse(ByteReader in, int dimension)
      throws InvalidModelException {
    int count = in.count("non-zeros", 12);
    int[] indices = in.i32s(count);
    double[] values = in.f64s("feature", count);
    try {
      FeatureVector point = FeatureVector.sparse(indices, values);
      if (point.dimension() > dimension) {
        throw new InvalidModelException(
            "feature " + (point.dimension() - 1) + " is outside 0.." + (dimension - 1));
      }
      return point;
    } catch (IllegalArgumentException e) {
      throw new InvalidModelException("a core point is not valid: " + e.getMessage(), e);
    }
  }
}
