// Checks the built site: node scripts/check.mjs [--pictures FOLDER]
// Every link of every page leads to a page and an anchor. The main pages pass axe-core's rules, light and dark, wide and narrow,
// and none is wider than its window. On no page is a table cut where the window is wide, nor its column "default" where it is narrow.
// With --pictures it also writes what the main pages look like.
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Browser } from "./browser.mjs";

const dist = fileURLToPath(new URL("../.vitepress/dist", import.meta.url));
const base = (process.env.SITE_BASE ?? "/").replace(/\/$/, "");
const MAIN = [
  "index.html",
  "tutorials/csv.html",
  "tutorials/java-service.html",
  "concepts/core-points.html",
  "reference/settings.html",
  "compare.html",
  "serving.html",
];
const SIZES = { wide: [1280, 2400], narrow: [500, 2600] };
const problems = [];

function files(folder) {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? files(path) : [path];
  });
}

/** Href and src of all elements; anchors by id. */
function read(path) {
  const html = readFileSync(path, "utf8").replace(/<(script|style)[^>]*>[\s\S]*?<\/\1>/g, "");
  const unescape = (text) => text.replaceAll("&amp;", "&").replaceAll("&quot;", '"').replaceAll("&#39;", "'");
  const links = [...html.matchAll(/\s(?:href|src)="([^"]*)"/g)].map((match) => unescape(match[1]));
  const ids = new Set([...html.matchAll(/\sid="([^"]*)"/g)].map((match) => unescape(match[1])));
  return { links, ids };
}

function checkLinks() {
  const all = files(dist).map((path) => path.slice(dist.length + 1));
  const pages = new Map(all.filter((path) => path.endsWith(".html")).map((path) => [path, read(join(dist, path))]));
  const known = new Set(all);
  let count = 0;
  for (const [page, { links }] of pages) {
    if (page.startsWith("api/")) continue; // javadoc checks its own
    for (const link of links) {
      if (/^(https?:|mailto:|data:)/.test(link)) continue;
      count++;
      const url = new URL(link, `http://site${base}/${page}`);
      let path = decodeURIComponent(url.pathname).slice(base.length + 1);
      if (path === "" || path.endsWith("/")) path += "index.html";
      const hash = decodeURIComponent(url.hash.slice(1));
      if (!known.has(path)) problems.push(`${page}: ${link} leads nowhere`);
      else if (hash && path.endsWith(".html") && !pages.get(path).ids.has(hash)) problems.push(`${page}: ${link}: no such anchor`);
    }
  }
  console.log(`   ${count} links of ${pages.size} pages`);
}

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".woff2": "font/woff2" };

function serve() {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://site").pathname).slice(base.length);
    try {
      const body = readFileSync(join(dist, path.endsWith("/") ? `${path}index.html` : path));
      response.writeHead(200, { "content-type": TYPES[extname(path)] ?? "text/html" }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

const AXE = `
  const done = arguments[0];
  axe.run(document, { resultTypes: ["violations"] }).then(
    (result) => done(result.violations.map((v) => v.id + " (" + v.impact + "): " + v.help + ": "
        + v.nodes.slice(0, 3).map((n) => n.target.join(" ") + " | " + (n.any[0]?.message ?? "")).join("; "))),
    (error) => done(["axe failed: " + error]));`;
const TOO_WIDE = "return document.documentElement.scrollWidth - document.documentElement.clientWidth";

async function look(browser, address, page, pictures) {
  const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  for (const [size, [width, height]] of Object.entries(SIZES)) {
    await browser.size(width, height);
    await browser.open(`${address}/${page}`);
    await browser.run(axe);
    for (const dark of [false, true]) {
      // Without transitions: colours on their way from one scheme to the other have little contrast.
      await browser.run(
        `if (!document.getElementById("still")) document.head.insertAdjacentHTML("beforeend",
            "<style id=still>*, *::before, *::after { transition: none !important; animation: none !important; }</style>");
        document.documentElement.classList.toggle("dark", arguments[0])`,
        [dark],
      );
      const place = `${page}, ${size}, ${dark ? "dark" : "light"}`;
      for (const found of await browser.wait(AXE)) problems.push(`${place}: ${found}`);
      const excess = await browser.run(TOO_WIDE);
      if (excess > 0) problems.push(`${place}: ${excess} pixels wider than the window`);
      if (pictures) {
        const name = `${page.replace(/\.html$/, "").replaceAll("/", "-")}-${size}-${dark ? "dark" : "light"}.png`;
        writeFileSync(join(pictures, name), await browser.picture());
      }
    }
  }
}

/** Tables that end beyond what is seen of them: all of a table, or its columns up to "default". */
const CUT = `
  return [...document.querySelectorAll(".vp-doc table")].flatMap((table) => {
    const heads = [...table.querySelectorAll("th")];
    const last = arguments[0] ? heads.at(-1) : heads.find((head) => /default/.test(head.textContent));
    const excess = last ? last.getBoundingClientRect().right - table.getBoundingClientRect().right : 0;
    return excess > 1 ? [heads.map((head) => head.textContent).join(" | ") + ": cut by " + Math.ceil(excess) + " pixels"] : [];
  });`;

async function checkTables(browser, address) {
  const pages = files(dist).filter((path) => path.endsWith(".html") && !path.startsWith(join(dist, "api/")));
  for (const [size, [width, height]] of Object.entries(SIZES)) {
    await browser.size(width, height);
    for (const path of pages) {
      const page = path.slice(dist.length + 1);
      await browser.open(`${address}/${page}`);
      for (const cut of await browser.run(CUT, [size === "wide"])) problems.push(`${page}, ${size}: ${cut}`);
    }
  }
  console.log(`   tables of ${pages.length} pages`);
}

const at = process.argv.indexOf("--pictures");
const pictures = at < 0 ? undefined : process.argv[at + 1];
if (pictures) mkdirSync(pictures, { recursive: true });
checkLinks();
if (process.argv.includes("--links")) {
  console.log("   NOT RUN, for want of Chromium: axe-core");
} else {
  const server = await serve();
  const browser = await Browser.start();
  try {
    const address = `http://127.0.0.1:${server.address().port}${base}`;
    for (const page of MAIN) await look(browser, address, page, pictures);
    console.log(`   axe-core on ${MAIN.length} pages, light and dark, wide and narrow`);
    await checkTables(browser, address);
  } finally {
    await browser.close();
    server.close();
  }
}
for (const problem of problems) console.log(`   ${problem}`);
console.log(`   site: ${problems.length === 0 ? "passed" : `FAILED, ${problems.length} problems`}`);
process.exitCode = problems.length === 0 ? 0 : 1;
