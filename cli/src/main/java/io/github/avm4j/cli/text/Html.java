// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.text;

import java.util.Map;

/** HTML fragments. */
public final class Html {
  private Html() {}

  /** Escapes markup. */
  public static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  /** Table of names and values. */
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

  /** Figure with a heading and a legend. */
  public static String figure(String heading, String legend, String svg) {
    return "<figure><figcaption><b>"
        + escape(heading)
        + "</b> "
        + legend
        + "</figcaption>\n"
        + svg
        + "</figure>\n";
  }

  /** Entry of a legend. */
  public static String key(String cssClass, String name) {
    return "<span class=\"key " + cssClass + "\">" + escape(name) + "</span> ";
  }
}
