// The list of terms: value, circle for the drawing, switch and slider.

import { threads } from "tropism/engine";
import { element, make, percents, sideOf, signed, state } from "tropism/state";

/** Who is typing needs no times yet, in milliseconds. */
const CALM = 600;

const rows = new Map();
/** What the terms of the file take, in words, by name. */
let costs = new Map();
let costTimer = 0;

/** Shows how long the terms take that the file writes itself, once for each text. */
export function priceTerms() {
  clearTimeout(costTimer);
  const isOn = ({ name }) => !state.off.has(name) && state.percents.get(name) !== 0;
  const written = state.evaluation.terms.filter((term) => term.is_formula && isOn(term));
  if (written.every(({ name }) => costs.has(name)) && costs.text === state.goodText) return;
  costTimer = setTimeout(async () => {
    const engine = state.goodText;
    const { terms } = await threads.work.ask("cost", { engine, percents: percents() }).catch(() => ({ terms: [] }));
    if (engine !== state.goodText) return;
    costs = new Map(terms.map(({ name, ns, share }) => [name, `${ns.toFixed(0)} ns, ${(100 * share).toFixed(0)} % of the time`]));
    costs.text = engine;
    for (const [name, row] of rows) row.querySelector(".cost").textContent = costs.get(name) ?? "";
  }, CALM);
}

/** Shows the terms of the last evaluation. Rows stay, so that a slider keeps its focus. */
export function showTerms(terms, changed) {
  const names = new Set(terms.map((term) => term.name));
  for (const [name, row] of rows) {
    if (!names.has(name)) {
      row.remove();
      rows.delete(name);
    }
  }
  for (const term of terms) {
    if (!rows.has(term.name)) rows.set(term.name, newRow(term, changed));
    update(rows.get(term.name), term);
  }
  const rowsOf = (isIdle) => terms.filter((term) => isFolded(term) === isIdle).map((term) => rows.get(term.name));
  arrange(element("terms"), rowsOf(false));
  arrange(element("idle-terms"), rowsOf(true));
  const count = element("idle-terms").children.length;
  element("idle").hidden = !count;
  element("idle-name").textContent = count === 1 ? "1 term contributes nothing here" : `${count} terms contribute nothing here`;
}

/** Whether a term is folded away: it contributes nothing, and the user has not touched it. */
function isFolded({ name, total, is_formula: isOwn }) {
  const row = rows.get(name);
  // A row that is in use stays where it is.
  if (row.contains(document.activeElement)) return row.parentElement === element("idle-terms");
  return !total && !isOwn && !state.percents.has(name) && !state.off.has(name) && state.picked !== name;
}

/** Brings rows into an order. Those that are in their place stay in the page, with the focus. */
function arrange(box, order) {
  for (const row of [...box.children]) if (!order.includes(row)) row.remove();
  order.forEach((row, index) => { if (box.children[index] !== row) box.insertBefore(row, box.children[index] ?? null); });
}

function newRow(term, changed) {
  const { name } = term;
  const radio = make("input", { type: "radio", name: "picked", value: name, "aria-label": `Draw ${name} on the board` });
  const box = make("input", { type: "checkbox", "aria-label": `Use ${name}` });
  const slider = make("input", { type: "range", min: "0", max: "400", step: "5", "aria-label": `Percent of ${name}` });
  const row = make("div", { class: "term", "data-term": name }, radio, box,
    make("span", { class: "name" }, name), make("span", { class: "value" }), slider, make("output"), make("p", { class: "doc soft" }), make("p", { class: "cost soft" }));
  const pick = (picked) => { state.picked = picked; changed(); };
  // A second click on the circle removes the drawing.
  radio.addEventListener("click", () => pick(state.picked === name ? null : name));
  radio.addEventListener("keydown", ({ key }) => { if (key === "Delete" || key === "Backspace") pick(null); });
  box.addEventListener("change", () => {
    if (box.checked) state.off.delete(name);
    else state.off.add(name);
    changed();
  });
  slider.addEventListener("input", () => {
    if (slider.value === "100") state.percents.delete(name);
    else state.percents.set(name, Number(slider.value));
    state.off.delete(name);
    changed();
  });
  return row;
}

function update(row, term) {
  const [radio, box, slider] = row.querySelectorAll("input");
  const percent = state.percents.get(term.name) ?? 100;
  radio.checked = state.picked === term.name;
  box.checked = !state.off.has(term.name);
  if (Number(slider.value) !== percent) slider.value = percent;
  row.querySelector("output").textContent = `${percent} %`;
  const value = row.querySelector(".value");
  value.textContent = term.total === null ? "–" : signed(term.total);
  value.className = `value ${sideOf(term.total ?? 0)}`;
  row.querySelector(".doc").textContent = term.doc;
  row.classList.toggle("off", state.off.has(term.name));
  row.classList.toggle("picked", state.picked === term.name);
}

/** The value in words, and the reasons for it. It is old if the text has a mistake. */
export function showReasons(evaluation, isOld) {
  const isStatic = !evaluation.headline.startsWith("The game");
  const said = `${isStatic ? "Without a search: " : ""}${evaluation.headline}.`;
  element("headline").textContent = `${isOld ? "The text has a mistake; this is the value before it. " : ""}${said}`;
  element("scaling").textContent = evaluation.scaling ? `${evaluation.scaling}.` : "";
  const total = element("total");
  total.textContent = evaluation.value === null ? "" : signed(evaluation.value);
  total.className = `value ${sideOf(evaluation.value ?? 0)}`;
  const term = evaluation.terms.find(({ name }) => name === state.picked);
  element("drawn-name").textContent = term?.name ?? "";
  element("drawn-value").textContent = term?.total == null ? "" : signed(term.total);
  element("drawn-value").className = `value ${sideOf(term?.total ?? 0)}`;
  const reading = evaluation.reading.map(({ value, text }) => make("li", {},
    make("span", { class: `value ${sideOf(value)}` }, signed(value / 100)), make("span", {}, text)));
  if (!reading.length && term?.total === 0) reading.push(make("li", {}, make("span", { class: "value level" }, "0.00"), make("span", {}, "Neither side gains by this term here.")));
  element("reading").replaceChildren(...reading);
}
