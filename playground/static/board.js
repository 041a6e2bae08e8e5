// The board: a table of 64 buttons, pieces by click, drag and keyboard, and the layers of a term.

import { element, make } from "./state.js";

const FILES = "abcdefgh";
const NAMES = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };
/** A pointer that moves less far clicks, in pixels. */
const DRAG = 5;

/** The pieces of a FEN by square: `{ e4: "wn" }`. */
export function piecesOf(fen) {
  const pieces = {};
  fen.split(" ")[0].split("/").forEach((rank, row) => {
    let file = 0;
    for (const letter of rank) {
      if (/[1-8]/.test(letter)) file += Number(letter);
      else {
        const lower = letter.toLowerCase();
        pieces[FILES[file++] + (8 - row)] = (letter === lower ? "b" : "w") + lower;
      }
    }
  });
  return pieces;
}

/** The first field of a FEN. */
export function placement(pieces) {
  const letter = (piece) => (piece[0] === "w" ? piece[1].toUpperCase() : piece[1]);
  const ranks = [8, 7, 6, 5, 4, 3, 2, 1].map((rank) =>
    [...FILES].map((file) => (pieces[file + rank] ? letter(pieces[file + rank]) : "1")).join(""));
  return ranks.join("/").replace(/1+/g, (ones) => ones.length);
}

export const pieceName = (piece) => `${piece[0] === "w" ? "white" : "black"} ${NAMES[piece[1]]}`;

const svgNode = (name, attributes) => {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  return node;
};

/** The picture of a piece. */
export function picture(piece) {
  const svg = svgNode("svg", { viewBox: "0 0 45 45", "aria-hidden": "true" });
  svg.append(svgNode("use", { href: `#${piece}` }));
  return svg;
}

/** Draws the best move of the search as an arrow; null removes it. */
export function markBest(uci, flipped) {
  const layer = element("best");
  if (!uci) return layer.replaceChildren();
  const centre = (square) => {
    const [x, y] = [FILES.indexOf(square[0]) + 0.5, 8.5 - Number(square[1])];
    return flipped ? [8 - x, 8 - y] : [x, y];
  };
  const [[x, y], [toX, toY]] = [centre(uci.slice(0, 2)), centre(uci.slice(2, 4))];
  const length = Math.hypot(toX - x, toY - y);
  const [dx, dy] = [(toX - x) / length, (toY - y) / length];
  const [neckX, neckY] = [toX - 0.35 * dx, toY - 0.35 * dy];
  const wing = (side) => `${neckX - side * dy},${neckY + side * dx}`;
  const svg = svgNode("svg", { viewBox: "0 0 8 8", "aria-hidden": "true" });
  svg.append(svgNode("line", { x1: x, y1: y, x2: neckX, y2: neckY }),
    svgNode("polygon", { points: `${toX},${toY} ${wing(0.18)} ${wing(-0.18)}` }));
  layer.replaceChildren(svg);
}

export class Board {
  /**
   * `rules` says what may be done: `targets(from)` gives the squares a piece may move to (null: it cannot be
   * taken up), `move(from, to)` plays it, `illegal(from, to)` says that it cannot be played, `click(square)`
   * handles a click itself if it returns true, and `remove(square)` takes a piece off the board.
   */
  constructor(rules) {
    this.rules = rules;
    this.pieces = {};
    this.selected = null;
    this.focused = "e2";
    this.flipped = false;
    this.buttons = {};
    this.table = element("board");
    this.build();
    this.table.addEventListener("click", (event) => this.onClick(event));
    this.table.addEventListener("keydown", (event) => this.onKey(event));
    this.table.addEventListener("pointerdown", (event) => this.onPointer(event));
  }

  build() {
    const ranks = this.flipped ? [1, 2, 3, 4, 5, 6, 7, 8] : [8, 7, 6, 5, 4, 3, 2, 1];
    const files = this.flipped ? [...FILES].reverse() : [...FILES];
    const rows = ranks.map((rank, row) => {
      const cells = files.map((file, column) => {
        const square = file + rank;
        const button = make("button", { type: "button", "data-square": square, tabindex: "-1" });
        if (column === 0) button.dataset.rank = rank;
        if (row === 7) button.dataset.file = file;
        this.buttons[square] = button;
        const dark = (FILES.indexOf(file) + rank) % 2 === 1;
        return make("td", { role: "gridcell", class: dark ? "dark" : "light" }, button);
      });
      return make("tr", { role: "row" }, ...cells);
    });
    this.table.tBodies[0].replaceChildren(...rows);
  }

  /** Shows pieces, and marks the squares of the last move. */
  show(pieces, flipped, last = []) {
    const hadFocus = this.table.contains(document.activeElement);
    if (flipped !== this.flipped) {
      this.flipped = flipped;
      this.build();
    }
    this.pieces = pieces;
    this.last = last;
    if (this.selected && !pieces[this.selected]) this.selected = null;
    this.paint();
    if (hadFocus) this.buttons[this.focused].focus();
  }

  paint() {
    const targets = this.selected ? this.rules.targets(this.selected) ?? [] : [];
    for (const [square, button] of Object.entries(this.buttons)) {
      const piece = this.pieces[square];
      if (button.dataset.piece !== (piece ?? "")) {
        button.dataset.piece = piece ?? "";
        button.replaceChildren(...(piece ? [picture(piece)] : []));
      }
      const isTarget = targets.includes(square);
      const words = [square, piece ? pieceName(piece) : "empty"];
      if (square === this.selected) words.push("selected");
      if (isTarget) words.push("possible target");
      button.setAttribute("aria-label", words.join(", "));
      button.classList.toggle("movable", Boolean(piece && this.rules.targets(square)));
      button.tabIndex = square === this.focused ? 0 : -1;
      button.parentElement.classList.toggle("target", isTarget);
      button.parentElement.classList.toggle("selected", square === this.selected);
      button.parentElement.classList.toggle("last", this.last.includes(square));
    }
  }

  select(square) {
    this.selected = square;
    this.paint();
  }

  /** Plays the move of the selected piece, or takes up another piece. */
  choose(square) {
    if (this.rules.click(square)) return;
    const from = this.selected;
    if (from && from !== square && (this.rules.targets(from) ?? []).includes(square)) {
      this.select(null);
      this.rules.move(from, square);
    } else {
      const isOther = square !== from && this.pieces[square] && this.rules.targets(square);
      if (from && from !== square && !isOther) this.rules.illegal(from, square);
      this.select(isOther ? square : null);
    }
  }

  onClick(event) {
    const square = event.target.closest("button")?.dataset.square;
    if (!square || this.dragged) return;
    this.focused = square;
    this.choose(square);
  }

  onKey(event) {
    const turn = this.flipped ? -1 : 1;
    const steps = { ArrowLeft: [-turn, 0], ArrowRight: [turn, 0], ArrowUp: [0, turn], ArrowDown: [0, -turn] };
    if (event.key === "Escape") return this.select(null);
    if ((event.key === "Delete" || event.key === "Backspace") && this.rules.remove(this.focused)) return;
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    const file = FILES[FILES.indexOf(this.focused[0]) + step[0]];
    const next = file + (Number(this.focused[1]) + step[1]);
    if (!this.buttons[next]) return;
    this.buttons[this.focused].tabIndex = -1;
    this.focused = next;
    this.buttons[next].tabIndex = 0;
    // The board is in sight already.
    this.buttons[next].focus({ preventScroll: true });
  }

  onPointer(event) {
    const from = event.target.closest("button")?.dataset.square;
    this.dragged = false;
    if (!from || event.button !== 0 || !this.pieces[from] || !this.rules.targets(from)) return;
    let ghost = null;
    const move = (at) => {
      const far = Math.hypot(at.clientX - event.clientX, at.clientY - event.clientY) > DRAG;
      if (!ghost && !far) return;
      if (!ghost) {
        ghost = picture(this.pieces[from]);
        ghost.classList.add("dragged");
        ghost.style.width = `${this.buttons[from].offsetWidth}px`;
        document.body.append(ghost);
        this.dragged = true;
        this.select(from);
      }
      ghost.style.left = `${at.clientX}px`;
      ghost.style.top = `${at.clientY}px`;
    };
    const cancel = (key) => { if (key.key === "Escape") end({ type: "pointercancel" }); };
    const end = (at) => {
      window.removeEventListener("keydown", cancel);
      window.removeEventListener("pointermove", move);
      window.removeEventListener("pointerup", end);
      window.removeEventListener("pointercancel", end);
      if (!ghost) return;
      ghost.remove();
      this.select(null);
      // A click may follow the drag; the next pointer starts anew.
      setTimeout(() => { this.dragged = false; });
      if (at.type === "pointercancel") return;
      const to = document.elementFromPoint(at.clientX, at.clientY)?.closest("#board button")?.dataset.square;
      if (!to) this.rules.remove(from);
      else if (to !== from && this.rules.targets(from)?.includes(to)) this.rules.move(from, to);
      else if (to !== from) this.rules.illegal(from, to);
    };
    window.addEventListener("keydown", cancel);
    window.addEventListener("pointermove", move);
    window.addEventListener("pointerup", end);
    window.addEventListener("pointercancel", end);
  }

  /** Draws a term; null removes the drawing. */
  draw(layers) {
    for (const [id, text] of [["under", layers?.under], ["over", layers?.over]]) {
      const svg = text ? new DOMParser().parseFromString(text, "image/svg+xml").documentElement : null;
      element(id).replaceChildren(...(svg ? [document.importNode(svg, true)] : []));
    }
    for (const button of Object.values(this.buttons)) button.removeAttribute("title");
    for (const title of element("over").querySelectorAll("title")) {
      // The layer lets the pointer through, so the squares show what was measured on them.
      this.buttons[title.textContent.slice(0, 2)]?.setAttribute("title", title.textContent);
    }
    element("notes").replaceChildren(...(layers?.notes ?? []).map((note) => make("li", {}, note)));
  }
}
