// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.testkit;

import io.github.avm4j.feature.FeatureVector;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.tukaani.xz.XZInputStream;

/**
 * Public data sets for tests, from the folder named by the system property {@code avm4j.data}. A
 * test whose file is not there is aborted, and says which file it missed.
 */
public final class RealData {
  private RealData() {}

  /**
   * {@return the decompressed bytes of {@code name}.xz}
   *
   * @param name name of the file in the folder of data sets, without .xz
   * @throws IOException if reading fails
   */
  public static InputStream open(String name) throws IOException {
    String folder = System.getProperty("avm4j.data", "");
    Path file = Path.of(folder, name + ".xz");
    if (folder.isEmpty() || !Files.isReadable(file)) {
      String message =
          "SKIPPED, data set " + name + " not found: -Davm4j.data=<folder> must hold " + file;
      System.out.println(message);
      Assumptions.abort(message);
    }
    return new XZInputStream(Files.newInputStream(file));
  }

  private static BufferedReader reader(String name) throws IOException {
    return new BufferedReader(new InputStreamReader(open(name), StandardCharsets.US_ASCII));
  }

  /**
   * {@return the rows of LIBSVM text files, one after the other; 1-based indices become 0-based}
   *
   * @param names names of files in the folder of data sets, without .xz
   */
  public static List<Instance> libsvm(String... names) {
    List<Instance> rows = new ArrayList<>();
    for (String name : names) {
      try (BufferedReader in = reader(name)) {
        in.lines().map(RealData::libsvmRow).forEach(rows::add);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return rows;
  }

  /**
   * {@return one line {@code label index:value …}}
   *
   * @param line one line of the file
   */
  public static Instance libsvmRow(String line) {
    String[] parts = line.trim().split("\\s+", -1);
    int[] indices = new int[parts.length - 1];
    double[] values = new double[parts.length - 1];
    for (int k = 1; k < parts.length; k++) {
      int colon = parts[k].indexOf(':');
      indices[k - 1] = Integer.parseInt(parts[k].substring(0, colon)) - 1;
      values[k - 1] = Double.parseDouble(parts[k].substring(colon + 1));
    }
    return new Instance(FeatureVector.sparse(indices, values), Double.parseDouble(parts[0]), 1);
  }

  /**
   * {@return the numbers of a CSV file, its first line left out if it is a header}
   *
   * @param name name of the file in the folder of data sets, without .xz
   * @param header whether the first line is a header
   */
  public static double[][] csv(String name, boolean header) {
    try (BufferedReader in = reader(name)) {
      return in.lines().skip(header ? 1 : 0).map(RealData::csvRow).toArray(double[][]::new);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static double[] csvRow(String line) {
    double[] row = new double[1 + (int) line.chars().filter(c -> c == ',').count()];
    int start = 0;
    for (int j = 0; j < row.length; j++) {
      int end = j == row.length - 1 ? line.length() : line.indexOf(',', start);
      row[j] = Double.parseDouble(line.substring(start, end));
      start = end + 1;
    }
    return row;
  }

  /**
   * Maps columns from … to−1 to [0, 1] in place; a constant column becomes 0.
   *
   * @param rows changed in place
   * @param from first column, from 0
   * @param to last column, exclusive
   */
  public static void minMax(double[][] rows, int from, int to) {
    for (int j = from; j < to; j++) {
      int column = j;
      double min = Arrays.stream(rows).mapToDouble(row -> row[column]).min().orElseThrow();
      double max = Arrays.stream(rows).mapToDouble(row -> row[column]).max().orElseThrow();
      affine(rows, j, min, max - min);
    }
  }

  /**
   * Gives columns from … to−1 mean 0 and variance 1 in place; a constant column becomes 0.
   *
   * @param rows changed in place
   * @param from first column, from 0
   * @param to last column, exclusive
   */
  public static void zScore(double[][] rows, int from, int to) {
    for (int j = from; j < to; j++) {
      int column = j;
      double mean = Arrays.stream(rows).mapToDouble(row -> row[column]).average().orElseThrow();
      double variance =
          Arrays.stream(rows)
              .mapToDouble(row -> (row[column] - mean) * (row[column] - mean))
              .average()
              .orElseThrow();
      affine(rows, j, mean, Math.sqrt(variance));
    }
  }

  private static void affine(double[][] rows, int j, double shift, double width) {
    for (double[] row : rows) {
      row[j] = width > 0 ? (row[j] - shift) / width : 0;
    }
  }
}
