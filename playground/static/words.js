// The words of engine files: a list with their meanings, and completion while a formula is typed.

import { get } from "./api.js";
import { element, make } from "./state.js";

/** The most words that completion offers, and the letters that it waits for. */
const MOST = 8;
const LEAST = 2;

/** All words, `{ name, usage, value, doc }`. */
let words = [];
/** What completion offers now, where it would stand, and which one is chosen. */
let offered = [];
let from = 0;
let chosen = 0;
let put = () => {};

/** `putText(start, end, text)` writes into the editor. */
export async function initWords(putText) {
  put = putText;
  const text = element("text");
  text.addEventListener("input", ({ inputType }) => (inputType?.startsWith("insert") ? offer() : closeWords()));
  text.addEventListener("keydown", onKey);
  for (const name of ["blur", "click"]) text.addEventListener(name, () => closeWords());
  element("word-filter").addEventListener("input", listWords);
  const { words: sections } = await get("/api/words").then((answer) => answer.json()).catch(() => ({ words: [] }));
  words = sections.flatMap(([, rows]) => rows.map(([usage, value, doc]) => ({ name: /^[\w.]+/.exec(usage)?.[0] ?? "", usage, value, doc })));
  listWords();
}

function listWords() {
  const wanted = element("word-filter").value.trim().toLowerCase();
  const shown = words.filter(({ usage, doc }) => `${usage} ${doc}`.toLowerCase().includes(wanted));
  element("word-list").replaceChildren(...shown.flatMap(({ usage, value, doc }) =>
    [make("dt", {}, make("code", {}, usage), ` ${value}`), make("dd", {}, doc)]));
}

/** Offers the words that begin with what stands before the cursor, inside of a formula. */
function offer() {
  const { value, selectionStart: at } = element("text");
  const line = value.slice(value.lastIndexOf("\n", at - 1) + 1, at);
  const begun = /[a-z_][\w.]*$/.exec(line)?.[0] ?? "";
  const isInFormula = (line.match(/"/g)?.length ?? 0) % 2 === 1 && !/^\s*(doc|unit|name|base|source)\b/.test(line);
  if (begun.length < LEAST || !isInFormula) return closeWords();
  const side = /^enemy\./.test(begun) ? "enemy." : "own.";
  const spelt = words.map((word) => ({ ...word, name: word.name.replace(/^own\./, side) }));
  const fits = spelt.filter(({ name }) => name.startsWith(begun));
  const inside = spelt.filter(({ name }) => !name.startsWith(begun) && name.replace(/^own\./, "").startsWith(begun));
  offered = [...fits, ...inside].filter(({ name }) => name !== begun).slice(0, MOST);
  if (!offered.length) return closeWords();
  from = at - begun.length;
  chosen = 0;
  show();
}

function show() {
  const box = element("words");
  box.replaceChildren(...offered.map(({ usage, doc }, index) => {
    const option = make("li", { role: "option", id: `word-${index}`, "aria-selected": String(index === chosen) },
      make("code", {}, usage), make("span", {}, doc));
    // A press would take the focus from the text.
    option.addEventListener("pointerdown", (event) => { event.preventDefault(); accept(index); });
    return option;
  }));
  box.hidden = false;
  element("text").setAttribute("aria-activedescendant", `word-${chosen}`);
  placeWords();
}

/** Puts the list under the line that is typed, or above it where the window ends. */
export function placeWords() {
  if (!offered.length) return;
  const text = element("text");
  const lines = text.value.slice(0, from).split("\n");
  const height = parseFloat(getComputedStyle(text).lineHeight);
  const box = element("words");
  const under = lines.length * height + 10 - text.scrollTop;
  const end = element("editing").getBoundingClientRect().top + under + box.offsetHeight;
  box.style.top = `${end > visualViewport.height ? under - height - box.offsetHeight : under}px`;
  const option = box.children[chosen];
  box.scrollTop = option.offsetTop + option.offsetHeight - box.clientHeight;
}

function closeWords() {
  offered = [];
  element("words").hidden = true;
  element("text").removeAttribute("aria-activedescendant");
}

function accept(index) {
  const { name } = offered[index];
  put(from, element("text").selectionStart, name);
  closeWords();
}

function onKey(event) {
  if (!offered.length) return;
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step) {
    chosen = (chosen + step + offered.length) % offered.length;
    show();
  } else if (event.key === "Enter" || event.key === "Tab") accept(chosen);
  else if (event.key === "Escape") closeWords();
  else return;
  event.preventDefault();
}
