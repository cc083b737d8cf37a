// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** Runs avm in this process and keeps what it says. */
public final class Avm {
  private Avm() {}

  /** What came of a command. */
  public record Result(int code, String out, String err) {
    /** The last line on standard error. */
    public String lastError() {
      return err.stripTrailing().substring(err.stripTrailing().lastIndexOf('\n') + 1);
    }
  }

  public static Result run(Object... args) {
    String[] texts = new String[args.length];
    for (int i = 0; i < args.length; i++) {
      texts[i] = args[i].toString();
    }
    CommandLine line = Main.commandLine(texts);
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    line.setOut(new PrintWriter(out));
    line.setErr(new PrintWriter(err));
    line.setColorScheme(CommandLine.Help.defaultColorScheme(Ansi.OFF));
    int code = Main.run(line, texts);
    return new Result(code, out.toString(), err.toString());
  }

  public static Result runWithInput(String input, Object... args) {
    InputStream before = System.in;
    System.setIn(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)));
    try {
      return run(args);
    } finally {
      System.setIn(before);
    }
  }

  /** Rows "a,b,label" of two classes inside and outside a ring, under a header. */
  public static String ring(int rows, long seed) {
    Random random = new Random(seed);
    StringBuilder text = new StringBuilder("a,b,label\n");
    for (int i = 0; i < rows; i++) {
      double x = 2 * random.nextDouble() - 1;
      double y = 2 * random.nextDouble() - 1;
      text.append(x).append(',').append(y).append(x * x + y * y < 0.5 ? ",in\n" : ",out\n");
    }
    return text.toString();
  }

  /** Rows "x,colour,y" with a number to predict. */
  public static String slope(int rows, long seed) {
    Random random = new Random(seed);
    StringBuilder text = new StringBuilder("x,colour,y\n");
    for (int i = 0; i < rows; i++) {
      double x = random.nextDouble();
      boolean red = random.nextBoolean();
      text.append(x).append(red ? ",red," : ",blue,").append(3 * x + (red ? 1 : 0)).append('\n');
    }
    return text.toString();
  }
}
