// One image opened: captions with marks, tuples, both scene graphs.

const dialog = document.getElementById("detail");

// Parts of the page that show a tuple, so that pointing at one lights all.
class Register {
  constructor() { this.parts = new Map(); }

  add(side, at, node) {
    const key = `${side} ${at}`;
    if (!this.parts.has(key)) this.parts.set(key, []);
    this.parts.get(key).push(node);
  }

  wire(node, keys) {
    const light = (on) => () => {
      for (const key of keys) for (const part of this.parts.get(key) || []) part.classList.toggle("lit", on);
    };
    node.addEventListener("pointerenter", light(true));
    node.addEventListener("pointerleave", light(false));
    node.addEventListener("focus", light(true));
    node.addEventListener("blur", light(false));
  }
}

function sources(i, name) {
  const src = data.sources[i];
  return src ? el("img", { src, alt: `Image ${data.ids[i]}`, class: name, loading: "lazy", decoding: "async" }) : null;
}

// A caption with the tokens of its tuples marked.
function marked(text, tuples, caption, side, register, keysOf) {
  const units = /[\ud800-\udfff]/.test(text) ? Array.from(text) : text;
  const cut = (from, to) => (typeof units === "string" ? units.slice(from, to) : units.slice(from, to).join(""));
  const spots = new Map();
  for (const found of tuples) {
    for (let k = 0; k < found.places.length; k += 3) {
      if (found.places[k] !== caption) continue;
      const [start, length] = found.places.slice(k + 1, k + 3);
      if (!spots.has(start)) spots.set(start, { length, tuples: [] });
      spots.get(start).tuples.push(found);
    }
  }
  const nodes = [];
  let end = 0;
  for (const start of [...spots.keys()].sort((a, b) => a - b)) {
    const { length, tuples: here } = spots.get(start);
    if (start < end) continue;
    nodes.push(cut(end, start));
    end = start + length;
    const first = here.find((found) => found.matched) || here[0];
    const status = first.matched ? "matched" : side === "ref" ? "missing" : "spurious";
    const title = here.map((found) => `${found.text} ${found.matched ? "matched" : side === "ref" ? "missing" : "spurious"}`).join("\n");
    const mark = el("mark", { class: `${first.kind} ${status}`, title }, cut(end - length, end));
    for (const found of here) register.add(side, found.at, mark);
    register.wire(mark, here.flatMap(keysOf));
    nodes.push(mark);
  }
  return [...nodes, cut(end)];
}

function tupleList(title, tuples, side, register, keysOf) {
  if (!tuples.length) return null;
  const items = tuples.map((found) => {
    const button = el("button", { type: "button", class: `tuple ${found.kind} ${found.matched ? "matched" : "unmatched"}` }, found.text);
    register.add(side, found.at, button);
    register.wire(button, keysOf(found));
    return el("li", null, button);
  });
  return [el("h5", null, `${title} (${tuples.length})`), el("ul", { class: "tuples" }, items)];
}

// The errors of an image; what the annotations refute is struck out.
function badges(i, system) {
  const text = (error) => [`${error.kind}: `, el("b", null, error.text), because(error, i) ? ` (${because(error, i)})` : null];
  return el("ul", { class: "badges" },
    readErrors(i, system).map((error) => el("li", { class: data.remarks.includes(error.kind) ? "remark" : "strong" }, text(error))),
    refutedErrors(i, system).map((error) => el("li", { class: "refuted" }, el("s", null, text(error)))));
}

function systemPanel(i, system, pair, register) {
  const run = data.runs[system];
  const side = String(system);
  const name = data.systems[system];
  const tuples = pair ? pair.candidate.tuples : [];
  const keysOf = (found) => found.partner < 0 ? [`${side} ${found.at}`] : [`${side} ${found.at}`, `ref ${found.partner}`];
  const text = run.texts[i];
  return el("section", { class: "panel", "aria-label": `Candidate of ${name}` },
    el("h4", null, swatch(system), name,
      el("span", { class: "score" }, `${data.keys[0]} ${number(scoreOf(system, i, 0))}`)),
    el("p", { class: "caption candidate" }, text ? marked(text, tuples, 0, side, register, keysOf) : el("em", null, "no words")),
    badges(i, system),
    pair && tupleList("Matched", tuples.filter((t) => t.matched), side, register, keysOf),
    pair && tupleList("Spurious", tuples.filter((t) => !t.matched), side, register, keysOf),
    pair && figure("Scene graph of the candidate", pair.candidate, side, register),
    partnersFigure(i, system));
}

function figure(title, graph, side, register) {
  return el("figure", { class: "drawing" },
    el("figcaption", null, title),
    el("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": `${title}, scrollable` },
      drawGraph(graph, title, (at, node) => register.add(side, at, node))));
}

function referencesPanel(i, system, pair, register) {
  const tuples = pair ? pair.references.tuples : [];
  const keysOf = (found) => found.partner < 0 ? [`ref ${found.at}`] : [`ref ${found.at}`, `${system} ${found.partner}`];
  const name = data.systems[system];
  return el("section", { class: "panel wide", "aria-label": "References" },
    el("h4", null, "References", data.systems.length > 1 && pair ? el("span", { class: "score" }, `as matched by ${name}`) : null),
    el("ol", { class: "references" }, data.references[i].map((text, caption) =>
      el("li", { class: "caption" }, marked(text, tuples, caption, "ref", register, keysOf)))),
    pair && tupleList("Matched", tuples.filter((t) => t.matched), "ref", register, keysOf),
    pair && tupleList("Missing", tuples.filter((t) => !t.matched), "ref", register, keysOf),
    pair && figure("Scene graph of the references", pair.references, "ref", register));
}

function scoreTable(i, systems) {
  return el("details", { class: "all-scores" }, el("summary", null, "All scores of this image"),
    el("div", { class: "scroll" }, el("table", null,
      el("thead", null, el("tr", null, el("th", { scope: "col" }, "System"), data.keys.map((key) => el("th", { scope: "col", class: "number" }, key)))),
      el("tbody", null, systems.map((s) => el("tr", null, el("th", { scope: "row" }, data.systems[s]),
        data.keys.map((_, key) => el("td", { class: "number" }, number(scoreOf(s, i, key))))))))));
}

function key() {
  const item = (name, text) => el("li", null, el("span", { class: `tuple ${name}` }, text));
  return el("ul", { class: "key", "aria-label": "Key" },
    KINDS.map((kind) => item(`${kind} matched`, kind)), item("neutral matched", "filled: matched"), item("neutral unmatched", "dashed: missing or spurious"));
}

// Draw image i; `systems` are one or two; `focus` is whose matching the
// references show. `move(step)` goes to the list's next or previous image.
function showDetail(i, systems, focus, position, move) {
  const register = new Register();
  const pairs = new Map(systems.map((s) => [s, readPair(i, s)]));
  const again = (value) => showDetail(i, systems, Number(value), position, move);
  dialog.replaceChildren(
    el("header", { class: "bar" },
      el("h3", { id: "detail-title", tabindex: "-1" }, `Image ${data.ids[i]}`),
      el("span", { class: "muted" }, position),
      el("span", { class: "grow" }),
      systems.length > 1 ? choice("References as matched by", systems.map((s) => [s, data.systems[s]]), focus, again) : null,
      el("button", { type: "button", click: () => move(-1), "aria-label": "Previous image", title: "Previous (left arrow)" }, "←"),
      el("button", { type: "button", click: () => move(1), "aria-label": "Next image", title: "Next (right arrow)" }, "→"),
      el("button", { type: "button", click: () => dialog.close(), class: "close" }, "Close")),
    el("div", { class: "body" },
      el("div", { class: "above" }, pairs.get(focus) ? key() : null, pairs.get(focus) ? paletteButton() : null),
      sources(i, "photo"),
      el("div", { class: systems.length > 1 ? "panels two" : "panels" },
        systems.map((s) => systemPanel(i, s, pairs.get(s), register)),
        referencesPanel(i, focus, pairs.get(focus), register)),
      scoreTable(i, systems)));
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
  document.getElementById("detail-title").focus();
}

function paletteButton() {
  const root = document.documentElement;
  const button = el("button", {
    type: "button", class: "palette", "aria-pressed": root.dataset.palette === "safe",
    click: () => {
      root.dataset.palette = root.dataset.palette === "safe" ? "paper" : "safe";
      button.setAttribute("aria-pressed", root.dataset.palette === "safe");
    },
  }, "Colour-blind safe colours");
  return button;
}
