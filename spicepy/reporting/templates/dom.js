// Elements. Data reaches the page only as attribute values and text nodes.

const SVG = "http://www.w3.org/2000/svg";

function el(name, attributes, ...children) {
  return fill(document.createElement(name), attributes, children);
}

function svg(name, attributes, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

function fill(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined) continue;
    if (key.startsWith("aria-")) node.setAttribute(key, String(value));
    else if (value === false) continue;
    else if (typeof value === "function") node.addEventListener(key, value);
    else node.setAttribute(key, value === true ? "" : String(value));
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
}

// Put children in a place; the control that had the focus keeps it.
function redraw(place, ...children) {
  const name = (node) => (node.closest("label") ? node.closest("label").firstChild : node).textContent;
  const active = place.contains(document.activeElement) ? name(document.activeElement) : null;
  place.replaceChildren(...children.flat().filter(Boolean));
  const same = active && [...place.querySelectorAll("select, input, button")].find((node) => name(node) === active);
  if (same) same.focus({ preventScroll: true });
}

function choice(label, options, value, change) {
  const select = el("select", { change: () => change(select.value) },
    options.map(([key, text]) => el("option", { value: key, selected: String(key) === String(value) }, text)));
  return el("label", { class: "field" }, el("span", null, label), select);
}

// A system's colour and number; nothing if there is only one system.
const COLORS = 12;

function swatch(system) {
  if (data.systems.length < 2) return null;
  return el("span", { class: `swatch s${system % COLORS}`, "aria-hidden": "true" }, system + 1);
}

function star() {
  return [el("span", { "aria-hidden": "true" }, " ★"), el("span", { class: "hidden" }, " (best)")];
}

function percent(share) {
  return `${Math.min(Math.max(Math.round(100 * share), Number(share > 0)), 100 - Number(share < 1))} %`;
}

function countOf(number, one) {
  return `${number.toLocaleString("en")} ${one}${number === 1 ? "" : "s"}`;
}

function number(value, digits = 3) {
  return value === null || value === undefined ? "–" : value.toFixed(digits);
}
