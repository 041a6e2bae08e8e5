// The words of engine files: a list with their meanings, and completion while a formula is typed.

import { element, make } from "tropism/state";

/** The most words that completion offers, and the letters that it waits for. */
const MAX_OFFERED = 8;
const MIN_LETTERS = 2;

/** The words in groups, `[heading, rows]`, and all of them, `{ name, usage, value, doc }`. */
let groups = [];
let words = [];
/** What completion offers now, where it would stand, and which one is chosen. */
let offered = [];
let from = 0;
let chosen = 0;
let write = () => {};
/** The keys of a section as completion offers them. */
let keys = [];
/** The keys of a section: each with its kind and its meaning. */
const KEYS = [
  ["doc", "text", "what the term measures, in one sentence"],
  ["theme", "text", "the group of reasons that it belongs to: material, king, pawns, pieces, threats, or one of your own"],
  ["each", "text", "the squares that are counted one by one: \"knight in own.knights\""],
  ["when", "formula", "the condition under which it counts"],
  ["count", "formula", "the number that the worth is multiplied by; 1 without it"],
  ["index", "formula", "the number that chooses one of several worths"],
  ["at", "formula", "the square where the worth stands on the board"],
  ["worth", "pair, or list of pairs", "hundredths of a pawn in the middlegame and in the endgame: [5, 10]"],
  ["unit", "text", "what is counted, for a person; two texts give one and several"],
  ["says", "text", "the sentence: \"{the knight} is {moves} from {enemy}'s king\""],
  ["draws", "table", "the picture: { ring = \"knight\", knight_path = \"knight -> enemy.king\" }"],
  ["let.NAME", "formula", "a name for a set or a number that other formulas use"],
];

/** `putText(start, end, text)` writes into the editor; `sections` are the words of engine files. */
export function initWords(putText, sections) {
  write = putText;
  const text = element("text");
  text.addEventListener("input", ({ inputType }) => (inputType?.startsWith("insert") ? offer() : closeWords()));
  text.addEventListener("keydown", onKey);
  for (const name of ["blur", "click"]) text.addEventListener(name, () => closeWords());
  element("word-filter").addEventListener("input", listWords);
  groups = [["Keys of a section", KEYS], ...sections];
  words = sections.flatMap(([, rows]) => rows.map(([usage, value, doc]) => ({ name: /^[\w.]+/.exec(usage)?.[0] ?? "", usage, value, doc })));
  keys = KEYS.map(([name, , doc]) => ({ name, usage: name, doc }));
  listWords();
}

/** Lists the words by groups, which are open if one is searched. */
function listWords() {
  const wanted = element("word-filter").value.trim().toLowerCase();
  element("word-box").replaceChildren(...groups.flatMap(([heading, rows], index) => {
    const shown = rows.filter(([usage, , doc]) => `${usage} ${doc}`.toLowerCase().includes(wanted));
    if (!shown.length) return [];
    const list = shown.flatMap(([usage, value, doc]) => [make("dt", {}, make("code", {}, usage), ` ${value}`), make("dd", {}, doc)]);
    const group = make("details", {}, make("summary", {}, `${heading} (${shown.length})`), make("dl", {}, ...list));
    group.open = Boolean(wanted) || !index;
    return [group];
  }));
  if (!element("word-box").childElementCount) element("word-box").textContent = "No word fits.";
}

/** Offers the words that begin with what stands before the cursor, inside of a formula. */
function offer() {
  const { value, selectionStart: at } = element("text");
  const line = value.slice(value.lastIndexOf("\n", at - 1) + 1, at);
  const begun = /[a-z_][\w.]*$/.exec(line)?.[0] ?? "";
  const isInFormula = (line.match(/"/g)?.length ?? 0) % 2 === 1 && !/^\s*(doc|unit|name|base|source)\b/.test(line);
  const isKey = /^[a-z]+$/.test(line);
  if (begun.length < MIN_LETTERS || !(isInFormula || isKey)) return closeWords();
  const side = /^enemy\./.test(begun) ? "enemy." : "own.";
  const spelt = isKey ? keys : words.map((word) => ({ ...word, name: word.name.replace(/^own\./, side) }));
  const fits = spelt.filter(({ name }) => name.startsWith(begun));
  const inside = spelt.filter(({ name }) => !name.startsWith(begun) && name.replace(/^own\./, "").startsWith(begun));
  offered = [...fits, ...inside].filter(({ name }) => name !== begun).slice(0, MAX_OFFERED);
  if (!offered.length) return closeWords();
  from = at - begun.length;
  chosen = 0;
  showOffered();
}

function showOffered() {
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
  write(from, element("text").selectionStart, name);
  closeWords();
}

function onKey(event) {
  if (!offered.length) return;
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step) {
    chosen = (chosen + step + offered.length) % offered.length;
    showOffered();
  } else if (event.key === "Enter" || event.key === "Tab") accept(chosen);
  else if (event.key === "Escape") closeWords();
  else return;
  event.preventDefault();
}
