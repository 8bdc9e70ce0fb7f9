// A reader's verdicts on findings, kept by the browser, and their export as a CSV file
// with the columns of fixtures/verdicts/verdicts.csv, then the captions.

const VERDICT_NAMES = { right: "✓", debatable: "?", wrong: "✗" };
const COLUMNS = ["data", "row", "error", "verdict", "sample", "tuple", "candidate", "references"];
const storeName = `spicepy verdicts: ${document.title}, ${data.ids.length} images`;
const verdicts = new Map(readStore());
const exports_ = new Set(); // the buttons that export

function readStore() {
  try {
    return JSON.parse(localStorage.getItem(storeName)) || [];
  } catch {
    return []; // a browser that keeps nothing for pages from disk
  }
}

function keep() {
  try {
    localStorage.setItem(storeName, JSON.stringify([...verdicts]));
  } catch {
    // They last until the page is closed.
  }
  exports_.forEach(label);
}

function verdictButtons(i, system, error) {
  const name = JSON.stringify([data.systems[system], data.ids[i], error.kind, error.text]);
  const buttons = Object.entries(VERDICT_NAMES).map(([verdict, sign]) => el("button", {
    type: "button", class: "verdict", title: verdict, "aria-label": `${error.kind} ${error.text}: the finding is ${verdict}`,
    "aria-pressed": verdicts.get(name) === verdict,
    click: () => {
      if (verdicts.get(name) === verdict) verdicts.delete(name);
      else verdicts.set(name, verdict);
      buttons.forEach((button) => button.setAttribute("aria-pressed", button.title === verdicts.get(name)));
      keep();
    },
  }, sign));
  return el("span", { class: "verdicts" }, buttons);
}

function verdictRows() {
  return [...verdicts].map(([name, verdict]) => {
    const [system, id, kind, text] = JSON.parse(name);
    const i = data.ids.indexOf(id), run = data.runs[data.systems.indexOf(system)];
    return [system, id, kind, verdict, "", text, run.texts[i], JSON.stringify(data.references[i])];
  });
}

function csv(rows) {
  const cell = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return rows.map((row) => `${row.map(cell).join(",")}\n`).join("");
}

function label(button) {
  button.textContent = `Export verdicts (${verdicts.size})`;
  button.disabled = !verdicts.size;
}

function exportButton() {
  const button = el("button", {
    type: "button", class: "export", title: "A CSV file of what was accepted (✓), left open (?) and rejected (✗) in opened images",
    click: () => {
      const address = URL.createObjectURL(new Blob([csv([COLUMNS, ...verdictRows()])], { type: "text/csv" }));
      el("a", { href: address, download: "verdicts.csv" }).click();
      setTimeout(() => URL.revokeObjectURL(address), 1000);
    },
  });
  exports_.add(button);
  label(button);
  return button;
}
