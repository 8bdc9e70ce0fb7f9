// Drawing a scene graph: objects in columns by the direction of relations, each
// relation a node between its objects, attributes below their object. Columns
// never overlap, and equal graphs give equal pictures.

const LINE = 26, GAP = 16, COLUMN_GAP = 34, PAD = 10, WIDEST = 860;
const textWidth = (text) => Math.max(30, text.length * 7 + 18);

function drawGraph(graph, label, register) {
  const blocks = makeBlocks(graph);
  const links = makeLinks(graph, blocks);
  rank(blocks, links);
  const parts = splitLong(blocks, links);
  const [width, height] = place(blocks, parts);
  const title = `${label}: ${graph.tuples.map((t) => t.text).join(" ") || "no tuples"}`;
  const picture = svg("svg", {
    class: "graph", role: "img", "aria-label": title,
    width, height, viewBox: `0 0 ${width} ${height}`,
  });
  for (const [from, to, at] of parts) picture.append(edge(from, to, graph.tuples[at]));
  for (const block of blocks) block.rows.forEach((row, k) => picture.append(node(block, row, k, register, graph.states || ["matched", "not matched"])));
  return picture;
}

// A block is an object with its attributes, or all relations of one pair.
function makeBlocks(graph) {
  const blocks = [];
  const pairs = new Map();
  for (const found of graph.tuples) {
    if (found.kind === "object") {
      blocks.push({ rows: [found], relation: false, column: 0 });
    } else if (found.kind === "attribute") {
      blocks[found.nodes[0]].rows.push(found);
    } else {
      const key = found.nodes.join(" ");
      if (!pairs.has(key)) {
        pairs.set(key, { rows: [], relation: true, column: 0, nodes: found.nodes });
        blocks.push(pairs.get(key));
      }
      pairs.get(key).rows.push(found);
    }
  }
  for (const block of blocks) {
    block.width = Math.max(...block.rows.map((row, k) => textWidth(shown(row)) + (indented(block, k) ? 14 : 0)));
    block.height = block.rows.length * LINE - 4;
  }
  return blocks;
}

const shown = (row) => row.members[row.kind === "object" ? 0 : 1];
const indented = (block, k) => !block.relation && k > 0;

function makeLinks(graph, blocks) {
  const links = [];
  for (const block of blocks) {
    if (!block.relation) continue;
    const [source, target] = block.nodes;
    links.push([blocks[source], block, block.rows[0].at], [block, blocks[target], block.rows[0].at]);
  }
  return links;
}

// Longest path from the left; links that would close a circle are left out.
function rank(blocks, links) {
  const next = new Map(blocks.map((block) => [block, []]));
  for (const [from, to] of links) next.get(from).push(to);
  const state = new Map(), order = [], back = new Set();
  const visit = (block) => {
    state.set(block, 1);
    for (const to of next.get(block)) {
      if (state.get(to) === 1) back.add(`${blocks.indexOf(block)} ${blocks.indexOf(to)}`);
      else if (!state.has(to)) visit(to);
    }
    state.set(block, 2);
    order.unshift(block);
  };
  blocks.forEach((block) => { if (!state.has(block)) visit(block); });
  for (const block of order) {
    for (const to of next.get(block)) {
      const key = `${blocks.indexOf(block)} ${blocks.indexOf(to)}`;
      if (!back.has(key)) to.column = Math.max(to.column, block.column + 1);
    }
  }
}

// A link over several columns keeps a lane free in each: empty blocks on its way.
function splitLong(blocks, links) {
  const parts = [];
  for (const [from, to, at] of links) {
    let last = from;
    for (let column = from.column + 1; column < to.column; column += 1) {
      const lane = { rows: [], relation: true, lane: true, column, width: 0, height: 6 };
      blocks.push(lane);
      parts.push([last, lane, at]);
      last = lane;
    }
    parts.push([last, to, at]);
  }
  return parts;
}

function place(blocks, links) {
  const linked = new Set(links.flatMap(([from, to]) => [from, to]));
  const columns = [];
  for (const block of blocks) {
    if (linked.has(block)) (columns[block.column] ||= []).push(block);
  }
  const tall = columns.map((column) => column.reduce((sum, b) => sum + b.height + GAP, -GAP));
  const height = Math.max(0, ...tall);
  let x = PAD;
  for (const [at, column] of columns.entries()) {
    const wide = Math.max(...column.map((block) => block.width));
    if (at) sortByNeighbours(column, links);
    let y = PAD + (height - tall[at]) / 2;
    for (const block of column) {
      Object.assign(block, { x: x + (block.relation ? (wide - block.width) / 2 : 0), y });
      y += block.height + GAP;
    }
    x += wide + COLUMN_GAP;
  }
  const width = Math.max(x - COLUMN_GAP, 0);
  return placeLoose(blocks.filter((block) => !linked.has(block)), width, columns.length ? PAD + height + GAP : PAD);
}

function sortByNeighbours(column, links) {
  const middle = (block) => {
    const known = links.filter(([from, to]) => to === block && from.y !== undefined).map(([from]) => from.y + from.height / 2);
    return known.length ? known.reduce((a, b) => a + b) / known.length : 1e6;
  };
  const keys = new Map(column.map((block) => [block, middle(block)]));
  column.sort((a, b) => keys.get(a) - keys.get(b));
}

// Objects without relations stand in rows below the others.
function placeLoose(loose, width, y) {
  const limit = Math.max(width, Math.min(WIDEST, 420));
  let x = PAD, tallest = 0;
  for (const block of loose) {
    if (x > PAD && x + block.width > limit) { x = PAD; y += tallest + GAP; tallest = 0; }
    Object.assign(block, { x, y });
    x += block.width + GAP;
    width = Math.max(width, x - GAP);
    tallest = Math.max(tallest, block.height);
  }
  return [width + PAD, (loose.length ? y + tallest : y - GAP) + PAD];
}

function edge(from, to, found) {
  const x1 = from.x + (from.relation ? from.width : Math.min(from.width, textWidth(shown(from.rows[0]))));
  const y1 = from.y + (from.relation ? from.height / 2 : 11);
  const y2 = to.y + (to.relation ? to.height / 2 : 11);
  const back = to.column <= from.column;
  const x2 = back ? to.x + textWidth(shown(to.rows[0])) : to.x;
  const start = Math.max(x1, from.x + from.width);
  const bend = back ? 46 : Math.max(14, (x2 - start) / 2);
  const end = back ? x2 + bend : x2 - bend;
  const arrow = back ? `M${x2 + 6} ${y2 - 4}L${x2} ${y2}l6 4` : `M${x2 - 6} ${y2 - 4}L${x2} ${y2}l-6 4`;
  return svg("path", {
    class: `edge ${found.matched ? "matched" : "unmatched"}`,
    d: `M${x1} ${y1}H${start}C${start + bend} ${y1} ${end} ${y2} ${x2} ${y2}${to.relation ? "" : arrow}`,
  });
}

function node(block, row, k, register, states) {
  const text = shown(row);
  const left = block.x + (indented(block, k) ? 14 : 0);
  const wide = textWidth(text);
  const top = block.y + k * LINE;
  const x = block.relation ? block.x + (block.width - wide) / 2 : left;
  const status = row.matched ? "matched" : "unmatched";
  const group = svg("g", { class: `node ${row.kind} ${status}` },
    svg("title", null, `${row.text} – ${row.kind}, ${row.matched ? states[0] : states[1]}`),
    indented(block, k) ? svg("path", { class: "stem", d: `M${block.x + 7} ${block.y + 22}V${top + 11}h7` }) : null,
    svg("rect", { x, y: top, width: wide, height: 22, rx: row.kind === "object" ? 4 : row.kind === "attribute" ? 11 : 0 }),
    svg("text", { x: x + wide / 2, y: top + 15.5, "text-anchor": "middle" }, text));
  register(row.at, group);
  return group;
}
