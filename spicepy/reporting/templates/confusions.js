// What is confused with what: for one aspect and some systems, a map of the
// references' values against those said, and the same by object class.

const UNSAID = "not said", ABSENT = "no object", LARGE = "4+";
const CLASSES = 15;
const VERDICTS = { right: "right", wrong: "wrong", unsaid: UNSAID, absent: ABSENT };
const maps = { aspect: "", a: 0, b: data.systems.length > 1 ? 1 : -1 };

// A value as the maps show it: numbers of four and more share one row.
function binned(aspect, value) {
  return aspect === "count" && Number(value) >= 4 ? LARGE : value;
}

function saidOf(seen) {
  if (seen.verdict === "absent") return ABSENT;
  return seen.said === null ? UNSAID : binned(seen.aspect, seen.said);
}

// The observations of an aspect, system by system.
function observations(aspect, system) {
  const found = [];
  data.ids.forEach((_, i) => readObserved(i, system).forEach((seen) => { if (seen.aspect === aspect) found.push(seen); }));
  return found;
}

// Values in their order: numbers, four and more, then words by the alphabet.
function inOrder(values) {
  const rank = (value) => (value === LARGE ? 4 : Number.isNaN(Number(value)) ? 5 : Number(value));
  return [...values].sort((a, b) => rank(a) - rank(b) || a.localeCompare(b, "en"));
}

// A number of objects; what is there is at least 1.
const rounded = (n) => Math.max(1, Math.round(n));

function axes(aspect, every) {
  const rows = new Set(), columns = new Set();
  if (aspect === "count") ["1", "2", "3", LARGE, "many"].forEach((n) => { rows.add(n); columns.add(n); });
  for (const seen of every.flat()) {
    rows.add(binned(aspect, seen.expected));
    columns.add(saidOf(seen));
  }
  columns.delete(UNSAID);
  columns.delete(ABSENT);
  return [inOrder(rows), [...inOrder(columns), UNSAID, ABSENT]];
}

function heatMap(aspect, system, found, [rows, columns]) {
  const cells = new Map(rows.map((row) => [row, new Map()]));
  const amiss = new Map(); // wrong all the same: 5 for 6
  for (const seen of found) {
    const own = binned(aspect, seen.expected);
    if (seen.verdict === "wrong" && own === saidOf(seen)) amiss.set(own, (amiss.get(own) || 0) + seen.weight);
    const row = cells.get(binned(aspect, seen.expected));
    row.set(saidOf(seen), (row.get(saidOf(seen)) || 0) + seen.weight);
  }
  const total = (row) => [...row.values()].reduce((a, b) => a + b, 0);
  const line = (expected) => {
    const row = cells.get(expected), whole = total(row);
    return el("tr", null, el("th", { scope: "row" }, expected), columns.map((said) => {
      const n = row.get(said) || 0;
      const wrong = said === expected ? amiss.get(said) || 0 : n;
      const kind = said === UNSAID || said === ABSENT ? "unsaid" : 2 * wrong > n ? "other" : "same";
      const shade = n ? Math.max(1, Math.round((10 * n) / whole)) : 0;
      return el("td", { class: `heat-${shade} ${kind}${said === expected ? " diagonal" : ""}` }, n ? el("button", {
        type: "button", "data-system": system, "data-aspect": aspect, "data-expected": expected, "data-said": said,
        "aria-label": `${data.systems[system]}: references ${expected}, candidate ${said}: ${rounded(n)}, ${percent(n / whole)} of the row; show images`,
      }, el("span", null, rounded(n)), el("small", null, percent(n / whole)), said === expected && wrong ? el("small", null, `${rounded(wrong)} wrong`) : null) : null);
    }));
  };
  return el("figure", { class: "scroll", tabindex: "0", role: "region", "aria-label": `Confusion of ${aspect}, ${data.systems[system]}` },
    el("table", { class: "heat" },
      el("caption", null, swatch(system), data.systems[system], el("small", null, ` ${countOf(Math.round(found.reduce((sum, seen) => sum + seen.weight, 0)), "object")}`)),
      el("thead", null,
        el("tr", null, el("td"), el("th", { scope: "colgroup", colspan: columns.length }, "the candidate says")),
        el("tr", null, el("th", { scope: "col" }, "references"), columns.map((said) => el("th", { scope: "col", class: said === UNSAID ? "gap" : null }, said)))),
      el("tbody", null, rows.map(line))));
}

// Verdicts and the mean error of numbers, class by class, the most frequent first.
function byClass(system, found) {
  const classes = new Map();
  for (const seen of found) {
    if (!classes.has(seen.object)) classes.set(seen.object, { right: 0, wrong: 0, unsaid: 0, absent: 0, all: 0, off: [] });
    const row = classes.get(seen.object);
    row[seen.verdict] += seen.weight;
    row.all += seen.weight;
    const distance = Math.abs(Number(seen.said) - Number(seen.expected));
    if (seen.said !== null && !Number.isNaN(distance)) row.off.push([distance, seen.weight]);
  }
  const ordered = [...classes].sort(([a, x], [b, y]) => y.all - x.all || a.localeCompare(b, "en"));
  const numeric = ordered.some(([, row]) => row.off.length);
  const mean = (pairs) => (pairs.length ? pairs.reduce((a, [x, w]) => a + x * w, 0) / pairs.reduce((a, [, w]) => a + w, 0) : null);
  const cell = (text) => el("td", { class: "number" }, text);
  return el("details", null,
    el("summary", null, `By object class: ${data.systems[system]}`),
    el("div", { class: "scroll" }, el("table", null,
      el("thead", null, el("tr", null, el("th", { scope: "col" }, "Object"),
        ["objects", ...Object.values(VERDICTS), "share right", ...(numeric ? ["mean error"] : [])].map((name) => el("th", { scope: "col", class: "number" }, name)))),
      el("tbody", null, ordered.slice(0, CLASSES).map(([name, row]) => el("tr", null,
        el("th", { scope: "row" }, name), cell(Math.round(row.all)), Object.keys(VERDICTS).map((verdict) => cell(Math.round(row[verdict]))),
        cell(percent(row.right / row.all)), numeric ? cell(number(mean(row.off), 2)) : null))))),
    classes.size > CLASSES ? el("p", { class: "muted small" }, `${CLASSES} of ${classes.size} classes`) : null);
}

function shownMaps() {
  if (data.systems.length <= 3) return data.systems.map((_, at) => at);
  return maps.b < 0 ? [maps.a] : [maps.a, maps.b];
}

function showMaps() {
  const place = document.getElementById("maps");
  if (!place) return;
  const seen = new Set(everyValue.map(({ aspect }) => aspect));
  const known = data.aspects.filter((aspect) => seen.has(aspect));
  if (!known.includes(maps.aspect)) maps.aspect = known[0] || "";
  if (!maps.aspect) { redraw(place, el("p", { class: "muted" }, "The references give no object a value.")); return; }
  const change = (key) => (value) => {
    maps[key] = key === "aspect" ? value : Number(value);
    if (maps.b === maps.a) maps.b = -1;
    showMaps();
  };
  const named = data.systems.map((name, at) => [at, `${at + 1} ${name}`]);
  const shown = shownMaps();
  const every = shown.map((system) => observations(maps.aspect, system));
  const both = axes(maps.aspect, every);
  const wide = both[1].length > 15 || shown.length === 1;
  redraw(place,
    el("div", { class: "controls" },
      choice("What", known.map((aspect) => [aspect, aspect]), maps.aspect, change("aspect")),
      data.systems.length > 3 ? [
        choice("Map of", named, maps.a, change("a")),
        choice("Beside it", [[-1, "nothing"], ...named.filter(([at]) => at !== maps.a)], maps.b, change("b"))] : null),
    el("div", { class: wide ? "columns wide" : "columns" }, shown.map((system, k) => el("div", null,
      heatMap(maps.aspect, system, every[k], both), byClass(system, every[k])))),
    el("p", { class: "muted small" }, `Each row shows what happened to the objects to which references give a value: blue is right, orange another value, gray no value, or one that the references neither give nor rule out. The stronger the shade, the larger the share of the row. ${maps.aspect === "count" ? "The things are those to which two or more references give a number, as above. Numbers of four and more share one row; where they differ, they are wrong all the same. " : ""}Click a number to see its images.`));
}
