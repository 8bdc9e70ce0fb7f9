// Errors: totals and rates by kind, the most frequent of a kind, examples.
// What is listed follows `limits`, here and in the list of images.

const TOP = 12, EXAMPLES = 6;
const limits = { support: data.support, precision: data.reliable };
const errors = { kind: "", system: 0 };
const most = Math.max(1, ...data.references.map((found) => found.length));

// Whether enough references have what is missed; other kinds need none.
function isSupported(error, i) {
  return !error.needsSupport || error.references >= Math.min(limits.support, data.references[i].length);
}

// Readers choose a precision in percent; those of errors and of `data.runs` are in 0-1.
const leastPrecision = () => limits.precision / 100;

// Whether the precision is sufficient. A kind that nobody has checked has none, and its
// errors are listed only if all are.
function isLikely(error) {
  return error.precision === null ? limits.precision === 0 : error.precision >= leastPrecision();
}

const isListed = (error, i) => !error.refuted && isSupported(error, i) && isLikely(error);

// System by system: the number of each kind that is listed, the numbers that are hidden
// or of kinds without a precision, the number of each tuple of the chosen kind, and in
// each image the number of each kind that is likely. Systems are compared by the last.
function tally() {
  const add = (numbers, key) => numbers.set(key, (numbers.get(key) || 0) + 1);
  return data.runs.map((run, system) => {
    const kinds = new Map(), images = new Map(), hidden = new Map(), unchecked = new Map(), tuples = new Map();
    data.ids.forEach((_, i) => {
      for (const error of errorsOf(i, system)) {
        if (error.refuted || !isSupported(error, i)) continue;
        if (isLikely(error)) {
          if (!images.has(error.kind)) images.set(error.kind, new Uint16Array(data.ids.length));
          images.get(error.kind)[i] += 1;
        }
        if (!isLikely(error)) { add(error.precision === null ? unchecked : hidden, error.kind); continue; }
        add(kinds, error.kind);
        if (error.kind === errors.kind) add(tuples, error.text);
      }
    });
    return { kinds, images, hidden, unchecked, tuples };
  });
}

// The two-sided p-value of the sign test (Dixon & Mood 1946).
function signTest(fewer, more) {
  const n = fewer + more;
  let log = -n * Math.LN2, tail = 0;
  for (let k = 0; k <= Math.min(fewer, more); k += 1) {
    tail += Math.exp(log);
    log += Math.log((n - k) / (k + 1));
  }
  return Math.min(1, 2 * tail);
}

// The system with significantly fewer errors of a kind than every other, -1 without.
function clearlyFewest(counted, kind, tests) {
  const none = new Uint16Array(data.ids.length);
  const values = counted.map(({ images }) => (images.get(kind) || none).reduce((sum, n) => sum + n, 0));
  const first = values.indexOf(Math.min(...values));
  const own = counted[first].images.get(kind) || none;
  const differs = counted.every(({ images }, at) => {
    if (at === first) return true;
    const other = images.get(kind) || none;
    let fewer = 0, more = 0;
    own.forEach((n, i) => { fewer += n < other[i]; more += n > other[i]; });
    return tests * signTest(fewer, more) < 0.05;
  });
  return counted.length > 1 && differs ? first : -1;
}

const hiddenBelow = () => `hidden below ${leastPrecision().toFixed(2).slice(1)}`;

function trusted(kind) {
  const [low, high] = data.precision[data.kinds.indexOf(kind)];
  return low === undefined ? "–" : low === high ? `${low} %` : `${low}–${high} %`;
}

// The kinds that answer a question, the most frequent first.
function kindTable(counted, question, kinds) {
  const per = (n) => (100 * n) / data.ids.length;
  const known = kinds.map((at) => data.kinds[at]);
  const sum = (kind, what) => counted.reduce((all, own) => all + (own[what].get(kind) || 0), 0);
  known.sort((a, b) => sum(b, "kinds") - sum(a, "kinds") || sum(b, "hidden") - sum(a, "hidden"));
  const tests = known.length * (counted.length - 1);
  if (!known.length) return null;
  const line = (kind) => {
    const best = isRemark(kind) ? -1 : clearlyFewest(counted, kind, tests);
    return el("tr", null,
      el("th", { scope: "row" }, el("button", { type: "button", class: "link", "aria-pressed": kind === errors.kind, click: () => { errors.kind = kind; showErrors(); } }, kind)),
      el("td", { class: "number range" }, trusted(kind)),
      counted.map((own, at) => {
        const [n, left, open] = ["kinds", "hidden", "unchecked"].map((what) => own[what].get(kind) || 0);
        return el("td", { class: "number" },
          n || !(left || open) ? [el("span", { class: at === best ? "best" : null }, n ? n.toLocaleString("en") : "none", at === best ? star() : null), el("small", null, n ? per(n).toFixed(1) : "")] : null,
          left ? el("small", { class: "left-out" }, `${left.toLocaleString("en")} ${hiddenBelow()}`) : null,
          open ? el("small", { class: "left-out" }, `${open.toLocaleString("en")} unchecked`) : null);
      }));
  };
  const totals = counted.map((own) => known.reduce((all, kind) => all + (own.kinds.get(kind) || 0), 0));
  return [el("h3", null, question.charAt(0).toUpperCase() + question.slice(1)),
    el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `${question}: kinds by system` }, el("table", { class: "kinds" },
      el("thead", null, el("tr", null, el("th", { scope: "col" }, "Kind"),
        el("th", { scope: "col", class: "number range" }, el("abbr", { title: "the range of the probabilities that findings of this kind are right, estimated for each finding from its own evidence" }, "right")),
        data.systems.map((name, at) => el("th", { scope: "col", class: "number name" }, swatch(at), name)))),
      el("tbody", null, known.map(line),
        isRemark(known[0]) ? null : el("tr", { class: "total" }, el("th", { scope: "row" }, "all"), el("td", { class: "range" }), totals.map((n) => el("td", { class: "number" }, n.toLocaleString("en"), el("small", null, per(n).toFixed(1))))))))];
}

// What SPICE would gain if this error were fixed, as bars on one scale.
function gainTable() {
  const gain = (kind, run) => run.gains[data.kinds.indexOf(kind)] || 0;
  const most = Math.max(0, ...data.runs.flatMap(({ gains }) => gains));
  if (!most) return null;
  const top = (kind) => Math.max(...data.runs.map((run) => gain(kind, run)));
  const kinds = data.kinds.filter(top).sort((a, b) => top(b) - top(a));
  const cell = (kind, run, system) => el("td", null, el("span", { class: "gain" }, el("span", null, `+${gain(kind, run).toFixed(4)}`),
    svg("svg", { viewBox: "0 0 100 6", preserveAspectRatio: "none", "aria-hidden": "true" },
      svg("rect", { class: `fill s${system % COLORS}`, width: (100 * gain(kind, run)) / most, height: 6 }))));
  return el("details", null, el("summary", null, "What SPICE would gain if this error were fixed"),
    el("p", { class: "muted small" }, `The mean rise of SPICE's F over all images if the errors of a kind that are listed by default (at least ${data.reliable} % likely) were fixed: the candidate's unmatched tuples that name the wrong word count as matched, and what is left out as one more matched tuple, as far as the references have unmatched tuples.`),
    el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Gain of SPICE by kind and system" }, el("table", { class: "ranking" },
      el("thead", null, el("tr", null, el("th", { scope: "col" }, "Kind"), data.systems.map((name, at) => el("th", { scope: "col", class: "name" }, swatch(at), name)))),
      el("tbody", null, kinds.map((kind) => el("tr", null, el("th", { scope: "row" }, kind), data.runs.map((run, system) => cell(kind, run, system))))))));
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
  const levels = [[0, "all findings"], ...data.levels.map((n) => [n, `at least ${n} %`])];
  return el("div", { class: "controls limits" },
    el("label", { class: "field slider" }, el("span", null, "An object is missed if it is in"), slider, output),
    choice("Findings that are right", levels, limits.precision, (v) => change({ precision: Number(v) })));
}

function showErrors() {
  const place = document.getElementById("kinds");
  if (!place) return;
  const counted = tally();
  if (!data.kinds.includes(errors.kind)) {
    const listed = (kind) => counted.reduce((sum, { kinds }) => sum + (kinds.get(kind) || 0), 0);
    const [, first] = data.questions[0];
    [errors.kind] = [...(first.length ? first.map((at) => data.kinds[at]) : data.kinds)].sort((a, b) => listed(b) - listed(a));
    if (errors.kind) { showErrors(); return; }
    errors.kind = "";
  }
  if (!counted[errors.system].kinds.get(errors.kind)) {
    errors.system = Math.max(0, counted.findIndex(({ kinds }) => kinds.get(errors.kind)));
  }
  const unchecked = counted.some((own) => own.unchecked.size);
  redraw(place, limitControls(),
    el("div", { class: data.systems.length > 2 ? "columns wide" : "columns" }, data.questions.filter(([, kinds]) => kinds.length).map(([question, kinds]) => el("div", null, kindTable(counted, question, kinds)))),
    el("p", { class: "muted small" }, `Number of findings; small: for each 100 captions. ${data.systems.length > 1 ? "★ significantly fewer than every other system (sign test over images, Bonferroni-corrected over the kinds of a table, p < .05). " : ""}Right: how likely findings of this kind are to be right, estimated for each finding from its own evidence. ${limits.precision ? "Hidden: less likely to be right than the limit chosen above. " : ""}${unchecked ? "Unchecked: nobody has checked findings like these, so they are listed only among all findings. " : ""}Remarks are about wording; they are not errors. Choose a kind to see its most frequent tuples and examples.`),
    gainTable(),
    errors.kind ? [el("h3", null, `Most frequent: ${errors.kind}`), ranking(counted), ...examples()] : []);
}
