// The explorer: controls, the list in pages, and what they do.

const explorer = document.getElementById("explorer");
const controls = el("div", { class: "controls", role: "search" });
const summary = el("p", { class: "count", role: "status", "aria-live": "polite" });
const list = el("div", { class: "list" });
const pager = el("nav", { class: "pager", "aria-label": "Pages of images" });
explorer.append(controls, summary, list, pager);

function set(changes) {
  Object.assign(state, { page: 0 }, changes);
  choose();
  showList();
}

function field(label, attributes, name) {
  let waiting = 0;
  const input = el("input", {
    ...attributes, value: state[name], "data-name": name,
    input: () => { clearTimeout(waiting); waiting = setTimeout(() => set({ [name]: input.value }), 120); },
  });
  return el("label", { class: `field ${name}` }, el("span", null, label), input);
}

function showControls() {
  const named = data.systems.map((name, at) => [at, name]);
  const several = data.systems.length > 1;
  const redo = (changes) => { set(changes); showControls(); };
  redraw(controls, [
    field("Search", { type: "search", placeholder: "id or words in captions" }, "query"),
    several ? choice("System", named, state.a, (v) => redo({ a: Number(v), b: Number(v) === state.b ? -1 : state.b })) : null,
    several ? choice("Side by side with", [[-1, "nothing"], ...named.filter(([at]) => at !== state.a)], state.b, (v) => redo({ b: Number(v), pair: "" })) : null,
    choice("Score", data.keys.map((name, at) => [at, name]), state.key, (v) => set({ key: Number(v) })),
    field("at least", { type: "number", step: "0.05", min: "0" }, "low"),
    field("at most", { type: "number", step: "0.05", min: "0" }, "high"),
    data.kinds.length ? choice("Error", [["", "any"], ...data.kinds.map((kind) => [kind, kind])], state.kind, (v) => set({ kind: v })) : null,
    shownSystems().length > 1 ? choice("Difference", pairOptions(), state.pair, (v) => set({ pair: v })) : null,
    choice("Sort by", sortOptions(), state.sort, (v) => set({ sort: v })),
    el("button", { type: "button", class: "clear", click: () => redo({ ...initial, a: state.a, b: state.b }) }, "Clear"),
    data.kinds.length ? exportButton() : null,
  ]);
}

function pairOptions() {
  const [a, b] = [data.systems[state.a], data.systems[state.b]];
  const options = [["", "any"]];
  for (const [key, good, bad] of [["ab", a, b], ["ba", b, a]]) {
    options.push([`${key} score`, `${good} scores higher`]);
    if (!data.judged) continue;
    options.push([`${key} any`, `${good} right, ${bad} wrong`]);
    for (const aspect of data.aspects) options.push([`${key} ${aspect}`, `${good} right, ${bad} wrong: ${aspect}`]);
  }
  return options;
}

function sortOptions() {
  const options = [["order", "order of the file"], ["id", "image id"], ["high", "score, highest first"], ["low", "score, lowest first"]];
  if (shownSystems().length > 1) {
    const [a, b] = [data.systems[state.a], data.systems[state.b]];
    options.push(["ab", `${a} ahead of ${b}`], ["ba", `${b} ahead of ${a}`]);
  }
  if (data.kinds.length) options.push(["errors", "number of errors"], ["wrong", "wrong statements"], ["missing", "things left out"]);
  return options;
}

function showList() {
  const pages = Math.max(1, Math.ceil(chosen.length / state.size));
  state.page = Math.min(state.page, pages - 1);
  const start = state.page * state.size;
  const here = chosen.slice(start, start + state.size);
  const counted = `${chosen.length.toLocaleString("en")} of ${countOf(data.ids.length, "image")}`;
  summary.replaceChildren(counted);
  if (state.pick) {
    summary.append(el("button", { type: "button", class: "chip", click: () => set({ pick: null }), "aria-label": `Remove filter ${state.pick.label}` },
      state.pick.label, el("span", { "aria-hidden": "true" }, " ×")));
  }
  list.replaceChildren(here.length ? table(here, start) : el("p", { class: "empty" }, "No image fits. Clear a filter to see more."));
  showPager(pages);
}

function table(here, start) {
  const systems = shownSystems();
  const images = data.sources.length > 0;
  return el("table", { class: "images" },
    el("caption", { class: "hidden" }, "Images with candidates, scores and errors; choose an image to open it"),
    el("thead", null, el("tr", null,
      images ? el("th", { scope: "col" }, "") : null,
      el("th", { scope: "col" }, "Image"),
      el("th", { scope: "col" }, "Candidate"),
      el("th", { scope: "col", class: "number" }, data.keys[state.key]),
      data.kinds.length ? el("th", { scope: "col" }, "Errors") : null)),
    el("tbody", null, here.map((i, k) => row(i, start + k, systems, images)).flat()));
}

function row(i, position, systems, images) {
  return systems.map((s, k) => el("tr", { class: k ? "more" : "first", click: () => open(position) },
    images && !k ? el("td", { class: "thumb", rowspan: systems.length }, sources(i, "small")) : null,
    k ? null : el("th", { scope: "row", rowspan: systems.length },
      el("button", { type: "button", class: "open", "aria-label": `Open image ${data.ids[i]}`, click: (event) => { event.stopPropagation(); open(position); } }, data.ids[i])),
    el("td", { class: "text" }, systems.length > 1 ? el("span", { title: data.systems[s] }, swatch(s)) : null,
      systems.length > 1 ? el("span", { class: "hidden" }, `${data.systems[s]}: `) : null, data.runs[s].texts[i] || el("em", null, "no words")),
    el("td", { class: "number" }, meter(scoreOf(s, i))),
    data.kinds.length ? el("td", { class: "problems" }, problems(mistakes(i, s))) : null));
}

function meter(value) {
  return el("span", { class: value === null ? "muted" : "" }, number(value));
}

function problems(errors) {
  const counts = new Map();
  for (const { kind } of errors) counts.set(kind, (counts.get(kind) || 0) + 1);
  return el("ul", { class: "badges" }, [...counts].map(([kind, n]) => el("li", { class: questionOf.get(kind) === WRONG ? "strong" : "" }, n > 1 ? `${kind} × ${n}` : kind)));
}

function showPager(pages) {
  const go = (page) => () => { state.page = page; showList(); document.getElementById("images").scrollIntoView(); };
  const select = choice("Page", Array.from({ length: pages }, (_, k) => [k, `${k + 1} of ${pages}`]), state.page, (v) => go(Number(v))());
  pager.replaceChildren(
    el("button", { type: "button", disabled: state.page === 0, click: go(state.page - 1) }, "Previous"),
    select,
    el("button", { type: "button", disabled: state.page >= pages - 1, click: go(state.page + 1) }, "Next"),
    choice("Images a page", [10, 25, 50, 100].map((n) => [n, n]), state.size, (v) => set({ size: Number(v) })));
}

let opened = -1;

// Open an image from elsewhere on the page, one system in focus.
function openImage(i, system) {
  set({ ...initial, a: system, b: state.b === system ? -1 : state.b });
  showControls();
  open(chosen.indexOf(i));
}

function open(position) {
  opened = position;
  const i = chosen[position];
  const systems = shownSystems();
  const focus = state.pick && systems.includes(state.pick.system) ? state.pick.system : systems[0];
  showDetail(i, systems, focus, `${position + 1} of ${chosen.length}`, move);
  history.replaceState(null, "", `#image=${encodeURIComponent(data.ids[i])}`);
}

function move(step) {
  const next = opened + step;
  if (next >= 0 && next < chosen.length) open(next);
}

dialog.addEventListener("close", () => {
  history.replaceState(null, "", "#images");
  const page = Math.floor(opened / state.size);
  if (page !== state.page) { state.page = page; showList(); }
  const buttons = list.querySelectorAll("button.open");
  (buttons[opened % state.size] || summary).focus();
});
dialog.addEventListener("keydown", (event) => {
  if (event.target.closest("select, input, .scroll")) return;
  if (event.key === "ArrowLeft") move(-1);
  if (event.key === "ArrowRight") move(1);
});
dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });

document.querySelector("main").addEventListener("click", (event) => {
  const button = event.target.closest("button[data-system]");
  if (!button) return;
  const pick = pickFrom(button.dataset);
  set({ ...initial, a: shownSystems().includes(pick.system) ? state.a : pick.system, b: state.b, pick });
  showControls();
  document.getElementById("images").scrollIntoView();
  document.getElementById("images-title").focus();
});

// A narrow first screen has room for the strongest pattern of each system.
if (window.innerWidth < 600) document.querySelectorAll(".habit").forEach((habit) => { habit.open = false; });
choose();
showControls();
showList();
showMaps();
showErrors();
const wanted = /^#image=(.*)$/.exec(location.hash);
if (wanted) {
  const position = chosen.findIndex((i) => encodeURIComponent(data.ids[i]) === wanted[1]);
  if (position >= 0) open(position);
}
