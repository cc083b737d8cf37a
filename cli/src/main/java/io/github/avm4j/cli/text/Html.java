// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.text;

import java.util.Map;

/** Pieces of a page. */
public final class Html {
  private Html() {}

  /** Text in which nothing is markup. */
  public static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  /** Two columns: what, and its value. */
  public static String pairs(Map<String, ?> rows) {
    StringBuilder html = new StringBuilder("<div class=\"wide\"><table class=\"pairs\">\n");
    rows.forEach(
        (name, value) ->
            html.append("<tr><th>")
                .append(escape(name))
                .append("</th><td>")
                .append(escape(String.valueOf(value)))
                .append("</td></tr>\n"));
    return html.append("</table></div>\n").toString();
  }

  /** A plot with its heading and the meaning of its lines. */
  public static String figure(String heading, String legend, String svg) {
    return "<figure><figcaption><b>"
        + escape(heading)
        + "</b> "
        + legend
        + "</figcaption>\n"
        + svg
        + "</figure>\n";
  }

  /** A swatch of a line's colour and its name. */
  public static String key(String cssClass, String name) {
    return "<span class=\"key " + cssClass + "\">" + escape(name) + "</span> ";
  }
}
