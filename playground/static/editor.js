// The editor of the engine file: line numbers beside it, and the mistake marked behind the text.

import { earlierTexts, keepText } from "./earlier.js";
import { element, make, state } from "./state.js";

/** How long the page waits for the next key, in milliseconds. */
const PAUSE = 50;

let mistake = null;
let timer = 0;
/** Whether the page itself changes the text: whoever asked for it shows the result. */
let replacing = false;
/** The texts of the shipped engine files, which need not be kept. */
let shipped = [];
/** The earlier texts in the order of the list. */
let listed = [];

export function initEditor(changed, examples) {
  shipped = examples.map((example) => example.text);
  const text = element("text");
  text.addEventListener("input", () => {
    if (replacing) return;
    state.text = text.value;
    paint();
    clearTimeout(timer);
    timer = setTimeout(changed, PAUSE);
  });
  text.addEventListener("scroll", () => {
    element("numbers").scrollTop = text.scrollTop;
    element("marks").scrollTop = text.scrollTop;
    element("marks").scrollLeft = text.scrollLeft;
  });
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
  mistake = null;
  paint();
}

/** Replaces the text as typing does. An assignment to `value` would end what Ctrl+Z can undo. */
function replaceAll(text) {
  const box = element("text");
  box.focus({ preventScroll: true });
  box.select();
  const isDone = text ? document.execCommand("insertText", false, text) : document.execCommand("delete");
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
    return new Option(`${name}, ${new Date(time).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" })}`, index);
  });
  element("earlier").replaceChildren(new Option("choose", ""), ...options);
}

/** The text that the list of earlier ones shows, or nothing. */
export const chosenText = () => listed[element("earlier").value || -1]?.text;

/** Shows the mistake of the text; null if it has none. */
export function showMistake(error) {
  mistake = error;
  paint();
  const box = element("mistake");
  element("text").setAttribute("aria-invalid", String(Boolean(error)));
  if (!error) {
    box.replaceChildren();
    return;
  }
  const place = error.line ? `Line ${error.line}, column ${error.column ?? 1}: ` : "";
  const parts = [make("p", {}, place + error.message)];
  if (error.excerpt) parts.push(make("pre", {}, error.excerpt));
  if (error.line) {
    const button = make("button", { type: "button" }, "Go to the mistake");
    button.addEventListener("click", goToMistake);
    parts.push(button);
  }
  box.replaceChildren(...parts);
}

/** The index in the text where the mistake begins. The column counts characters, not code units. */
function mistakeStart() {
  const lines = state.text.split("\n");
  const before = lines.slice(0, mistake.line - 1).reduce((sum, line) => sum + line.length + 1, 0);
  const column = [...(lines[mistake.line - 1] ?? "")].slice(0, (mistake.column ?? 1) - 1).join("").length;
  return before + column;
}

function goToMistake() {
  if (!mistake?.line) return;
  const text = element("text");
  const start = mistakeStart();
  text.focus();
  text.setSelectionRange(start, start + mistake.length);
  const height = text.scrollHeight / Math.max(1, state.text.split("\n").length);
  text.scrollTop = Math.max(0, (mistake.line - 4) * height);
}

function paint() {
  const count = state.text.split("\n").length;
  const numbers = Array.from({ length: count }, (_, index) => {
    const wrong = mistake?.line === index + 1;
    return wrong ? make("span", { class: "wrong" }, `${index + 1}\n`) : `${index + 1}\n`;
  });
  element("numbers").replaceChildren(...numbers);
  const marks = element("marks");
  if (!mistake?.line) {
    marks.replaceChildren();
    return;
  }
  const start = mistakeStart();
  // A mistake at the end of a line has no character of its own.
  const marked = state.text.slice(start, start + mistake.length).split("\n")[0] || " ";
  const rest = "\n".repeat(Math.max(0, count - mistake.line + 2));
  marks.replaceChildren(state.text.slice(0, start), make("mark", {}, marked), rest);
  marks.scrollTop = element("text").scrollTop;
  marks.scrollLeft = element("text").scrollLeft;
}

/** A small term to begin with, under a name that the file does not have. */
export function addTerm() {
  const text = element("text");
  let name = "my_term";
  for (let number = 2; text.value.includes(`[${name}]`); number++) name = `my_term_${number}`;
  const term = `
[${name}]
doc = "A knight near the enemy king is a threat."
each = "knight in own.knights"
[${name}.distance]
count = "6 - knight_distance(knight, enemy.king)"
unit = "knight moves nearer than 6 to the enemy king"
worth = [5, 5]
`;
  // A list of terms must name the new one.
  const listed = text.value.replace(/^(terms\s*=\s*\[[^\]]*?)(,?\s*)\]/m, `$1, "${name}"]`);
  replaceAll(`${listed.trimEnd()}\n${term}`);
  text.setSelectionRange(text.value.length, text.value.length);
  text.scrollTop = text.scrollHeight;
}
