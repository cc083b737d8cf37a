// The site: the Markdown of ../docs, its order and its look. Pages are not copied; links that leave docs go to the repository.
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";
import { breakableCode, indentedCode, outwardLinks, REPOSITORY, slug } from "./markdown.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

const page = (text, link) => ({ text, link });

// Fewer than 25 entries: what a reader of the first days needs. The rest is in the menus above.
const sidebar = [
  {
    text: "Begin",
    items: [
      page("Install", "/install"),
      page("A CSV at the command line", "/tutorials/csv"),
      page("A Java service with named columns", "/tutorials/java-service"),
      page("Kafka to predictions with Flink", "/tutorials/kafka-flink"),
      page("Anomaly alarms", "/tutorials/anomalies"),
      page("Comparing methods", "/tutorials/compare"),
    ],
  },
  {
    text: "Concepts",
    items: [
      page("Core points", "/concepts/core-points"),
      page("Cells", "/concepts/cells"),
      page("Prequential evaluation", "/concepts/prequential"),
      page("Drift", "/concepts/drift"),
    ],
  },
  {
    text: "Guides",
    items: [
      page("Command line", "/cli"),
      page("Inference of task and columns", "/inference"),
      page("Intervals and prediction sets", "/intervals"),
      page("Few labels", "/labels"),
      page("Anomalies", "/anomalies"),
      page("Clusters", "/clusters"),
      page("Serving", "/serving"),
      page("A server that learns", "/learning-server"),
      page("Operations", "/operations"),
      page("Scale", "/scale"),
      page("Flink SQL", "/sql"),
      page("ONNX, PMML, LIBSVM, MOA", "/interop"),
    ],
  },
  {
    text: "Evidence",
    items: [
      page("How it compares, and limits", "/compare"),
      page("Benchmarks", "/benchmarks"),
      page("Coming from other tools", "/coming-from"),
    ],
  },
];

const reference = [
  page("Every command and option", "/reference/commands"),
  page("Settings of learner and server", "/reference/settings"),
  page("Settings of a Flink job", "/operations#the-file"),
  page("Metrics of the server", "/serving#metrics"),
  page("File format", "/format"),
  page("Paper map", "/paper-map"),
  page("Glossary", "/glossary"),
  page("One word for one thing", "/words"),
  page("Javadoc", "/reference/javadoc"),
  // Set where the folder api is put into what was built.
  ...(process.env.SITE_API ? [{ text: "Javadoc of core", link: "/api/index.html", target: "_self" }] : []),
];

const project = [
  page("Reproduction of the paper", "/reproduction"),
  page("Decisions", "/decisions/"),
  page("Dependencies", "/dependencies"),
  page("What was not tried", "/untried"),
  page("Changes", `${REPOSITORY}/blob/main/CHANGELOG.md`),
  page("Contributing", `${REPOSITORY}/blob/main/CONTRIBUTING.md`),
  page("Security", `${REPOSITORY}/blob/main/SECURITY.md`),
  page("Support and versions", `${REPOSITORY}/blob/main/SUPPORT.md`),
];

export default defineConfig({
  title: "avm4j",
  description: "Online kernel learning for the JVM: learns from a stream one instance at a time, in bounded memory.",
  lang: "en",
  base: process.env.SITE_BASE ?? "/",
  srcDir: "../docs",
  cleanUrls: false,
  rewrites: { "decisions/README.md": "decisions/index.md" },
  vite: {
    publicDir: here("../public"),
    // Pages lie outside this folder, where no node_modules is found above them.
    resolve: { alias: { vue: here("../node_modules/vue") } },
    build: { chunkSizeWarningLimit: 4000 },
  },
  head: [["link", { rel: "icon", type: "image/svg+xml", href: `${process.env.SITE_BASE ?? "/"}logo.svg` }]],
  markdown: {
    anchor: { slugify: slug },
    config: (md) => md.use(outwardLinks).use(indentedCode).use(breakableCode),
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    math: false,
  },
  themeConfig: {
    logo: "/logo.svg",
    outline: [2, 3],
    search: { provider: "local" },
    socialLinks: [{ icon: "github", link: REPOSITORY, ariaLabel: "avm4j on GitHub" }],
    nav: [
      page("Install", "/install"),
      page("Tutorials", "/tutorials/"),
      { text: "Reference", items: reference },
      { text: "Project", items: project },
      page("How it compares", "/compare"),
    ],
    sidebar,
    editLink: { pattern: `${REPOSITORY}/edit/main/docs/:path`, text: "Edit this page" },
    footer: { message: "Apache License 2.0", copyright: "avm4j contributors" },
  },
});
