// spice-soft: which concept found which partner, and how alike they are.

const ROW = 27, NODE = 22, BETWEEN = 150, MARGIN = 66, FAINT = 5;

// The concepts of both sides of image i: [{text, kind, weight, partner, alike}].
function readPartners(i, system) {
  const run = scenes().runs[system].soft;
  if (!run || !run.candidate) return null;
  const side = (flat, size) => Array.from({ length: flat.length / size }, (_, at) => flat.slice(at * size, (at + 1) * size));
  const own = side(run.candidate[i], 5).map(([text, kind, weight, partner, alike]) => ({ text: word(text), kind: KINDS[kind], weight, partner, alike }));
  const back = run.references[i];
  const other = side(scenes().concepts[i], 3).map(([text, kind, weight], at) => ({ text: word(text), kind: KINDS[kind], weight, partner: back[2 * at], alike: back[2 * at + 1] }));
  return [own, other];
}

// The references' concepts in the order of their partners, the others last.
function beside(own, other) {
  const height = (concept, at) => {
    const lines = own.flatMap((found, k) => (found.partner === at && found.alike >= FAINT ? [k] : []));
    if (lines.length) return lines.reduce((a, b) => a + b) / lines.length;
    return concept.alike >= FAINT ? concept.partner + 0.5 : own.length + 1;
  };
  const keys = other.map(height);
  return other.map((_, at) => at).sort((a, b) => keys[a] - keys[b] || other[b].alike - other[a].alike || a - b);
}

function drawPartners(i, system) {
  const [own, other] = readPartners(i, system);
  const order = beside(own, other);
  const row = new Map(order.map((at, k) => [at, k]));
  const wide = (side) => Math.max(60, ...side.map(({ text }) => textWidth(text)));
  const left = MARGIN + wide(own), right = left + BETWEEN, width = right + wide(other) + MARGIN;
  const height = Math.max(own.length, other.length) * ROW + 24;
  const y = (k) => 20 + k * ROW;
  const middle = (k) => y(k) + NODE / 2;
  const line = (from, to, alike, name) => svg("path", {
    class: `partner ${name}`, "stroke-width": (0.6 + alike / 22).toFixed(1), "stroke-opacity": (0.25 + alike / 140).toFixed(2),
    d: `M${left} ${middle(from)}C${left + 70} ${middle(from)} ${right - 70} ${middle(to)} ${right} ${middle(to)}`,
  }, svg("title", null, `${alike} % alike`));
  const straight = own.flatMap((found, k) => (found.alike >= FAINT ? [line(k, row.get(found.partner), found.alike, "forth")] : []));
  const returned = order.flatMap((at, k) => {
    const { partner, alike } = other[at];
    return alike >= FAINT && own[partner].partner !== at ? [line(partner, k, alike, "back")] : [];
  });
  const concept = (found, x, k, size, weightAt, anchor) => svg("g", { class: `node ${found.kind} matched` },
    svg("title", null, `${found.text}: weight ${found.weight} %, ${found.alike} % alike`),
    svg("rect", { x, y: y(k), width: size, height: NODE, rx: found.kind === "object" ? 4 : found.kind === "attribute" ? 11 : 0 }),
    svg("text", { x: x + size / 2, y: y(k) + 15.5, "text-anchor": "middle" }, found.text),
    svg("text", { class: "weight", x: weightAt, y: y(k) + 15, "text-anchor": anchor }, `${found.weight}`));
  const partnerOf = (found) => (found.alike >= FAINT ? `${other[found.partner].text} ${found.alike} %` : "nothing");
  const sides = [[MARGIN - 10, "end", "weight %"], [left, "end", "candidate"], [right, "start", "references"], [width - MARGIN + 10, "start", "weight %"]];
  return svg("svg", {
    class: "graph", role: "img", width, height, viewBox: `0 0 ${width} ${height}`,
    "aria-label": `Partners in spice-soft: ${own.map((found) => `${found.text}: ${partnerOf(found)}`).join("; ") || "no concepts"}`,
  }, sides.map(([x, anchor, text]) => svg("text", { class: "weight", x, y: 11, "text-anchor": anchor }, text)),
  returned, straight,
  own.map((found, k) => concept(found, left - textWidth(found.text), k, textWidth(found.text), MARGIN - 10, "end")),
  order.map((at, k) => concept(other[at], right, k, textWidth(other[at].text), width - MARGIN + 10, "start")));
}

function partnersFigure(i, system) {
  if (!readPartners(i, system)) return null;
  return el("figure", { class: "drawing" },
    el("figcaption", null, "Partners in spice-soft: the stronger the line, the more alike; dashed: found by the references only"),
    el("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Partners in spice-soft, scrollable" }, drawPartners(i, system)));
}
