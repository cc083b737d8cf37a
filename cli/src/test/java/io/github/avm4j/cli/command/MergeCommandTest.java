// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.cli.Avm;
import io.github.avm4j.cli.failure.ExitCodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MergeCommandTest {
  @TempDir Path folder;

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private Path train(String name, String text, Object... options) throws IOException {
    Path data = file(name + ".csv", text);
    Path model = folder.resolve(name + ".avm");
    Object[] args = new Object[5 + options.length];
    System.arraycopy(new Object[] {"train", data, "-m", model, "-q"}, 0, args, 0, 5);
    System.arraycopy(options, 0, args, 5, options.length);
    Avm.Result result = Avm.run(args);
    assertEquals(0, result.code(), result.err());
    return model;
  }

  private double error(Path model) throws IOException {
    Path test = file("test.csv", Avm.ring(2000, 99));
    Avm.Result result = Avm.run("predict", model, test, "-o", folder.resolve("out.csv"));
    assertEquals(0, result.code(), result.err());
    return Double.parseDouble(result.err().replaceAll("(?s).*error ([0-9.]+) %.*", "$1"));
  }

  /** The same rows, those of one class first: the classes get other numbers. */
  private static String sortedRing(int rows, long seed, String first) {
    StringBuilder head = new StringBuilder("a,b,label\n");
    StringBuilder tail = new StringBuilder();
    String[] lines = Avm.ring(rows, seed).split("\n", -1);
    boolean met = false;
    for (int i = 1; i < lines.length - 1; i++) {
      met |= lines[i].endsWith("," + first);
      (met ? head : tail).append(lines[i]).append('\n');
    }
    return head.append(tail).toString();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void classesMayComeInAnyOrder(boolean paper) throws IOException {
    Object[] options =
        paper
            ? new Object[] {
              "--paper", "--gamma=2", "--delta=0.3", "--lambda=0.001", "--scaling=none"
            }
            : new Object[0];
    Path one = train("one", sortedRing(1500, 1, "in"), options);
    Path two = train("two", sortedRing(1500, 2, "out"), options);
    Path all = folder.resolve("all.avm");
    Avm.Result result = Avm.run("merge", one, two, "-m", all);
    assertEquals(0, result.code(), result.err());
    assertTrue(result.out().startsWith("2 models merged: 3,000 instances, "), result.out());
    assertTrue(Avm.run("inspect", one).out().contains("in, out"), "in first");
    assertTrue(Avm.run("inspect", two).out().contains("out, in"), "out first");
    double worse = Math.max(error(one), error(two));
    assertTrue(error(all) <= worse + 1, error(all) + " against " + worse);
    assertTrue(error(all) < 12, "crossed classes would be wrong nearly always: " + error(all));
    Path more = file("more.csv", Avm.ring(200, 7));
    Avm.Result goesOn = Avm.run("train", more, "--resume", all);
    assertTrue(goesOn.err().startsWith("resuming after 3000 rows"), goesOn.err());
  }

  @Test
  void shardsOfAStartCountItOnce() throws IOException {
    Path start = train("start", Avm.ring(1500, 1));
    Path east = train("east", Avm.ring(1000, 2), "--shard-of", start);
    Path west = train("west", Avm.ring(700, 3), "--shard-of", start);
    Path all = folder.resolve("all.avm");
    Avm.Result result = Avm.run("merge", east, west, "--start", start, "-m", all);
    assertEquals(0, result.code(), result.err());
    assertTrue(result.out().startsWith("2 models merged: 3,200 instances, "), result.out());
    assertTrue(error(all) <= error(start) + 1, error(all) + " against " + error(start));
  }

  @Test
  void whatDoesNotFitIsNamed() throws IOException {
    Path ring = train("ring", Avm.ring(300, 1));
    Path slope = train("slope", Avm.slope(300, 1));
    Path small = train("small", Avm.ring(300, 2), "--budget", 20);
    Path all = folder.resolve("all.avm");
    refused(
        "slope.avm: does not match ", "for classification, the other for regression", ring, slope);
    refused("small.avm: does not match ", "budget is 512 and 20", ring, small);
    refused("ring.avm: is the same model as", "would count twice", ring, ring);
    Path other = train("other", "a,b,label\n1,x,in\n2,y,out\n3,x,in\n4,y,out\n");
    refused("other.avm: does not match ", "column b has different features", ring, other);
    Avm.Result alone = Avm.run("merge", ring, "-m", all);
    assertEquals(ExitCodes.USAGE, alone.code(), alone.err());
    Avm.Result notAStart = Avm.run("merge", small, "--start", ring, "-m", all);
    assertEquals(ExitCodes.FAILURE, notAStart.code(), notAStart.err());
    Avm.Result young =
        Avm.run("train", file("x.csv", Avm.ring(9, 1)), "--shard-of", ring, "-m", all);
    assertTrue(
        young.lastError().contains("ring.avm: cannot be the start of shards yet"), young.err());
    assertFalse(Files.exists(all));
  }

  private void refused(String where, String why, Path one, Path two) {
    Avm.Result result = Avm.run("merge", one, two, "-m", folder.resolve("all.avm"));
    assertEquals(ExitCodes.FAILURE, result.code(), result.err());
    assertTrue(result.lastError().contains(where), result.err());
    assertTrue(result.lastError().contains(why), result.err());
  }
}
