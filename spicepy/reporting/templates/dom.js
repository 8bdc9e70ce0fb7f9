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
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") node.addEventListener(key, value);
    else node.setAttribute(key, value === true ? "" : String(value));
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
}

function choice(label, options, value, change) {
  const select = el("select", { change: () => change(select.value) },
    options.map(([key, text]) => el("option", { value: key, selected: String(key) === String(value) }, text)));
  return el("label", { class: "field" }, el("span", null, label), select);
}

function number(value, digits = 3) {
  return value === null || value === undefined ? "–" : value.toFixed(digits);
}
