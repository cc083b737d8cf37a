// The site: the Markdown of ../docs, its order and its look. Pages are not copied; links that leave docs go to the repository.
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";
import { indentedCode, outwardLinks, REPOSITORY, slug } from "./markdown.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

const page = (text, link) => ({ text, link });

const tutorials = [
  page("Overview", "/tutorials/"),
  page("A CSV at the command line", "/tutorials/csv"),
  page("A Java service with named columns", "/tutorials/java-service"),
  page("Kafka to predictions with Flink", "/tutorials/kafka-flink"),
  page("Anomaly alarms", "/tutorials/anomalies"),
  page("Comparing methods, repeating the paper", "/tutorials/compare"),
];

const concepts = [
  page("Core points", "/concepts/core-points"),
  page("Cells", "/concepts/cells"),
  page("Prequential evaluation", "/concepts/prequential"),
  page("Drift", "/concepts/drift"),
  page("Glossary", "/glossary"),
];

const guides = [
  page("Install", "/install"),
  page("Command line", "/cli"),
  page("Inference of task and columns", "/inference"),
  page("Intervals and prediction sets", "/intervals"),
  page("Few labels", "/labels"),
  page("Anomalies", "/anomalies"),
  page("Clusters", "/clusters"),
  page("Serving", "/serving"),
  page("Operations", "/operations"),
  page("Runbook", "/runbook"),
  page("Scale", "/scale"),
  page("Flink SQL", "/sql"),
  page("ONNX, PMML, LIBSVM, MOA", "/interop"),
  page("Coming from other tools", "/coming-from"),
];

const reference = [
  page("Every command and option", "/reference/commands"),
  page("Settings of learner and server", "/reference/settings"),
  page("Settings of a Flink job", "/operations#the-file"),
  page("Metrics of the server", "/serving#metrics"),
  page("Metrics of a Flink job", "/operations#metrics-and-alerts"),
  page("File format", "/format"),
  page("Paper map", "/paper-map"),
  page("Javadoc", "/reference/javadoc"),
  // Set where the folder api is put into what was built.
  ...(process.env.SITE_API ? [{ text: "Javadoc of core", link: "/api/index.html", target: "_self" }] : []),
];

const compare = [
  page("How it compares", "/compare"),
  page("Limits", "/limits"),
  page("Benchmarks", "/benchmarks"),
  page("Arena", "/arena"),
  page("Reproduction of the paper", "/reproduction"),
  page("Notebook of the benchmarks", "/benchmarks-notebook"),
];

const project = [
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
    config: (md) => md.use(outwardLinks).use(indentedCode),
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    math: false,
  },
  themeConfig: {
    logo: "/logo.svg",
    outline: [2, 3],
    search: { provider: "local" },
    socialLinks: [{ icon: "github", link: REPOSITORY, ariaLabel: "avm4j on GitHub" }],
    nav: [
      page("Tutorials", "/tutorials/"),
      page("Concepts", "/concepts/core-points"),
      page("Guides", "/cli"),
      page("Reference", "/reference/commands"),
      page("How it compares", "/compare"),
    ],
    sidebar: [
      { text: "Tutorials", items: tutorials },
      { text: "Concepts", items: concepts },
      { text: "Guides", items: guides },
      { text: "Reference", items: reference },
      { text: "Evidence", items: compare },
      { text: "Project", items: project },
    ],
    editLink: { pattern: `${REPOSITORY}/edit/main/docs/:path`, text: "Edit this page" },
    footer: { message: "Apache License 2.0", copyright: "avm4j contributors" },
  },
});
