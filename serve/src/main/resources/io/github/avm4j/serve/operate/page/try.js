// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
"use strict";

// The form to try a row, and its prediction. Uses what page.js declares.

function cells() {
  const name = byId("model").value;
  const detector = detectors.find((d) => d.name === name);
  const model = detector || models.find((m) => m.name === name);
  const place = byId("cells");
  byId("ask").textContent = detector ? "Judge" : "Predict";
  if (!model) return place.replaceChildren();
  if (!model.columns.length) {
    const area = element("textarea", { id: "row", spellcheck: "false" });
    const shown = detector || model.versions.find((v) => v.version === model.version);
    area.value = JSON.stringify(new Array(Math.min(200, shown ? shown.features : 1)).fill(0));
    return place.replaceChildren(element("label", { class: "wide" }, "Features, an array or {\"1\": value}", area));
  }
  place.replaceChildren(...model.columns.filter((c) => c.kind !== "dropped").map((column) => {
    const attributes = { "data-column": column.name, "data-kind": column.kind };
    const input = column.kind === "category"
      ? element("select", attributes, element("option", { value: "" }, "(missing)"),
          ...column.categories.map((c) => element("option", {}, c)))
      : element("input", { ...attributes, placeholder: column.kind === "date" ? "2026-01-31" : "missing" });
    input.addEventListener("input", () => object(input, ""));
    return element("label", {}, column.name, input);
  }));
}

/** Says beside a field what is wrong with it; nothing if it is right. */
function object(input, words) {
  input.parentElement.querySelector(".bad")?.remove();
  input.setAttribute("aria-invalid", words !== "");
  if (words) input.after(element("span", { class: "bad", role: "alert" }, words));
}

/** What a field holds, or what is wrong with it. */
function cell(kind, text) {
  if (kind === "number") {
    const value = Number(text);
    return Number.isFinite(value) ? { value } : { wrong: /^[-\d.]+,\d+$/.test(text) ? "a number with a point, as 3.5" : "must be a number" };
  }
  if (kind === "date" && !/^\d{4}-\d\d-\d\d([T ].*)?$/.test(text)) return { wrong: "a date, as 2026-01-31" };
  return { value: text };
}

/** The row in the form; null if a field is wrong. */
function row() {
  const area = byId("row");
  if (area) return JSON.parse(area.value);
  const cells = {};
  let wrong = null;
  for (const input of document.querySelectorAll("[data-column]")) {
    const text = input.value.trim();
    const read = text === "" ? {} : cell(input.dataset.kind, text);
    object(input, read.wrong || "");
    if (read.wrong) wrong = wrong || input;
    else if (read.value !== undefined) cells[input.dataset.column] = read.value;
  }
  wrong?.focus();
  return wrong ? null : cells;
}

/** A core point's features as cells of the data: dates as dates, a category by its name. */
function example(at, columns) {
  const parts = [];
  for (const [key, value] of Object.entries(at)) {
    const column = columns.find((c) => key === c.name || (c.kind !== "number" && [" ", "=", "#"].some((mark) => key.startsWith(c.name + mark))));
    if (column?.kind === "date") {
      if (key !== column.name) continue; // hour and weekday are in the date
      const iso = new Date(Math.round(value * 1440) * 60000).toISOString();
      parts.push(element("span", { class: "date" }, `${key} ${iso.endsWith("T00:00:00.000Z") ? iso.slice(0, 10) : moment(iso)}`));
    } else if (column?.kind === "category" || column?.kind === "hashed") {
      const share = rounded(value);
      const name = column.kind === "hashed" ? key : `${column.name} = ${key.slice(column.name.length + 1)}`;
      if (Math.abs(share) > 1e-9) parts.push(share === 1 ? name : `${name} (${share})`);
    } else {
      parts.push(`${key} ${rounded(value)}`);
    }
  }
  return parts.slice(0, 8).flatMap((part, k) => (k ? [", ", part] : [part]));
}

/** Which way a contribution moves the prediction, in words. */
function speaks(point, regression, target) {
  const size = number(Math.abs(point.contribution), 3);
  if (regression) return `${point.contribution < 0 ? "lowers" : "raises"} ${target} by ${size}`;
  return point.towards !== undefined ? `towards ${point.towards} by ${size}` : `against ${point.against} by ${size}`;
}

/** The training examples that decided, as a table. */
function examples(points, regression, target, columns) {
  const lines = points.map((point) => {
    const bar = element("span", { class: point.contribution < 0 ? "bar against" : "bar" });
    bar.style.width = (4 * point.share).toFixed(2) + "rem";
    return element("tr", {},
      element("td", {}, bar, " " + percent(point.share)),
      element("td", {}, regression ? shortened(point.score) : point.prediction),
      element("td", { class: "speaks" }, speaks(point, regression, target)),
      element("td", {}, percent(point.similarity)),
      element("td", { class: "at" }, ...example(point.at, columns)));
  });
  const note = element("p", { class: "note" }, "The training examples with the largest effect: what the model predicts for each, and how that moves this prediction" +
    (regression ? "." : ", in units of the score."));
  const heads = ["share", "its prediction", "effect", "similarity", "the example"];
  return [note, element("div", { class: "scroll" }, element("table", { id: "points" },
    element("thead", {}, element("tr", {}, ...heads.map((t) => element("th", t === "the example" ? { class: "at" } : {}, t)))),
    element("tbody", {}, ...lines)))];
}

function show(reply) {
  const parts = [];
  const regression = typeof reply.prediction === "number";
  const prediction = regression ? shortened(reply.prediction) : reply.prediction;
  const model = models.find((m) => m.name === reply.model);
  const columns = model?.columns || [];
  const target = model?.target || "the prediction";
  const classes = model?.classes || [];
  parts.push(element("p", { class: "label", id: "label" }, prediction));
  parts.push(element("p", { class: "note" }, `${reply.model} version ${reply.version}`,
    ...(regression ? [` predicts ${target}`] : [", score ", shortened(reply.explained_score ?? reply.score),
      classes.length === 2 ? ` (above 0: ${classes[1]}, below 0: ${classes[0]})` : " (the highest of all classes)"])));
  for (const [name, p] of Object.entries(reply.probabilities || {})) {
    const inner = element("span", {});
    inner.style.width = width(p);
    parts.push(element("div", { class: "meter" }, element("span", {}, name), element("span", { class: "bar" }, inner), element("span", {}, percent(p))));
  }
  if (reply.unknown_columns) parts.push(element("p", { class: "note bad" }, "Not known to the model: " + reply.unknown_columns.join(", ")));
  for (const cell of reply.unusable_cells || []) parts.push(element("p", { class: "note bad" }, `Taken as missing: ${cell.column} '${cell.value}' is ${cell.problem}`));
  if (reply.points) parts.push(...examples(reply.points, regression, target, columns));
  else parts.push(element("p", { class: "note" }, "The training examples that decided are not shown: that needs the permission explain."));
  byId("prediction").replaceChildren(...parts);
}

/** What a detector says of a row, and the features that an alarm is due to. */
function showDetection(reply) {
  const parts = [
    element("p", { class: "label", id: "label" }, reply.alarm ? "alarm" : "no alarm"),
    element("p", { class: "note" }, `${reply.model} version ${reply.version}: p-value ${number(reply.p_value, 3)}, an alarm if at most ${number(reply.alarm_level)}; score `,
      shortened(reply.score))];
  for (const cell of reply.unusable_cells || []) parts.push(element("p", { class: "note bad" }, `Taken as missing: ${cell.column} '${cell.value}' is ${cell.problem}`));
  for (const feature of reply.features || []) {
    const inner = element("span", {});
    inner.style.width = width(feature.share);
    const expected = feature.expected === undefined ? "" : `, expected ${rounded(feature.expected)}`;
    parts.push(element("div", { class: "meter cause" }, element("span", {}, `${feature.feature} ${rounded(feature.value)}${expected}`),
      element("span", { class: "bar" }, inner), element("span", {}, percent(feature.share))));
  }
  if (reply.features?.length) parts.push(element("p", { class: "note" }, "The features that the alarm is due to, and their share of it."));
  byId("prediction").replaceChildren(...parts);
}

async function ask(event) {
  event.preventDefault();
  try {
    const cells = row();
    if (!cells) return byId("prediction").replaceChildren();
    const name = byId("model").value;
    const isDetector = detectors.some((d) => d.name === name);
    const send = (path) => fetch(path + "model=" + encodeURIComponent(name),
      { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(cells) });
    let reply = await send(isDetector ? "v1/detect?explain=8&" : "v1/explain?points=8&");
    if ([401, 403, 404].includes(reply.status)) reply = await send(isDetector ? "v1/detect?" : "v1/predict?");
    const body = await reply.json();
    if (!reply.ok) throw new Error(body.error);
    if (isDetector) showDetection(body);
    else show(body);
  } catch (error) {
    byId("prediction").replaceChildren(element("p", { class: "note bad", id: "problem" }, error.message));
  }
}
