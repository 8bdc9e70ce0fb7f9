// Scene graphs and their matching, read from the page's compact data.

const data = JSON.parse(document.getElementById("data").textContent);
for (const run of data.runs) run.texts = run.texts.map((at) => data.strings[at]);
let parsed = null;

// What only an opened image needs: scene graphs, their matching, partners.
function scenes() {
  parsed ||= JSON.parse(document.getElementById("scenes").textContent);
  return parsed;
}

const KINDS = ["object", "attribute", "relation"];
const word = (at) => data.strings[at];

// One graph: the words of its nodes, and its tuples, each with a kind, printed
// members, the nodes it touches and its places in the captions.
function readGraph(raw) {
  if (!raw) return null;
  const [objects, attributes, relations, places = []] = raw;
  const tuples = objects.map((name, node) => tuple("object", [word(name)], [node]));
  for (let k = 0; k < attributes.length; k += 2) {
    const [node, name] = attributes.slice(k, k + 2);
    tuples.push(tuple("attribute", [word(objects[node]), word(name)], [node]));
  }
  for (let k = 0; k < relations.length; k += 3) {
    const [source, target, name] = relations.slice(k, k + 3);
    const members = [word(objects[source]), word(name), word(objects[target])];
    tuples.push(tuple("relation", members, [source, target]));
  }
  tuples.forEach((found, at) => { found.at = at; found.places = places[at] || []; });
  return { size: objects.length, tuples };
}

function tuple(kind, members, nodes) {
  return { kind, members, nodes, text: `(${members.join(", ")})`, matched: false, partner: -1 };
}

// The candidate's and the references' graphs of image i, matched for a system.
function readPair(i, system) {
  const run = scenes().runs[system];
  const candidate = readGraph(run.graphs[i]);
  const references = readGraph(scenes().graphs[i]);
  if (!candidate || !references) return null;
  run.partners[i].forEach((partner, at) => {
    if (partner < 0) return;
    Object.assign(candidate.tuples[at], { matched: true, partner });
    const other = references.tuples[partner];
    if (!other.matched) other.partner = at;
    other.matched = true;
  });
  return { candidate, references };
}

// What the analysis read in a candidate; tuples with a listed error are not matched.
function readReading(i, system) {
  const found = readGraph(scenes().runs[system].readings[i]);
  if (!found) return null;
  const wrong = readErrors(i, system).filter(({ kind }) => questionOf.get(kind) === WRONG).map((error) => tupleOf(found, error));
  found.tuples.forEach((own) => { own.matched = !wrong.includes(own.at); });
  return { ...found, states: ["no error listed", "with a listed error"] };
}

// The place of the tuple that an error is about, else that of its object; -1 without.
function tupleOf(graph, error) {
  const [noun] = error.text.split(", ");
  const at = graph.tuples.findIndex(({ text }) => text === `(${error.text})`);
  return at >= 0 ? at : graph.tuples.findIndex(({ members }) => members.length === 1 && members[0] === noun);
}

// Kind -> the question that it answers.
const [WRONG, MISSING] = data.questions.map(([name]) => name);
const questionOf = new Map(data.questions.flatMap(([name, kinds]) => kinds.map((at) => [data.kinds[at], name])));
const isRemark = (kind) => ![WRONG, MISSING].includes(questionOf.get(kind));

const orNull = (value, shown) => (value < 0 ? null : shown(value));

// Every distinct error: {kind, needsSupport, text, expected, references, words, precision,
// annotated, refuted, confirmed}.
const everyError = data.errors.map(([kind, text, expected, references, words, precision, annotated, opinion]) => ({
  kind: data.kinds[kind], needsSupport: data.supported.includes(kind), text: word(text), expected: orNull(expected, word),
  references: orNull(references, Number), words: orNull(words, word), precision: orNull(precision, Number),
  annotated: orNull(annotated, word), refuted: opinion === 1, confirmed: opinion === 2,
}));

const errorsOf = (i, system) => data.runs[system].errors[i].map((at) => everyError[at]);

// The errors of image i that are listed, see `isListed`.
const readErrors = (i, system) => errorsOf(i, system).filter((error) => isListed(error, i));

// Those that would be listed if the annotations did not refute them.
const refutedErrors = (i, system) => errorsOf(i, system).filter((error) => error.refuted && isSupported(error, i) && isLikely(error));

// Every distinct value of an object: {aspect, object, expected, said, verdict, weight}.
const everyValue = data.values.map(([aspect, object, expected, said, verdict, weight]) => ({
  aspect: data.aspects[aspect], object: word(object), expected: word(expected),
  said: orNull(said, word), verdict: data.verdicts[verdict], weight,
}));

// What was said of the values of image i.
const readObserved = (i, system) => data.runs[system].observed[i].map((at) => everyValue[at]);
