// One image opened: captions with marks, tuples, both scene graphs.

const dialog = document.getElementById("detail");

// Parts of the page that show a tuple, so that pointing at one lights all.
class Register {
  constructor() { this.parts = new Map(); }

  add(side, at, node) { this.addKey(`${side} ${at}`, node); }

  addKey(key, node) {
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

// A caption in pieces: the tokens of its tuples are marked, and `spans` ({start, length,
// key}) light up with what has their key.
function marked(text, tuples, caption, side, register, keysOf, spans = []) {
  const units = Array.from(text); // places count code points
  const spots = new Map();
  for (const found of tuples) {
    for (let k = 0; k < found.places.length; k += 3) {
      if (found.places[k] !== caption) continue;
      const [start, length] = found.places.slice(k + 1, k + 3);
      if (!spots.has(start)) spots.set(start, { start, length, tuples: [] });
      spots.get(start).tuples.push(found);
    }
  }
  const cuts = [...spots.values(), ...spans].flatMap(({ start, length }) => [start, start + length]);
  const edges = [...new Set([0, ...cuts, units.length])].sort((a, b) => a - b);
  const covers = (from) => ({ start, length }) => start <= from && from < start + length;
  return edges.slice(0, -1).map((from, k) => {
    const piece = units.slice(from, edges[k + 1]).join("");
    const spot = [...spots.values()].find(covers(from));
    const about = spans.filter(covers(from));
    if (!spot && !about.length) return piece;
    const node = spot ? markOf(piece, spot.tuples, side, register, keysOf) : el("span", null, piece);
    node.classList.add(...(about.length ? ["about"] : []));
    for (const { key: name } of about) register.addKey(name, node);
    return node;
  });
}

function markOf(piece, here, side, register, keysOf) {
  const state = (found) => (found.matched ? "matched" : side === "ref" ? "missing" : "spurious");
  const first = here.find((found) => found.matched) || here[0];
  const title = here.map((found) => `${found.text} ${state(found)}`).join("\n");
  const mark = el("mark", { class: `${first.kind} ${state(first)}`, title }, piece);
  for (const found of here) register.add(side, found.at, mark);
  register.wire(mark, here.flatMap(keysOf));
  return mark;
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

// The findings of an image by question. Pointing at one, or reaching it with the
// keyboard, lights its words, its node in the analysis's graph, and its evidence: what
// the references say of the thing. What the annotations refute is struck out.
function findingList(i, system, graph, register) {
  const words = (error) => [`${error.kind}: `, el("b", null, error.text), because(error, i) ? ` (${because(error, i)})` : null];
  const about = scenes().runs[system].about[i];
  const found = errorsOf(i, system).map((error, k) => ({ error, k })).filter(({ error }) => isListed(error, i));
  const item = ({ error, k }) => {
    const button = el("button", { type: "button", class: "finding", title: evidence(i, about[k]) }, words(error),
      el("span", { class: "chance" }, error.precision === null ? "unchecked" : `${Math.round(100 * error.precision)} %`));
    const at = graph ? tupleOf(graph, error) : -1;
    register.wire(button, [`about ${about[k]}`, `words ${system} ${k}`, `read${system} ${at}`]);
    return el("li", null, button, verdictButtons(i, system, error));
  };
  const left = errorsOf(i, system).filter((error) => !error.refuted && isSupported(error, i) && !isLikely(error));
  const unchecked = left.filter(({ precision }) => precision === null).length, hidden = left.length - unchecked;
  const rest = [found.length ? null : "No finding is listed", hidden ? `${hidden} hidden` : null, unchecked ? `${unchecked} unchecked` : null];
  return el("div", { class: "findings" },
    data.questions.map(([question]) => [question, found.filter(({ error }) => questionOf.get(error.kind) === question)])
      .filter(([, own]) => own.length).map(([question, own]) => [el("h5", null, question), el("ul", null, own.map(item))]).flat(),
    el("ul", null, refutedErrors(i, system).map((error) => el("li", { class: "refuted" }, el("s", null, words(error))))),
    el("p", { class: "muted small" }, rest.filter(Boolean).join("; ")));
}

// Where a finding's words stand in the candidate.
function wordSpans(i, system) {
  const text = data.runs[system].texts[i];
  return errorsOf(i, system).flatMap((error, k) => {
    const [before, words] = isListed(error, i) ? emphasised(text, error.words) : [];
    return words ? [{ start: Array.from(before).length, length: Array.from(words.textContent).length, key: `words ${system} ${k}` }] : [];
  });
}

// What the references say of what a finding is about, in words.
function evidence(i, number) {
  const flat = scenes().mentions[i][number] || [];
  const said = [];
  for (let k = 0; k < flat.length; k += 3) {
    said.push(`${flat[k] + 1} “${Array.from(data.references[i][flat[k]]).slice(flat[k + 1], flat[k + 1] + flat[k + 2]).join("")}”`);
  }
  return said.length ? `References: ${said.join(", ")}` : "The references do not speak of it";
}

// Where the references speak of what findings are about.
function mentionSpans(i, caption) {
  return scenes().mentions[i].flatMap((flat, number) => {
    const spans = [];
    for (let k = 0; k < flat.length; k += 3) {
      if (flat[k] === caption) spans.push({ start: flat[k + 1], length: flat[k + 2], key: `about ${number}` });
    }
    return spans;
  });
}

// What a candidate of several sentences says, sentence by sentence.
function factList(i, system) {
  const flat = scenes().runs[system].facts[i];
  if (!flat) return null;
  const sentences = new Map();
  for (let k = 0; k < flat.length; k += 4) {
    const [sentence, text, wrong, kind] = flat.slice(k, k + 4);
    if (!sentences.has(sentence)) sentences.set(sentence, []);
    const percentage = Math.round(100 * wrong);
    sentences.get(sentence).push(el("li", { class: wrong >= 0.5 ? "doubted" : null, title: kind < 0 ? null : word(kind) },
      word(text), percentage ? el("span", { class: "chance" }, `${percentage} % wrong`) : null));
  }
  return el("details", { open: true }, el("summary", null, "What it says, sentence by sentence"),
    el("ol", { class: "facts" }, [...sentences].map(([sentence, items]) => el("li", { value: sentence }, el("ul", null, items)))),
    el("p", { class: "muted small" }, "With how likely a statement is wrong. Parts that do not describe the picture are left out."));
}

function systemPanel(i, system, pair, register) {
  const run = data.runs[system];
  const side = String(system);
  const name = data.systems[system];
  const tuples = pair ? pair.candidate.tuples : [];
  const keysOf = (found) => found.partner < 0 ? [`${side} ${found.at}`] : [`${side} ${found.at}`, `ref ${found.partner}`];
  const text = run.texts[i];
  const reading = readReading(i, system);
  return el("section", { class: "panel", "aria-label": `Candidate of ${name}` },
    el("h4", null, swatch(system), name,
      el("span", { class: "score" }, `${data.keys[0]} ${number(scoreOf(system, i, 0))}`)),
    el("p", { class: "caption candidate" }, text ? marked(text, tuples, 0, side, register, keysOf, wordSpans(i, system)) : el("em", null, "no words")),
    data.judged ? findingList(i, system, reading, register) : null,
    factList(i, system),
    reading && figure("What the analysis reads (grammar spicepy-1); dashed: with a listed error", reading, `read${system}`, register),
    pair && tupleList("SPICE: matched", tuples.filter((t) => t.matched), side, register, keysOf),
    pair && tupleList("SPICE: spurious", tuples.filter((t) => !t.matched), side, register, keysOf),
    pair && figure("Scene graph of the candidate, as SPICE matches it", pair.candidate, side, register),
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
      el("li", { class: "caption" }, marked(text, tuples, caption, "ref", register, keysOf, mentionSpans(i, caption))))),
    pair && tupleList("SPICE: matched", tuples.filter((t) => t.matched), "ref", register, keysOf),
    pair && tupleList("SPICE: missing", tuples.filter((t) => !t.matched), "ref", register, keysOf),
    pair && figure("Scene graph of the references, as SPICE matches it", pair.references, "ref", register));
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
      data.kinds.length ? exportButton() : null,
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
  }, "Color-blind safe colors");
  return button;
}
