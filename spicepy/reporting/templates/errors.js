// Errors: totals and rates by kind, the most frequent of a kind, examples.
// What is listed follows `limits`, here and in the list of images.

const TOP = 12, EXAMPLES = 6;
const limits = { support: data.support, precision: data.reliable };
const errors = { kind: "", system: 0 };
const most = Math.max(1, ...data.references.map((found) => found.length));

// Whether enough references have what is missed; other kinds need none.
function isSupported(error, i) {
  return error.kind !== "missed object" || error.references >= Math.min(limits.support, data.references[i].length);
}

// Whether the precision is sufficient. What claims no error has none, and is left out
// where more is asked for.
function isBelieved(error) {
  return error.precision === null ? limits.precision <= data.reliable : error.precision >= limits.precision;
}

const isListed = (error, i) => !error.refuted && isSupported(error, i) && isBelieved(error);

// Number of each kind, listed and hidden for their precision, and of each tuple of the
// chosen kind, system by system.
function tally() {
  const add = (numbers, key) => numbers.set(key, (numbers.get(key) || 0) + 1);
  return data.runs.map((run, system) => {
    const kinds = new Map(), hidden = new Map(), tuples = new Map();
    data.ids.forEach((_, i) => {
      for (const error of errorsOf(i, system)) {
        if (isListed(error, i)) add(kinds, error.kind);
        else if (!error.refuted && isSupported(error, i)) add(hidden, error.kind);
      }
      for (const error of readErrors(i, system)) {
        if (error.kind === errors.kind) add(tuples, error.text);
      }
    });
    return { kinds, hidden, tuples };
  });
}

function trusted(kind) {
  const [low, high] = data.precision[data.kinds.indexOf(kind)];
  return low === undefined ? "–" : low === high ? `${low} %` : `${low}–${high} %`;
}

function kindTable(counted) {
  const per = (n) => (100 * n) / data.ids.length;
  const line = (kind) => {
    const values = counted.map(({ kinds }) => kinds.get(kind) || 0);
    const left = counted.map(({ hidden }) => hidden.get(kind) || 0);
    const best = data.remarks.includes(kind) || new Set(values).size < 2 || left.some((n, at) => n && !values[at]) ? -1 : Math.min(...values);
    return el("tr", { class: data.remarks.includes(kind) ? "remark" : null },
      el("th", { scope: "row" }, el("button", { type: "button", class: "link", "aria-pressed": kind === errors.kind, click: () => { errors.kind = kind; showErrors(); } }, kind)),
      el("td", { class: "number" }, trusted(kind)),
      values.map((n, at) => el("td", { class: "number" },
        !n && left[at] ? el("span", null, "–") : [el("span", { class: n === best ? "best" : null }, n.toLocaleString("en"), n === best ? star() : null), el("small", null, per(n).toFixed(1))],
        left[at] ? el("small", { class: "left-out" }, `${left[at].toLocaleString("en")} hidden`) : null)));
  };
  const totals = counted.map(({ kinds }) => [...kinds].reduce((sum, [kind, n]) => sum + (data.remarks.includes(kind) ? 0 : n), 0));
  const kinds = data.kinds.filter((kind) => !data.remarks.includes(kind));
  return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Errors by kind and system" }, el("table", { class: "kinds" },
    el("thead", null, el("tr", null, el("th", { scope: "col" }, "Kind"),
      el("th", { scope: "col", class: "number" }, el("abbr", { title: "how often errors of the kind were right where people checked them" }, "right")),
      data.systems.map((name, at) => el("th", { scope: "col", class: "number name" }, swatch(at), name)))),
    el("tbody", null, kinds.map(line),
      el("tr", { class: "total" }, el("th", { scope: "row" }, "all errors"), el("td"), totals.map((n) => el("td", { class: "number" }, n.toLocaleString("en"), el("small", null, per(n).toFixed(1))))),
      data.remarks.map(line))));
}

// The most frequent tuples of the chosen kind, all systems on one scale.
function ranking(counted) {
  const sums = new Map();
  for (const { tuples } of counted) for (const [text, n] of tuples) sums.set(text, (sums.get(text) || 0) + n);
  const top = [...sums].sort(([a, n], [b, m]) => m - n || a.localeCompare(b, "en")).slice(0, TOP).map(([text]) => text);
  if (!top.length) return el("p", { class: "muted" }, "None.");
  const highest = Math.max(...top.flatMap((text) => counted.map(({ tuples }) => tuples.get(text) || 0)));
  const cell = (text, system) => {
    const n = counted[system].tuples.get(text) || 0;
    const bar = svg("svg", { viewBox: "0 0 100 6", preserveAspectRatio: "none", "aria-hidden": "true" },
      svg("rect", { class: `fill s${system % COLORS}`, width: (100 * n) / highest, height: 6 }));
    return el("td", null, n ? el("button", {
      type: "button", "data-system": system, "data-kind": errors.kind, "data-tuple": text,
      "aria-label": `${data.systems[system]}: ${errors.kind} ${text}: ${n}; show images`,
    }, el("span", null, n), bar) : el("span", { class: "muted" }, "0"));
  };
  return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `Most frequent: ${errors.kind}` }, el("table", { class: "ranking" },
    el("thead", null, el("tr", null, el("th", { scope: "col" }, errors.kind), data.systems.map((name, at) => el("th", { scope: "col", class: "name" }, swatch(at), name)))),
    el("tbody", null, top.map((text) => el("tr", null, el("th", { scope: "row" }, text), data.systems.map((_, system) => cell(text, system)))))),
    sums.size > TOP ? el("p", { class: "muted small" }, `${TOP} of ${sums.size.toLocaleString("en")}`) : null);
}

// A caption with the words of an error in it set off, or the last of them.
function emphasised(text, words) {
  const start = words ? text.toLowerCase().indexOf(words.toLowerCase()) : -1;
  if (start < 0) return words && words.includes(" ") ? emphasised(text, words.slice(words.indexOf(" ") + 1)) : [text];
  return [text.slice(0, start), el("mark", { class: "words" }, text.slice(start, start + words.length)), text.slice(start + words.length)];
}

function because(error, i) {
  const all = data.references[i].length;
  const meant = error.expected === null ? [] : [`references: ${error.expected}`];
  const rests = error.references === null ? [] : [`said by ${error.references} of ${all}`];
  return [...meant, ...rests, ...(error.annotated === null ? [] : [error.annotated])].join("; ");
}

function examples() {
  const found = [];
  for (let i = 0; i < data.ids.length && found.length < EXAMPLES; i += 1) {
    const error = readErrors(i, errors.system).find(({ kind }) => kind === errors.kind);
    if (error) found.push([i, error]);
  }
  const named = data.systems.map((name, at) => [at, `${at + 1} ${name}`]);
  return [
    el("div", { class: "heading" }, el("h3", null, `Examples: ${errors.kind}`),
      data.systems.length > 1 ? choice("Captions of", named, errors.system, (v) => { errors.system = Number(v); showErrors(); }) : null),
    found.length ? el("ol", { class: "examples" }, found.map(([i, error]) => el("li", null,
      el("button", { type: "button", class: "link", "aria-label": `Open image ${data.ids[i]}`, click: () => openImage(i, errors.system) }, `Image ${data.ids[i]}`),
      el("p", { class: "said" }, emphasised(data.runs[errors.system].texts[i], error.words)),
      el("p", { class: "muted" }, el("b", null, error.text), because(error, i) ? ` (${because(error, i)})` : null),
      el("p", { class: "muted reference" }, data.references[i][0])))) : el("p", { class: "muted" }, "None."),
  ];
}

function limitControls() {
  const change = (changes) => { Object.assign(limits, changes); set({}); showErrors(); };
  const shown = (n) => (n > 1 ? `${n} of ${most} references or more` : "1 reference or more");
  const output = el("output", null, shown(limits.support));
  const slider = el("input", {
    type: "range", min: 1, max: most, step: 1, value: limits.support, "aria-valuetext": shown(limits.support),
    input: () => { output.textContent = shown(Number(slider.value)); slider.setAttribute("aria-valuetext", output.textContent); },
    change: () => change({ support: Number(slider.value) }),
  });
  // With the one that the page begins with.
  const shares = [...new Set([30, 40, 50, 60, 70, 80, 90, data.reliable])].sort((a, b) => a - b);
  const levels = [[0, "all errors"], ...shares.map((n) => [n, `at least ${n} %`])];
  return el("div", { class: "controls limits" },
    el("label", { class: "field slider" }, el("span", null, "An object is missed if it is in"), slider, output),
    choice("Errors that are right", levels, limits.precision, (v) => change({ precision: Number(v) })));
}

function showErrors() {
  const place = document.getElementById("kinds");
  if (!place) return;
  if (!data.kinds.includes(errors.kind)) errors.kind = data.kinds.find((kind) => kind.startsWith("wrong")) || data.kinds[0] || "";
  const counted = tally();
  if (!counted[errors.system].kinds.get(errors.kind)) {
    errors.system = Math.max(0, counted.findIndex(({ kinds }) => kinds.get(errors.kind)));
  }
  redraw(place, limitControls(), kindTable(counted),
    el("p", { class: "muted small" }, `Number of errors; small: for each 100 captions. ★ fewest. Right: how likely errors of the kind are right, each by its own evidence. ${limits.precision ? `Hidden: errors less likely right than chosen above. ` : ""}${data.remarks.length ? `Other words that are no errors stand below the sum. ` : ""}Choose a kind to see its most frequent tuples and examples.`),
    errors.kind ? [el("h3", null, `Most frequent: ${errors.kind}`), ranking(counted), ...examples()] : []);
}
