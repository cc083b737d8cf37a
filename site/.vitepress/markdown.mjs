// Pages as GitHub reads them: anchors, paths that leave the folder docs, indented code.
import { existsSync, statSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const REPOSITORY = "https://github.com/avm4j/avm4j";
const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");
const docs = resolve(root, "docs");

/** The anchor of a heading, as GitHub makes it; DocumentLinksTest has the same rule. */
export function slug(text) {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M} _-]/gu, "")
    .replaceAll(" ", "-");
}

/** Where a relative link of a page leads to if it leaves docs; undefined if it does not. */
export function outward(href, page) {
  if (/^([a-z][a-z0-9+.-]*:|\/|#)/i.test(href)) return undefined;
  const [path, hash] = href.split("#");
  const target = resolve(dirname(page), decodeURIComponent(path));
  const isFolder = existsSync(target) && statSync(target).isDirectory();
  if (target.startsWith(`${docs}/`) && !isFolder && /\.(md|svg|png|html)$/.test(target)) return undefined;
  if (!existsSync(target)) throw new Error(`${relative(root, page)}: ${href} does not exist`);
  const kind = isFolder ? "tree" : "blob";
  return `${REPOSITORY}/${kind}/main/${relative(root, target)}${hash ? `#${hash}` : ""}`;
}

/** Markdown-it: links that leave docs become links to the repository. */
export function outwardLinks(md) {
  const before = md.renderer.rules.link_open;
  md.renderer.rules.link_open = (tokens, at, options, env, self) => {
    const href = tokens[at].attrGet("href");
    const page = env.realPath ?? env.path;
    if (href && page) {
      const target = outward(href, page);
      if (target) tokens[at].attrSet("href", target);
    }
    return before(tokens, at, options, env, self);
  };
}

/** Markdown-it: indented code looks like fenced code. */
export function indentedCode(md) {
  md.renderer.rules.code_block = (tokens, at, ...rest) => {
    tokens[at].info = "text";
    return md.renderer.rules.fence(tokens, at, ...rest);
  };
}

/** Markdown-it: code in tables may break after a dot or a sign, and between words of a name, so that columns stay narrow. */
export function breakableCode(md) {
  const before = md.renderer.rules.code_inline;
  md.renderer.rules.code_inline = (tokens, at, options, env, self) => {
    const html = before(tokens, at, options, env, self);
    if (!env.inTable) return html;
    return html.replace(/>[^<]+</g, (text) => text.replace(/(&\w+;)|([._/,(=#])(?=\w)|([a-z])(?=[A-Z])/g, (m, entity) => entity ?? `${m}<wbr>`));
  };
  for (const [rule, inside] of [["table_open", true], ["table_close", false]]) {
    const old = md.renderer.rules[rule];
    md.renderer.rules[rule] = (tokens, at, options, env, self) => {
      env.inTable = inside;
      return old ? old(tokens, at, options, env, self) : self.renderToken(tokens, at, options);
    };
  }
}
