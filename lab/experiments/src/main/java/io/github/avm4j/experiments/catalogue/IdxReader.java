// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments.catalogue;

import io.github.avm4j.data.Position;
import io.github.avm4j.data.RowReader;
import io.github.avm4j.data.Unpacked;
import io.github.avm4j.feature.Row;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The MNIST files: a file of images as numbered features, pixel/255, zeros left out, and a file
 * with their labels.
 */
final class IdxReader implements RowReader {
  private static final int LARGEST = 1 << 24;

  private final String name;
  private final DataInputStream pixels;
  private final DataInputStream labels;
  private final int count;
  private final byte[] image;
  private int line;

  IdxReader(Path images, Path labelFile) throws IOException {
    name = images.toString();
    pixels = new DataInputStream(Unpacked.open(images));
    labels = labels(labelFile, pixels);
    try {
      int dimensions = dimensions(name, pixels);
      count = size(name, pixels);
      long size = 1;
      for (int k = 1; k < dimensions; k++) {
        size *= size(name, pixels);
        if (size < 1 || size > LARGEST) {
          throw new DataException(
              name + ": an image must have 1 to " + LARGEST + " pixels, not " + size);
        }
      }
      if (dimensions < 2) {
        throw new DataException(name + ": holds labels; give the file of images before it");
      }
      image = new byte[(int) size];
      String other = labelFile.toString();
      if (dimensions(other, labels) != 1 || size(other, labels) != count) {
        throw new DataException(other + ": must hold one label for each of " + count + " images");
      }
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  private static DataInputStream labels(Path file, DataInputStream pixels) throws IOException {
    try {
      return new DataInputStream(Unpacked.open(file));
    } catch (IOException | RuntimeException e) {
      pixels.close();
      throw e;
    }
  }

  /** Whether a file's name is that of images or labels in this format. */
  static boolean reads(Path file) {
    return file.toString().contains("-ubyte");
  }

  private static int dimensions(String name, DataInputStream in) throws IOException {
    int magic = in.readInt();
    if (magic >>> 8 != 8 || (magic & 0xFF) < 1 || (magic & 0xFF) > 8) {
      throw new DataException(name + ": not an IDX file of bytes (it begins with " + magic + ")");
    }
    return magic & 0xFF;
  }

  private static int size(String name, DataInputStream in) throws IOException {
    int size = in.readInt();
    if (size < 0) {
      throw new DataException(name + ": a size must be at least 0, was " + size);
    }
    return size;
  }

  @Override
  public boolean next(Row row) throws IOException {
    if (line == count) {
      return false;
    }
    row.reset(0);
    try {
      pixels.readFully(image);
      row.setLabel(labels.readUnsignedByte());
    } catch (EOFException e) {
      throw new DataException(position() + ": the file ends before " + count + " rows", e);
    }
    for (int k = 0; k < image.length; k++) {
      if (image[k] != 0) {
        row.addFeature(k, (image[k] & 0xFF) / 255.0);
      }
    }
    line++;
    return true;
  }

  @Override
  public List<String> columns() {
    return List.of();
  }

  @Override
  public @Nullable String labelName() {
    return null;
  }

  @Override
  public Position position() {
    return new Position(name, line);
  }

  @Override
  public long rows() {
    return line;
  }

  @Override
  public long skipped() {
    return 0;
  }

  @Override
  public List<String> notes() {
    return List.of();
  }

  @Override
  public void close() throws IOException {
    try {
      pixels.close();
    } finally {
      labels.close();
    }
  }
}
