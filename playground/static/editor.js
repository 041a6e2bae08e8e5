// The editor of the engine file: line numbers beside it, colours and marks of mistakes behind the text.

import { earlierTexts, keepText } from "tropism/earlier";
import { element, make, state } from "tropism/state";
import { initWords, placeWords } from "tropism/words";

/** What is coloured, by the name of its highlight. */
const COLOURS = /(?<comment>#.*)|(?<section>^\[[^\]\n]*\])|(?<text>"""[^]*?"""|'''[^]*?'''|"(?:\\.|[^"\\\n])*"|'[^'\n]*')|(?<number>(?<![\w.-])[-+]?\d[\d_.]*\b)|(?<key>^[ \t]*[\w.-]+(?=\s*=))/gm;

/** The mistakes that are marked. */
let mistakes = [];
/** The mistakes whose messages are shown, as JSON. */
let told = "null";
/** What the numbers beside the text show. */
let numbered = "";
/** The frame in which the text is read. */
let frame = 0;
/** Whether the page itself changes the text: whoever asked for it shows the result. */
let replacing = false;
/** The texts of the shipped engine files, which need not be kept. */
let shipped = [];
/** The earlier texts in the order of the list. */
let listed = [];

export function initEditor(changed, { examples, words }) {
  shipped = examples.map((example) => example.text);
  const terms = new Map(examples.flatMap(({ text }) => termsOf(text)));
  element("insert-term").append(...[...terms.keys()].map((name) => new Option(name)));
  element("insert-term").addEventListener("change", ({ target }) => {
    if (terms.has(target.value)) insertTerm(target.value, terms.get(target.value));
    target.value = "";
  });
  element("add-term").addEventListener("click", () => insertTerm("my_term", MY_TERM));
  initWords(put, words);
  // Another tab has kept a text.
  window.addEventListener("storage", listTexts);
  const text = element("text");
  text.addEventListener("input", () => {
    if (replacing) return;
    state.text = text.value;
    paint();
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(changed);
  });
  text.addEventListener("scroll", follow);
}

/** What lies beside and behind the text scrolls with it. */
function follow() {
  const { scrollTop, scrollLeft } = element("text");
  for (const id of ["numbers", "marks", "colours"]) element(id).scrollTop = scrollTop;
  for (const id of ["marks", "colours"]) element(id).scrollLeft = scrollLeft;
  placeWords();
}

/** Puts a text in the place of the characters from `start` to `end`, as typing does. */
function put(start, end, text) {
  const box = element("text");
  box.focus({ preventScroll: true });
  box.setSelectionRange(start, end);
  if (!document.execCommand("insertText", false, text)) box.setRangeText(text, start, end, "end");
}

/** Puts a text into the editor. The one that it replaces is kept, and Ctrl+Z brings it back. */
export function setText(text) {
  const box = element("text");
  keepOwnText();
  if (!box.value) {
    box.value = text;
  } else if (box.value !== text) {
    const focused = document.activeElement;
    replacing = true;
    replaceAll(text);
    replacing = false;
    box.blur();
    focused?.focus({ preventScroll: true });
  }
  state.text = box.value;
  showMistake(null);
  paint();
}

/** Replaces the text as typing does. An assignment to `value` would end what Ctrl+Z can undo. */
function replaceAll(text) {
  const box = element("text");
  box.focus({ preventScroll: true });
  box.select();
  // To type a long text takes browsers minutes; it can still be undone by the list of earlier ones.
  const isDone = text.length < 20_000 && document.execCommand(text ? "insertText" : "delete", false, text);
  if (!isDone) box.value = text;
}

/** Keeps the text of the editor for the list of earlier ones, if it is no shipped file. */
export function keepOwnText() {
  const text = element("text").value;
  if (!shipped.includes(text)) keepText(text);
  listTexts();
}

/** Lists the earlier texts by name and time. */
function listTexts() {
  listed = earlierTexts();
  const options = listed.map(({ text, time }, index) => {
    const name = /^name\s*=\s*["'](.+)["']/m.exec(text)?.[1] ?? "without a name";
    return new Option(`${name}, ${new Date(time).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "medium" })}`, index);
  });
  element("earlier").replaceChildren(new Option("choose", ""), ...options);
}

/** The text that the list of earlier ones shows, or nothing. */
export const chosenText = () => listed[element("earlier").value || -1]?.text;

/** Shows the mistakes of the text, the first one of each section; null if there is none. */
export function showMistake(error) {
  // A message that is read again, or a button that loses the focus, would disturb.
  if (JSON.stringify(error) === told) return;
  told = JSON.stringify(error);
  mistakes = error ? [error, ...error.others] : [];
  paint();
  element("text").setAttribute("aria-invalid", String(Boolean(error)));
  element("mistake").replaceChildren(...mistakes.flatMap((mistake) => {
    const { line, column, message, excerpt } = mistake;
    const text = make("p", {}, (line ? `Line ${line}, column ${column ?? 1}: ` : "") + message);
    if (line) {
      const button = make("button", { type: "button" }, `Go to line ${line}`);
      button.addEventListener("click", () => goTo(mistake));
      text.append(" ", button);
    }
    return excerpt ? [text, make("pre", {}, excerpt)] : [text];
  }));
  // The message and the line that is written stay in sight.
  if (error && document.activeElement === element("text")) element("editing").scrollIntoView({ block: "nearest" });
}

/** The index in the text where a mistake begins. The column counts characters, not code units. */
function startOf({ line, column }) {
  const lines = state.text.split("\n");
  const before = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
  return before + [...(lines[line - 1] ?? "")].slice(0, (column ?? 1) - 1).join("").length;
}

function goTo(mistake) {
  const text = element("text");
  const start = startOf(mistake);
  text.focus();
  element("editing").scrollIntoView({ block: "nearest" });
  text.setSelectionRange(start, start + mistake.length);
  const height = text.scrollHeight / Math.max(1, state.text.split("\n").length);
  text.scrollTop = Math.max(0, (mistake.line - 4) * height);
}

function paint() {
  const count = state.text.split("\n").length;
  const wrong = new Set(mistakes.map(({ line }) => line));
  const key = [count, ...wrong].join();
  if (key !== numbered) {
    element("numbers").replaceChildren(...Array.from({ length: count }, (_, index) =>
      (wrong.has(index + 1) ? make("span", { class: "wrong" }, `${index + 1}\n`) : `${index + 1}\n`)));
    numbered = key;
  }
  const parts = [];
  let at = 0;
  for (const mistake of mistakes.filter(({ line }) => line).sort((a, b) => startOf(a) - startOf(b))) {
    const start = startOf(mistake);
    if (start < at) continue;
    // A mistake at the end of a line has no character of its own.
    const marked = state.text.slice(start, start + mistake.length).split("\n")[0] || " ";
    parts.push(state.text.slice(at, start), make("mark", {}, marked));
    at = start + marked.trimEnd().length;
  }
  element("marks").replaceChildren(...parts, parts.length ? `${state.text.slice(at)}\n` : "");
  colour();
  follow();
}

/** Colours the text that lies behind the one that is edited. A browser without highlights shows it plain. */
function colour() {
  const box = element("colours");
  if (!CSS.highlights || box.textContent === `${state.text}\n`) return;
  box.textContent = `${state.text}\n`;
  const [node] = box.childNodes;
  const ranges = {};
  for (const { 0: { length }, index, groups } of state.text.matchAll(COLOURS)) {
    const name = Object.keys(groups).find((group) => groups[group] !== undefined);
    const range = new StaticRange({ startContainer: node, startOffset: index, endContainer: node, endOffset: index + length });
    (ranges[name] ??= []).push(range);
  }
  CSS.highlights.clear();
  for (const [name, some] of Object.entries(ranges)) CSS.highlights.set(name, new Highlight(...some));
}

/** A term to begin with: it has a value wherever pawns stand. */
const MY_TERM = `[my_term]
theme = "king"
doc = "A king near its pawns protects them."
each = "pawn in own.pawns"
[my_term.near]
count = "7 - chebyshev(own.king, pawn)"
unit = "king moves nearer than 7 to a pawn"
worth = [1, 5]
says = "{the pawn} {is|are} near {side}'s king"
draws = { king_path = "own.king -> pawn" }
`;

/** The terms that an engine file writes itself: their names and sections. */
function termsOf(text) {
  const blocks = text.split(/^(?=\[\w+\])/m).filter((block) => /^doc\s*=/m.test(block));
  return blocks.map((block) => [/^\[(\w+)\]/.exec(block)[1], `${block.trimEnd()}\n`]);
}

/** Writes a term at the end of the text, under a name that the file does not have, and names it in the list. */
function insertTerm(wanted, block) {
  const text = element("text");
  let name = wanted;
  for (let number = 2; text.value.includes(`[${name}]`); number++) name = `${wanted}_${number}`;
  const term = block.replaceAll(`[${wanted}`, `[${name}`);
  const list = text.value.replace(/^(terms\s*=\s*\[)(\s*\])?/m, (_, begin, end) => `${begin}"${name}"${end ? "]" : ", "}`);
  replaceAll(`${list.trimEnd()}\n\n${term}`);
  text.setSelectionRange(text.value.length, text.value.length);
  text.scrollTop = text.scrollHeight;
}
