// Which images the list shows, and in which order.

const state = {
  query: "", a: 0, b: data.systems.length > 1 ? 1 : -1, key: 0, low: "", high: "",
  kind: "", pair: "", sort: "order", pick: null, page: 0, size: 25,
};
const initial = { ...state };
const texts = [];
let chosen = [];

// A score of image i, null where it is undefined.
function scoreOf(system, i, key = state.key) {
  const found = data.runs[system].scores[key][i];
  return found === null ? null : found / 10000;
}

const shownSystems = () => (state.b >= 0 && state.b !== state.a ? [state.a, state.b] : [state.a]);

function searchText(i) {
  texts[i] ||= [data.ids[i], ...data.runs.map((run) => run.texts[i]), ...data.references[i]].join("\n").toLowerCase();
  return texts[i];
}

function choose() {
  const words = state.query.toLowerCase().split(/\s+/).filter(Boolean);
  const tests = [];
  if (words.length) tests.push((i) => words.every((part) => searchText(i).includes(part)));
  if (state.low !== "" || state.high !== "") tests.push(inRange);
  if (state.kind) tests.push((i) => shownSystems().some((s) => readErrors(i, s).some((e) => e.kind === state.kind)));
  if (state.pair && shownSystems().length > 1) tests.push(pairTest());
  if (state.pick) tests.push(state.pick.test);
  chosen = data.ids.map((_, i) => i).filter((i) => tests.every((test) => test(i)));
  chosen.sort(ordering());
}

function inRange(i) {
  const value = scoreOf(state.a, i);
  if (value === null) return false;
  return (state.low === "" || value >= Number(state.low)) && (state.high === "" || value <= Number(state.high));
}

// "ab count": A said the number right where B said it wrong or not at all.
function pairTest() {
  const [direction, aspect] = state.pair.split(" ");
  const [better, worse] = direction === "ab" ? [state.a, state.b] : [state.b, state.a];
  if (aspect === "score") return (i) => scoreOf(better, i) > scoreOf(worse, i);
  return (i) => {
    const other = readObserved(i, worse);
    return readObserved(i, better).some((seen) => (aspect === "any" || seen.aspect === aspect) && seen.verdict === "right"
      && other.some((one) => one.aspect === seen.aspect && one.object === seen.object && one.verdict === "wrong"));
  };
}

function ordering() {
  const missing = (value) => (value === null ? -Infinity : value);
  const by = {
    order: () => 0,
    id: (i, j) => data.ids[i].localeCompare(data.ids[j], "en", { numeric: true }),
    low: (i, j) => missing(scoreOf(state.a, i)) - missing(scoreOf(state.a, j)),
    high: (i, j) => missing(scoreOf(state.a, j)) - missing(scoreOf(state.a, i)),
    ab: (i, j) => difference(j) - difference(i),
    ba: (i, j) => difference(i) - difference(j),
    wrong: (i, j) => answers(j, state.a, WRONG) - answers(i, state.a, WRONG),
    missing: (i, j) => answers(j, state.a, MISSING) - answers(i, state.a, MISSING),
    errors: (i, j) => mistakes(j, state.a).length - mistakes(i, state.a).length,
  };
  const rule = by[state.sort] || by.order;
  return (i, j) => rule(i, j) || i - j;
}

// The listed errors without remarks, and in how many images.
const mistakes = (i, system) => readErrors(i, system).filter(({ kind }) => !isRemark(kind));

const answers = (i, system, question) => readErrors(i, system).filter(({ kind }) => questionOf.get(kind) === question).length;

const difference = (i) => (state.b < 0 ? 0 : (scoreOf(state.a, i) || 0) - (scoreOf(state.b, i) || 0));

// What a choice in the overview narrows the list to.
function pickFrom(set) {
  const system = Number(set.system);
  const name = data.systems[system];
  if (set.kind) {
    return {
      system, label: `${name}: ${set.kind} (${set.tuple})`,
      test: (i) => readErrors(i, system).some((e) => e.kind === set.kind && e.text === set.tuple),
    };
  }
  return {
    system, label: `${name}: ${set.aspect} ${set.expected} in the references, ${set.said}${[UNSAID, ABSENT].includes(set.said) ? "" : " said"}`,
    test: (i) => readObserved(i, system).some((seen) => seen.aspect === set.aspect
      && binned(set.aspect, seen.expected) === set.expected && saidOf(seen) === set.said),
  };
}
