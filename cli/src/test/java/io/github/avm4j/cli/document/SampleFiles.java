// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.document;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.avm4j.cli.Avm;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.zip.GZIPOutputStream;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

/** Small files under the names that documents use, generated on demand. */
final class SampleFiles {
  private static final int ROWS = 200;

  /** Files that must not exist. */
  private static final Set<String> ABSENT = Set.of("nothere.csv");

  /** Columns of a table by the first part of its name; the last column is the label. */
  private static final Map<String, String> COLUMNS =
      Map.of(
          "CASP", "RMSD,F1,F2,F3,F4,F5,F6,F7,F8,F9",
          "flights", "carrier,distance,dep_delay,arr_delay",
          "tomorrow", "carrier,distance,dep_delay,arr_delay",
          "clicks", "user,site,clicked",
          "customers", "customer_id,age,city,churned",
          "shuttle", "V1,V2,V3,Class");

  /** Tables that models were trained from, where the names differ. */
  private static final Map<String, String> TABLES =
      Map.of("a9a.avm", "a9a", "churn.avm", "customers.csv", "elec.avm", "train.libsvm");

  private final Path folder;

  SampleFiles(Path folder) {
    this.folder = folder;
  }

  /** The path of a name, where the file is made if it is an input that does not exist. */
  Path input(String name) throws IOException {
    Path path = folder.resolve(name);
    if (Files.exists(path) || ABSENT.contains(name)) {
      return path;
    }
    if (name.endsWith(".avm")) {
      String table = TABLES.getOrDefault(name, name.replace(".avm", ".csv"));
      Avm.Result trained = Avm.run("train", input(table), "-m", path, "-q");
      assertEquals(0, trained.code(), name + ": " + trained.err());
      return path;
    }
    byte[] text = text(name.replaceFirst("\\.(xz|gz)$", "")).getBytes(UTF_8);
    try (OutputStream file = Files.newOutputStream(path);
        OutputStream out =
            name.endsWith(".xz")
                ? new XZOutputStream(file, new LZMA2Options(1))
                : name.endsWith(".gz") ? new GZIPOutputStream(file) : file) {
      out.write(text);
    }
    return path;
  }

  private static String text(String name) {
    String stem = name.replaceFirst("\\..*", "");
    if (stem.equals("empty")) {
      return "";
    }
    if (name.endsWith(".csv")) {
      String columns = COLUMNS.get(stem);
      return columns == null ? Avm.ring(ROWS, stem.hashCode()) : table(columns);
    }
    if (name.endsWith(".jsonl")) {
      return jsonLines(table(COLUMNS.getOrDefault(stem, "user,site,clicked")));
    }
    if (name.endsWith(".arff")) {
      return "@relation r\n@attribute a numeric\n@attribute b numeric\n@attribute class {in,out}\n"
          + "@data\n"
          + Avm.ring(ROWS, 1).replaceFirst("a,b,label\n", "");
    }
    return libsvm();
  }

  /** Every column is text or a number by its name; the last one depends on the others. */
  private static String table(String columns) {
    Random random = new Random(1);
    List<String> names = List.of(columns.split(",", -1));
    StringBuilder text = new StringBuilder(columns).append('\n');
    for (int i = 0; i < ROWS; i++) {
      double number = random.nextDouble();
      boolean kind = random.nextBoolean();
      for (String name : names) {
        text.append(name.equals(names.get(0)) ? "" : ",");
        switch (name) {
          case "carrier", "site", "city" -> text.append(kind ? "red" : "blue");
          case "clicked", "churned" -> text.append(kind == number > 0.3 ? "yes" : "no");
          case "customer_id", "user" -> text.append("u").append(i);
          case "arr_delay", "RMSD" -> text.append(Math.round(1000 * number) / 10.0 + 0.05);
          default -> text.append(number + 0.1 * random.nextGaussian());
        }
      }
      text.append('\n');
    }
    return text.toString();
  }

  private static String jsonLines(String table) {
    List<String> lines = table.lines().toList();
    String[] names = lines.get(0).split(",", -1);
    StringBuilder text = new StringBuilder();
    for (String line : lines.subList(1, lines.size())) {
      String[] cells = line.split(",", -1);
      text.append('{');
      for (int c = 0; c < names.length; c++) {
        text.append(c == 0 ? "" : ",").append('"').append(names[c]).append("\":");
        text.append('"').append(cells[c]).append('"');
      }
      text.append("}\n");
    }
    return text.toString();
  }

  private static String libsvm() {
    Random random = new Random(2);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < ROWS; i++) {
      int first = 1 + random.nextInt(60);
      int second = 61 + random.nextInt(60);
      text.append((first % 3 == 0) == (second % 2 == 0) ? "+1" : "-1");
      text.append(' ').append(first).append(":1 ").append(second).append(":1\n");
    }
    return text.toString();
  }
}
