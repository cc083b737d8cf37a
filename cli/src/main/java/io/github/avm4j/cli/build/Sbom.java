// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.build;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Writes the bill of materials of a distribution in CycloneDX's JSON; run by the build, offline
 * too. It is a list without a graph: every jar of others with its coordinates, hash and licence.
 * The same jars give the same bytes.
 */
public final class Sbom {
  private static final ObjectMapper JSON = new ObjectMapper();

  private Sbom() {}

  /**
   * A row of THIRD-PARTY.md.
   *
   * @param group of the artifact
   * @param name of the artifact
   * @param version of the artifact
   * @param licence its SPDX name, or several with "or" between them
   */
  private record Row(String group, String name, String version, String licence) {
    /** Nothing for a line that is no row. */
    static Optional<Row> of(String line) {
      String[] cells = line.split("\\|");
      String[] names = cells.length < 4 ? cells : cells[1].strip().split(":");
      return names.length == 2
          ? Optional.of(new Row(names[0], names[1], cells[2].strip(), cells[3].strip()))
          : Optional.empty();
    }

    /** Where a Maven repository keeps it. */
    Path folder() {
      return Path.of(group.replace('.', '/'), name, version);
    }
  }

  /**
   * Takes the file to write, the distribution's name and version, THIRD-PARTY.md and files with
   * class paths of jars in a Maven repository.
   */
  public static void main(String[] args) throws IOException {
    TreeMap<String, ObjectNode> components = new TreeMap<>();
    for (int k = 4; k < args.length; k++) {
      for (String jar : Files.readString(Path.of(args[k])).strip().split(File.pathSeparator)) {
        ObjectNode component = component(Path.of(jar), Path.of(args[3]));
        components.put(component.path("purl").asText(), component);
      }
    }
    ObjectNode all = JSON.createObjectNode();
    all.put("bomFormat", "CycloneDX").put("specVersion", "1.5").put("version", 1);
    all.putObject("metadata")
        .putObject("component")
        .put("type", "application")
        .put("group", "io.github.avm4j")
        .put("name", args[1])
        .put("version", args[2]);
    ArrayNode list = all.putArray("components");
    components.values().forEach(list::add);
    Path out = Path.of(args[0]);
    Files.createDirectories(out.resolveSibling(""));
    Files.writeString(out, JSON.writerWithDefaultPrettyPrinter().writeValueAsString(all) + "\n");
  }

  private static ObjectNode component(Path jar, Path thirdParty) throws IOException {
    Row row = row(jar, thirdParty);
    String file = String.valueOf(jar.getFileName());
    String plain = row.name + "-" + row.version;
    String classifier = file.substring(plain.length(), file.length() - ".jar".length());
    String purl = "pkg:maven/" + row.group + "/" + row.name + "@" + row.version + "?";
    purl += classifier.isEmpty() ? "" : "classifier=" + classifier.substring(1) + "&";
    ObjectNode component = JSON.createObjectNode();
    component.put("type", "library").put("group", row.group).put("name", row.name);
    component.put("version", row.version);
    component.putArray("hashes").addObject().put("alg", "SHA-256").put("content", sha256(jar));
    ObjectNode licence = component.putArray("licenses").addObject();
    if (row.licence.contains(" or ")) {
      licence.put("expression", row.licence.replace(" or ", " OR "));
    } else {
      licence.putObject("license").put("id", row.licence);
    }
    return component.put("purl", purl + "type=jar");
  }

  private static Row row(Path jar, Path thirdParty) throws IOException {
    for (String line : Files.readAllLines(thirdParty, StandardCharsets.UTF_8)) {
      Optional<Row> row = Row.of(line);
      if (row.isPresent() && jar.resolveSibling("").endsWith(row.get().folder())) {
        return row.get();
      }
    }
    throw new IOException(jar + " is not in " + thirdParty + ": see LicencesTest");
  }

  private static String sha256(Path file) throws IOException {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(Files.readAllBytes(file)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
