// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
"use strict";

const POLL_MS = 2000;
const WORK = ["predict", "explain", "detect", "v2_infer"];
const byId = (id) => document.getElementById(id);
let before = null;
let models = [];
let detectors = [];

/** An element with attributes and children; texts are texts, never markup. */
function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** Of counts and measurements. */
function number(value, digits = 4) {
  if (!Number.isFinite(value)) return "–";
  if (Number.isInteger(value)) return value.toLocaleString("en");
  return Number(value.toPrecision(digits)).toString();
}

const plural = (count, word) => `${number(count)} ${word}${count === 1 ? "" : "s"}`;

/** Of the data: as people write it there, to six digits and never fewer than the whole ones. */
function rounded(value) {
  return Math.abs(value) >= 1e5 && Math.abs(value) < 1e15 ? Math.round(value) : Number(value.toPrecision(6));
}

/** A predicted number: digits that are not shown are marked, and stand in the tooltip. */
function shortened(value) {
  const short = rounded(value);
  return element("span", { title: String(value) }, (short === value ? "" : "≈ ") + short);
}

const percent = (share) => (100 * share).toFixed(1) + " %";
const width = (share) => (100 * Math.min(1, Math.max(0, share))).toFixed(1) + "%";

/** The counts that the figures need, out of Prometheus' text. */
function counts(text) {
  const found = { time: performance.now(), ok: 0, refused: 0, buckets: new Map() };
  const line = /^avm_request_seconds_(bucket|count)\{endpoint="([^"]+)",status="(\d+)"(?:,le="([^"]+)")?\} (\S+)/gm;
  for (const [, kind, endpoint, status, edge, value] of text.matchAll(line)) {
    if (!WORK.includes(endpoint)) continue;
    if (kind === "count") found[status === "200" ? "ok" : "refused"] += Number(value);
    else if (status === "200") {
      const at = edge === "+Inf" ? Infinity : Number(edge);
      found.buckets.set(at, (found.buckets.get(at) || 0) + Number(value));
    }
  }
  return found;
}

/** The bound of the bucket that holds the quantile of what came between two counts. */
function quantile(now, then, share) {
  const edges = [...now.buckets.keys()].sort((a, b) => a - b);
  const grown = (edge) => now.buckets.get(edge) - (then.buckets.get(edge) || 0);
  const total = edges.length ? grown(edges[edges.length - 1]) : 0;
  if (total <= 0) return "–";
  const edge = edges.find((e) => grown(e) >= share * total);
  return edge === Infinity ? "> 10 s" : "≤ " + (edge < 1 ? number(1000 * edge) + " ms" : number(edge) + " s");
}

async function figures() {
  const now = counts(await (await fetch("metrics")).text());
  if (before) {
    const seconds = (now.time - before.time) / 1000;
    const rate = Math.max(0, (now.ok - before.ok) / seconds);
    byId("rate").textContent = number(rate, 3);
    byId("errors").textContent = number(Math.max(0, (now.refused - before.refused) / seconds), 3);
    byId("p50").textContent = quantile(now, before, 0.5);
    byId("p99").textContent = quantile(now, before, 0.99);
  }
  before = now;
}

const moment = (iso) => iso.slice(0, 16).replace("T", " ");

function describe(model) {
  const rows = model.versions.slice().reverse().map((v) =>
    element("tr", {},
      element("td", {}, v.version, v.version === model.version ? " in use" + (model.pinned ? ", pinned" : "") : ""),
      element("td", {}, number(v.instances)),
      element("td", {}, number(v.core_points)),
      element("td", { title: "loaded " + moment(v.loaded) }, element("span", { class: "date" }, v.made.slice(0, 10)), " " + v.made.slice(11, 16))));
  const current = model.versions.find((v) => v.version === model.version);
  const about = current
    ? `${current.task} of ${model.target || (model.classes.length ? "label" : "target")}, ${plural(current.features, "feature")}` +
      (model.classes.length ? `, classes ${model.classes.slice(0, 8).join(", ")}` : "")
    : "no version can predict";
  const parts = [
    element("h3", {}, model.name),
    element("p", { class: "note" }, about),
    element("div", { class: "scroll" },
      element("table", { class: "versions" },
        element("thead", {}, element("tr", {}, ...["version", "instances", "core points", "made (UTC)"].map((t) => element("th", {}, t)))),
        element("tbody", {}, ...rows)))];
  if (model.feedback) parts.push(judged(model.feedback, model.classes.length > 0));
  if (model.refused) parts.push(element("p", { class: "note bad" }, `Refused: ${model.refused.source}: ${model.refused.reason}`));
  return element("article", { "data-model": model.name }, ...parts);
}

/** What a detector has learned, and how many of the rows it judged here were alarms. */
function describeDetector(detector) {
  const alarms = detector.judged
    ? `${number(detector.alarms)} of ${plural(detector.judged, "row")} judged here were alarms (${percent(detector.alarms / detector.judged)}; ${percent(detector.alarm_level)} of normal rows are expected)`
    : "no row was judged here yet";
  const parts = [
    element("h3", {}, detector.name),
    element("p", { class: "note" }, `detector of anomalies, version ${detector.version}, ${plural(detector.features, "feature")}, ` +
      `${plural(detector.instances, "instance")}, ${plural(detector.core_points, "core point")}, made ${moment(detector.made)} (UTC)` +
      (detector.learns ? ", learns here" : "")),
    element("p", { class: "note alarms" }, alarms)];
  if (detector.refused) parts.push(element("p", { class: "note bad" }, `Refused: ${detector.refused.source}: ${detector.refused.reason}`));
  return element("article", { "data-model": detector.name }, ...parts);
}

/** Error of the predictions with labels. */
function judged(feedback, classes) {
  const error = classes ? percent(feedback.error) + " wrong" : number(feedback.error, 3) + " root mean squared error";
  return element("p", { class: "note feedback" }, `Feedback on ${plural(feedback.judged, "prediction")}: ${error}.`);
}

const time = (iso) => (iso ? iso.slice(11, 19) + " UTC" : "not yet");

/** What is learned here: its error beside the baseline, and what is kept. */
function learning(now, model) {
  byId("learning").hidden = !now;
  if (!now) return;
  const classes = model ? model.classes.length > 0 : true;
  const error = (value) => (value === undefined ? "–" : classes ? percent(value) : number(value, 3));
  const about = detectors.filter((d) => d.learns);
  const sum = (key) => about.reduce((total, d) => total + d[key], 0);
  const current = model?.versions.find((v) => v.version === model.version);
  const figures = now.rows === undefined
    ? [["rows learned", number(sum("instances"))], ["core points", number(sum("core_points"))], ["alarms", number(sum("alarms"))]]
    : [["rows learned", number(now.rows)], [classes ? "mistakes, last 100 rows" : "error (RMSE), last 100 rows", error(now.error)],
      ["baseline, last 100 rows", error(now.baseline)], ["core points", current ? number(current.core_points) : "–"],
      ["rows that wait for a label", number(now.waiting)]];
  figures.push(["last save", time(now.saved)]);
  byId("learned").replaceChildren(...figures.map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value))));
  byId("curve").replaceChildren(...(now.curve?.length > 1 ? curve(now, error, classes) : []));
  const left = now.queued ? `${plural(now.queued, "row")} in the queue. ` : "";
  byId("learning-note").textContent = left + (now.columns ? `Columns are ${now.columns}.` : "");
  byId("learning-problem").textContent = now.problem ? `Refusing rows: ${now.problem}` : now.not_saved ? `Not saved: ${now.not_saved}` : "";
}

/** Both errors as lines over the rows since the file was read. */
function curve(now, error, classes) {
  const points = now.curve;
  const most = Math.max(...points.flatMap((p) => [p.error, p.baseline])) || 1;
  const last = points[points.length - 1];
  const drawing = (name, attributes) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };
  const line = (key) => drawing("polyline", {
    class: key,
    points: points.map((p) => `${(1000 * p.rows / last.rows).toFixed(1)},${(98 - 94 * p[key] / most).toFixed(2)}`).join(" "),
  });
  const svg = drawing("svg", {
    viewBox: "0 0 1000 100", preserveAspectRatio: "none", role: "img",
    "aria-label": `error ${error(last.error)}, baseline ${error(last.baseline)} after ${number(last.rows)} rows`,
  });
  svg.append(line("baseline"), line("error"));
  const key = (name, text) => element("span", { class: "key " + name }, text);
  return [
    element("p", { class: "note keys" }, key("error", "error so far"), key("baseline", `baseline: ${classes ? "the most frequent class" : "the mean"}`), element("span", {}, `top: ${error(most)}`)),
    svg,
    element("p", { class: "note" }, `${plural(last.rows, "row")} ${now.rows_before ? `after the ${number(now.rows_before)} of the file that the server started with` : "since the start"}, each predicted before it was learned`)];
}

async function list() {
  const body = await (await fetch("v1/models")).json();
  const same = (m) => m.name + (m.versions?.length !== 0 ? JSON.stringify(m.columns) : "");
  const all = [...body.models, ...body.detectors];
  const changed = [...models, ...detectors].map(same).join() !== all.map(same).join();
  models = body.models;
  detectors = body.detectors;
  learning(body.learning, models.find((m) => m.name === body.learning?.model));
  const articles = [...models.map(describe), ...detectors.map(describeDetector)];
  byId("models").replaceChildren(...(articles.length ? articles : [element("p", { class: "note" }, "None is loaded yet.")]));
  if (changed) {
    const chosen = byId("model").value;
    byId("model").replaceChildren(...all.map((m) => element("option", {}, m.name)));
    if (all.some((m) => m.name === chosen)) byId("model").value = chosen;
    cells();
  }
  const troubled = body.sources.filter((s) => s.problem);
  const state = byId("state");
  state.textContent = troubled.length ? `cannot read ${troubled.map((s) => s.name).join(", ")}`
    : detectors.length || models.some((m) => m.version) ? "ready" : "waiting for a model";
  state.className = troubled.length ? "bad" : "";
}

async function refresh() {
  try {
    await list();
    await figures();
  } catch (error) {
    byId("state").textContent = "the server does not respond";
    byId("state").className = "bad";
  }
  setTimeout(refresh, POLL_MS);
}

byId("form").addEventListener("submit", ask);
byId("model").addEventListener("change", cells);
refresh();
