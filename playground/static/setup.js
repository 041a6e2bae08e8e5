// Free set-up: any piece on any square.

import { announce, element, make, state } from "./state.js";
import { picture, pieceName, piecesOf, placement } from "./board.js";

const PIECES = ["wk", "wq", "wr", "wb", "wn", "wp", "bk", "bq", "br", "bb", "bn", "bp"];

/** The pieces that are being set up; they need not be a position yet. */
let pieces = {};
let changed = () => {};

export const setupPieces = () => pieces;

/** `onChange(game)` shows what is set up, if it is a position. */
export function initSetup(onChange) {
  changed = onChange;
  const choice = (value, name, content) => {
    const input = make("input", { type: "radio", name: "piece", value, "aria-label": name });
    return make("label", { title: name }, input, content);
  };
  const palette = PIECES.map((piece) => choice(piece, pieceName(piece), picture(piece)));
  palette.push(choice("", "move pieces", "move"), choice("none", "take pieces off", "take off"));
  element("palette").append(...palette);
  element("palette").querySelector("input[value='']").checked = true;
  element("setup-panel").addEventListener("change", (event) => {
    if (event.target.name !== "piece") commitSetup();
  });
  element("clear-board").addEventListener("click", () => { pieces = {}; commitSetup(); });
}

/** Begins the set-up with the pieces of the board or of a FEN, or ends it. */
export function setUp(isOn, fen = state.game.fen) {
  state.settingUp = isOn;
  element("setup-panel").hidden = !isOn;
  element("set-up").setAttribute("aria-pressed", String(isOn));
  if (!isOn) return;
  pieces = piecesOf(fen);
  const [, turn, castling] = fen.split(" ");
  element("setup-panel").querySelector(`input[name=turn][value=${turn}]`).checked = true;
  for (const box of element("castling").querySelectorAll("input")) box.checked = castling.includes(box.value);
}

/** A click with a piece of the palette; returns whether it was one. */
export function setupClick(square) {
  const chosen = element("palette").querySelector("input:checked")?.value;
  if (!chosen) return false;
  if (chosen === "none" || pieces[square] === chosen) return setupRemove(square);
  pieces[square] = chosen;
  announce(`${pieceName(chosen)} on ${square}.`);
  commitSetup();
  return true;
}

export function setupMove(from, to) {
  if (!pieces[from]) return;
  pieces[to] = pieces[from];
  delete pieces[from];
  announce(`${pieceName(pieces[to])} from ${from} to ${to}.`);
  commitSetup();
}

export function setupRemove(square) {
  if (pieces[square]) announce(`${pieceName(pieces[square])} taken off ${square}.`);
  delete pieces[square];
  commitSetup();
  return true;
}

/** What is set up, as a FEN. */
export function setupFen() {
  const turn = element("setup-panel").querySelector("input[name=turn]:checked").value;
  const rights = [...element("castling").querySelectorAll("input:checked")].map((box) => box.value).join("");
  return `${placement(pieces)} ${turn} ${rights || "-"} - 0 1`;
}

/** Shows what is set up, if it is a position. */
export const commitSetup = () => changed({ start: setupFen(), moves: [] });
