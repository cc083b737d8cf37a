// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.export;

import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.StringTokenizer;

/**
 * Reads LIBSVM's {@code .model} text. Trusts nothing: every number is checked, nothing is allocated
 * for more than the file holds, and a message names the line.
 */
final class LibsvmReader {
  private final String[] lines;
  private final Map<String, String> header = new HashMap<>();
  private int next;

  LibsvmReader(byte[] file) {
    lines = new String(file, StandardCharsets.ISO_8859_1).split("\r?\n", -1);
  }

  LibsvmModel read() {
    readHeader();
    String type = field("svm_type");
    boolean classes = type.equals("c_svc") || type.equals("nu_svc");
    if (!classes && !type.equals("epsilon_svr") && !type.equals("nu_svr")) {
      throw bad("svm_type " + type + " is not known here: c_svc, nu_svc, epsilon_svr or nu_svr");
    }
    if (!field("kernel_type").equals("rbf")) {
      throw bad("kernel_type " + field("kernel_type") + " is not the Gaussian, rbf");
    }
    double gamma = number(field("gamma"));
    if (!(gamma > 0)) {
      throw bad("gamma must be > 0, was " + gamma);
    }
    int total = whole(field("total_sv"));
    if (total < 1 || total > lines.length - next) {
      throw bad("total_sv is " + total + ", " + (lines.length - next) + " lines follow");
    }
    double[] rho = numbers("rho");
    int[] labels = classes ? wholes("label") : new int[0];
    if (Arrays.stream(labels).distinct().count() < labels.length) {
      throw bad("two classes have one label: " + field("label"));
    }
    long sums = classes ? (long) labels.length * (labels.length - 1) / 2 : 1;
    if (classes && labels.length < 2 || rho.length != sums) {
      throw bad(labels.length + " labels and " + rho.length + " numbers rho do not go together");
    }
    int[] groups = groups(classes, labels.length, total);
    int width = classes ? labels.length - 1 : 1;
    List<FeatureVector> vectors = new ArrayList<>();
    List<double[]> coefficients = new ArrayList<>();
    for (int i = 0; i < total; i++) {
      readVector(width, vectors, coefficients);
    }
    Task task = classes ? Task.CLASSIFICATION : Task.REGRESSION;
    return new LibsvmModel(gamma, task, labels, rho, groups, vectors, coefficients);
  }

  private void readHeader() {
    while (next < lines.length) {
      String line = lines[next++].strip();
      if (line.equals("SV")) {
        return;
      }
      int blank = line.indexOf(' ');
      if (blank < 0) {
        throw bad("a key and its values were expected, found '" + shown(line) + "'");
      }
      header.put(line.substring(0, blank), line.substring(blank + 1).strip());
    }
    throw bad("no line SV: this is not a LIBSVM model");
  }

  private String field(String key) {
    String value = header.get(key);
    if (value == null) {
      throw bad("the header has no " + key);
    }
    return value;
  }

  private int[] groups(boolean classes, int count, int total) {
    if (!classes) {
      return new int[0];
    }
    int[] sizes = wholes("nr_sv");
    long sum = 0;
    int[] groups = new int[count + 1];
    for (int j = 0; j < Math.min(count, sizes.length); j++) {
      sum += sizes[j];
      if (sizes[j] < 0 || sum > total) {
        break;
      }
      groups[j + 1] = (int) sum;
    }
    if (sizes.length != count || sum != total || Arrays.stream(sizes).anyMatch(n -> n < 0)) {
      throw bad("nr_sv " + shown(field("nr_sv")) + " does not share out " + total + " vectors");
    }
    return groups;
  }

  private void readVector(int width, List<FeatureVector> vectors, List<double[]> coefficients) {
    StringTokenizer tokens = new StringTokenizer(lines[next++]);
    int features = tokens.countTokens() - width;
    if (features < 0) {
      throw bad("a support vector needs " + width + " coefficients");
    }
    double[] weights = new double[width];
    for (int j = 0; j < width; j++) {
      weights[j] = number(tokens.nextToken());
    }
    int[] indices = new int[features];
    double[] values = new double[features];
    for (int k = 0; k < features; k++) {
      String token = tokens.nextToken();
      int colon = token.indexOf(':');
      if (colon < 0) {
        throw bad("index:value was expected, found '" + shown(token) + "'");
      }
      indices[k] = whole(token.substring(0, colon)) - 1;
      values[k] = number(token.substring(colon + 1));
    }
    try {
      vectors.add(FeatureVector.sparse(indices, values));
    } catch (IllegalArgumentException e) {
      throw bad("indices must ascend from 1: " + e.getMessage());
    }
    coefficients.add(weights);
  }

  private double[] numbers(String key) {
    return Arrays.stream(field(key).split("\\s+", -1)).mapToDouble(this::number).toArray();
  }

  private int[] wholes(String key) {
    return Arrays.stream(field(key).split("\\s+", -1)).mapToInt(this::whole).toArray();
  }

  private double number(String text) {
    try {
      double value = Double.parseDouble(text);
      if (Double.isFinite(value)) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw bad("'" + shown(text) + "' is not a number");
    }
    throw bad("'" + shown(text) + "' is not finite");
  }

  private int whole(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw bad("'" + shown(text) + "' is not a whole number");
    }
  }

  private static String shown(String text) {
    return text.length() > 40 ? text.substring(0, 40) + "…" : text;
  }

  private IllegalArgumentException bad(String message) {
    return new IllegalArgumentException("line " + next + ": " + message);
  }
}
