// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.data;

import io.github.avm4j.feature.Row;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** IDX: images as numbered features, pixel/255, zeros left out; labels from a second file. */
final class IdxRows extends Rows {
  private static final int LARGEST = 1 << 24;
  private static final double[] SHADES = new double[256];

  static {
    for (int v = 0; v < 256; v++) {
      SHADES[v] = v / 255.0;
    }
  }

  private final Input images;
  private final DataInputStream pixels;
  private final @Nullable DataInputStream labels;
  private final int rows;
  private final byte[] image;
  private int line;

  private IdxRows(Input images, @Nullable Input labelInput) throws IOException {
    this.images = images;
    pixels = new DataInputStream(images.stream());
    int dimensions = dimensions(images, pixels);
    rows = size(images, pixels);
    long size = 1;
    for (int k = 1; k < dimensions; k++) {
      size *= size(images, pixels);
      if (size < 1 || size > LARGEST) {
        throw new BadFileException(
            images.name() + ": an image must have 1 to " + LARGEST + " pixels, not " + size);
      }
    }
    if (dimensions < 2) {
      throw new BadFileException(
          images.name() + ": holds labels; give the file of images before it");
    }
    image = new byte[(int) size];
    labels = labelInput == null ? null : labels(labelInput, rows);
  }

  private static DataInputStream labels(Input input, int rows) throws IOException {
    DataInputStream labels = new DataInputStream(input.stream());
    if (dimensions(input, labels) != 1 || size(input, labels) != rows) {
      throw new BadFileException(
          input.name() + ": must hold one label for each of " + rows + " images");
    }
    return labels;
  }

  /** Opens images and, where rows have labels, the next source as their labels. */
  static Rows open(Input images, ReaderOptions options, Iterator<Source> more) throws IOException {
    if (!options.hasLabel()) {
      return new IdxRows(images, null);
    }
    if (!more.hasNext()) {
      throw new BadFileException(
          images.name() + ": give the file of labels after it, or say that rows have no label");
    }
    Input labels = more.next().open(options.maxLineBytes());
    try {
      return new IdxRows(images, labels);
    } catch (IOException | RuntimeException e) {
      labels.close();
      throw e;
    }
  }

  private static int dimensions(Input input, DataInputStream in) throws IOException {
    int magic = in.readInt();
    if (magic >>> 8 != 8 || (magic & 0xFF) < 1 || (magic & 0xFF) > 8) {
      throw new BadFileException(
          input.name() + ": not an IDX file of bytes (it begins with " + magic + ")");
    }
    return magic & 0xFF;
  }

  private static int size(Input input, DataInputStream in) throws IOException {
    int size = in.readInt();
    if (size < 0) {
      throw new BadFileException(input.name() + ": a size must be at least 0, was " + size);
    }
    return size;
  }

  @Override
  Layout layout() {
    return Layout.NUMBERED;
  }

  @Override
  boolean read(Row row) throws IOException {
    if (line == rows) {
      return false;
    }
    row.reset(0);
    try {
      pixels.readFully(image);
      if (labels != null) {
        row.setLabel(labels.readUnsignedByte());
      }
    } catch (EOFException e) {
      throw new BadFileException(
          new Position(images.name(), line) + ": the file ends before " + rows + " rows", e);
    }
    for (int k = 0; k < image.length; k++) {
      if (image[k] != 0) {
        row.addFeature(k, SHADES[image[k] & 0xFF]);
      }
    }
    line++;
    return true;
  }

  @Override
  long line() {
    return line;
  }

  @Override
  public void close() throws IOException {
    try {
      pixels.close();
    } finally {
      if (labels != null) {
        labels.close();
      }
    }
  }
}
