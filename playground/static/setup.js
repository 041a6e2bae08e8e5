// Free set-up: any piece on any square.

import { START, announce, element, make, state } from "tropism/state";
import { picture, pieceName, piecesOf, placement } from "tropism/board";

const PIECES = ["wk", "wq", "wr", "wb", "wn", "wp", "bk", "bq", "br", "bb", "bn", "bp"];

/** The pieces that are being set up; they need not be a position yet. */
let pieces = {};
let commit = () => {};

export const setupPieces = () => pieces;

/** `onChange(game)` shows what is set up, if it is a position. */
export function initSetup(onChange) {
  commit = onChange;
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
  element("start-board").addEventListener("click", () => { setUp(true, START); commitSetup(); });
}

/** Begins the set-up with the pieces of the board or of a FEN, or ends it. */
export function setUp(isOn, fen = state.game?.fen) {
  state.settingUp = isOn;
  element("setup-panel").hidden = !isOn;
  element("set-up").setAttribute("aria-pressed", String(isOn));
  if (!isOn) return;
  pieces = piecesOf(fen);
  const [, turn, castling, passed] = fen.split(" ");
  element("setup-panel").querySelector(`input[name=turn][value=${turn}]`).checked = true;
  for (const box of element("castling").querySelectorAll("input")) box.checked = castling.includes(box.value);
  listPassed(passed);
}

/** Lists the squares where a pawn may be taken en passant. */
function listPassed(chosen) {
  const isWhite = element("setup-panel").querySelector("input[name=turn]:checked").value === "w";
  const [own, rank, target] = isWhite ? ["bp", 5, 6] : ["wp", 4, 3];
  const files = [..."abcdefgh"].filter((file) => pieces[file + rank] === own && !pieces[file + target]);
  const select = element("en-passant");
  select.replaceChildren(new Option("none", "-"), ...files.map((file) => new Option(file + target)));
  select.value = files.includes(chosen?.[0]) && chosen[1] === String(target) ? chosen : "-";
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
  return `${placement(pieces)} ${turn} ${rights || "-"} ${element("en-passant").value} 0 1`;
}

/** Shows what is set up, if it is a position. */
export function commitSetup() {
  listPassed(element("en-passant").value);
  commit({ start: setupFen(), moves: [] });
}
