// The moves of the game: a list with variations and comments, and rows of moves that can be clicked.

import { element, make } from "tropism/state";
import { changes, marksOf, numberOf, pathOf } from "tropism/tree";

/** The most moves of a line of the search or the coach that are shown. */
const MOVES = 14;

let shown = null;
let playRow = () => {};
let buttons = new Map();

/** Shows the tree with the path to `current`; `go(node)` goes to a position. */
export function showMoves(root, current, go) {
  const list = element("moves");
  if (shown?.root !== root || shown.changes !== changes) {
    shown = { root, changes };
    buttons = new Map();
    const parts = [...notes(root), ...(root.children.length ? line(root.children[0], true, root.start, go) : [])];
    list.replaceChildren(...parts);
  }
  const path = new Set(pathOf(current));
  for (const [node, button] of buttons) {
    button.classList.toggle("path", path.has(node));
    if (node === current) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  }
  const button = buttons.get(current);
  // When the page has its layout: a layout now would be one more.
  requestAnimationFrame(() => { list.scrollTop = button ? button.offsetTop - list.clientHeight / 2 : 0; });
}

const notes = ({ comments }) => comments.map((text) => text.replace(/\[%.*?\]/g, "").trim()).filter(Boolean)
  .map((text) => make("span", { class: "note" }, `${text} `));

function line(first, isMain, start, go) {
  const parts = [];
  let isFirst = true;
  for (let at = first; at; [at] = at.children) {
    const here = at;
    const button = make("button", { type: "button" }, `${numberOf(at.ply, start, isFirst)}${at.san}${marksOf(at)}`);
    button.addEventListener("click", () => go(here));
    buttons.set(at, button);
    const others = at === first && !isMain ? [] : at.parent.children.slice(1);
    const said = notes(at);
    parts.push(button, " ", ...said);
    for (const other of others) parts.push(make("span", { class: "variation" }, "( ", ...line(other, false, start, go), ") "));
    isFirst = Boolean(others.length || said.length);
  }
  return parts;
}

/** `playMoves(moves)` plays the moves of a row on the board. */
export function initRows(playMoves) {
  playRow = playMoves;
}

/** Fills a row with moves. The buttons stay while the moves change, so that a click during a search is not lost. */
export function fillRow(row, names, moves) {
  names.slice(0, MOVES).forEach((name, index) => {
    let button = row.children[index];
    if (!button) {
      button = make("button", { type: "button" });
      button.addEventListener("click", () => playRow(button.moves));
      row.append(button);
    }
    if (button.textContent !== name) button.textContent = name;
    button.moves = moves.slice(0, index + 1);
  });
  while (row.children.length > Math.min(names.length, MOVES)) row.lastChild.remove();
}
