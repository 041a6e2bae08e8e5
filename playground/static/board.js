// The board: a table of 64 buttons, pieces by click, drag and keyboard, and the layers of a term.

import { element, make, state } from "tropism/state";

const FILES = "abcdefgh";
const NAMES = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };

/** Under the sentence of a drawn term. */
const LEGEND = "Blue is White's, brown Black's. Point at a square, or go to it, to read what was measured there. The worth at the bottom is in hundredths of a pawn.";
/** A pointer that moves less far clicks, in pixels. */
const DRAG = 5;
/** The time in which a piece slides to its square, in milliseconds. */
const SLIDE = 120;

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

/** An element of a picture. */
export const svgNode = (name, attributes) => {
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

/** The shapes of each layer, and how they are drawn. */
const drawn = new Map();

/** Draws all shapes again if the board has been turned. */
export const turnArrows = () => drawn.forEach(({ shapes }, id) => drawArrows(id, shapes));

/**
 * Draws shapes into a layer: `Ge2e4` is a green arrow, `Re4` a red circle. The letters are those of comments in PGN.
 */
export function drawArrows(id, shapes) {
  const key = [state.flipped, ...shapes].join();
  if (drawn.get(id)?.key === key) return;
  drawn.set(id, { shapes, key });
  const centre = (square) => {
    const [x, y] = [FILES.indexOf(square[0]) + 0.5, 8.5 - Number(square[1])];
    return state.flipped ? [8 - x, 8 - y] : [x, y];
  };
  const svg = svgNode("svg", { viewBox: "0 0 8 8", "aria-hidden": "true" });
  for (const shape of shapes) {
    const group = svgNode("g", { class: `shape ${shape[0]}` });
    const [x, y] = centre(shape.slice(1, 3));
    if (shape.length === 3) group.append(svgNode("circle", { cx: x, cy: y, r: 0.44 }));
    else {
      const [toX, toY] = centre(shape.slice(3));
      const length = Math.hypot(toX - x, toY - y);
      const [dx, dy] = [(toX - x) / length, (toY - y) / length];
      const [neckX, neckY] = [toX - 0.35 * dx, toY - 0.35 * dy];
      const wing = (side) => `${neckX - side * dy},${neckY + side * dx}`;
      group.append(svgNode("line", { x1: x, y1: y, x2: neckX, y2: neckY }),
        svgNode("polygon", { points: `${toX},${toY} ${wing(0.18)} ${wing(-0.18)}` }));
    }
    svg.append(group);
  }
  element(id).replaceChildren(...(shapes.length ? [svg] : []));
}

/** Shows White's share of the points, 0 to 1, beside the board. */
export function showBar(share, text) {
  element("bar").setAttribute("aria-label", `Evaluation: ${text}`);
  element("bar-white").style.height = `${(100 * share).toFixed(1)}%`;
  const pawns = Number(text);
  // In binary 8.45 is a little less than 8.45 and would be rounded down.
  const rounded = (1 + 1e-9) * pawns;
  element("bar-value").textContent = Number.isNaN(pawns) ? text : (pawns > 0 ? "+" : "") + rounded.toFixed(Math.abs(pawns) < 10 ? 1 : 0);
}

/** Asks for the piece of a promotion: the pieces stand on the board, from the promotion square down. Returns its letter, or nothing. */
export async function choosePromotion(square, side, button) {
  const dialog = element("promotion");
  const { left, top, bottom, width } = button.getBoundingClientRect();
  const isAtTop = button.closest("tr") === button.closest("tbody").firstElementChild;
  const letters = isAtTop ? ["q", "n", "r", "b"] : ["b", "r", "n", "q"];
  const choices = letters.map((letter) =>
    make("button", { value: letter, "aria-label": pieceName(side + letter) }, picture(side + letter)));
  dialog.firstElementChild.replaceChildren(...choices);
  dialog.style.width = `${width}px`;
  dialog.style.left = `${left}px`;
  dialog.style.top = `${isAtTop ? top : bottom - 4 * width}px`;
  dialog.returnValue = "";
  dialog.showModal();
  dialog.querySelector("[value=q]").focus({ preventScroll: true });
  // A click beside the pieces takes the move back.
  dialog.onclick = (event) => { if (event.target === dialog) dialog.close(); };
  // The squares move when the page does.
  const close = () => dialog.close();
  for (const name of ["scroll", "resize"]) window.addEventListener(name, close, { once: true });
  await new Promise((resolve) => { dialog.addEventListener("close", resolve, { once: true }); });
  for (const name of ["scroll", "resize"]) window.removeEventListener(name, close);
  return dialog.returnValue;
}

export class Board {
  /**
   * `rules` says what may be done: `targets(from)` gives the squares a piece may move to (null: it cannot be
   * taken up), `move(from, to)` plays it, `illegal(from, to)` says that it cannot be played,
   * `blocked(square)` says that a piece cannot move, `click(square)` handles a click itself if it returns true, `remove(square)` takes a piece off the board, and
   * `draw(shape)` draws an arrow or a circle or removes it (null: removes all).
   */
  constructor(rules) {
    this.rules = rules;
    this.pieces = {};
    this.selected = null;
    this.focused = "e2";
    this.isPointed = false;
    this.arrowFrom = null;
    this.flipped = false;
    this.last = [];
    this.buttons = {};
    this.table = element("board");
    this.build();
    this.table.addEventListener("click", (event) => this.onClick(event));
    this.table.addEventListener("keydown", (event) => this.onKey(event));
    this.table.addEventListener("pointerdown", (event) => this.onPointer(event));
    this.table.addEventListener("contextmenu", (event) => event.preventDefault());
    document.addEventListener("keydown", ({ key }) => { if (key === "Tab") this.isPointed = false; }, true);
    for (const name of ["pointerover", "focusin"]) {
      this.table.addEventListener(name, ({ target }) => this.tell(target.closest("button")?.dataset.square));
    }
    this.table.addEventListener("focusin", ({ target }) => { this.focused = target.dataset.square ?? this.focused; });
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
  show(pieces, flipped, last = [], marks = "") {
    const hadFocus = this.table.contains(document.activeElement);
    if (flipped !== this.flipped) {
      this.flipped = flipped;
      this.build();
    }
    const isMove = last[1] && last.join() !== this.last.join() && this.pieces[last[0]] && this.pieces[last[0]] === pieces[last[1]];
    Object.assign(this, { pieces, last });
    for (const button of Object.values(this.buttons)) delete button.parentElement.dataset.marks;
    if (marks) this.buttons[last[1]].parentElement.dataset.marks = marks;
    if (this.selected && !(pieces[this.selected] && this.rules.targets(this.selected))) this.selected = null;
    this.paint();
    if (isMove) this.slide(last);
    if (hadFocus) this.buttons[this.focused].focus();
  }

  /** Slides the piece of a move to its square, unless the user wants no motion or has moved it by hand. */
  slide([from, to]) {
    if (this.isDropped || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const [here, there] = [from, to].map((square) => this.buttons[square].getBoundingClientRect());
    const transform = `translate(${here.x - there.x}px, ${here.y - there.y}px)`;
    this.buttons[to].firstChild?.animate([{ transform }, { transform: "none" }], { duration: SLIDE, easing: "ease-out" });
  }

  paint() {
    const targets = this.selected ? this.rules.targets(this.selected) ?? [] : [];
    for (const [square, button] of Object.entries(this.buttons)) {
      const piece = this.pieces[square];
      const marks = { target: targets.includes(square), selected: square === this.selected, last: this.last.includes(square) };
      const isMovable = Boolean(piece && this.rules.targets(square));
      // Most squares stay as they are.
      const painted = JSON.stringify([piece, marks, isMovable, square === this.focused]);
      if (button.painted === painted) continue;
      button.painted = painted;
      if (button.dataset.piece !== (piece ?? "")) {
        button.dataset.piece = piece ?? "";
        button.replaceChildren(...(piece ? [picture(piece)] : []));
      }
      const words = [square, piece ? pieceName(piece) : "empty"];
      if (marks.selected) words.push("selected");
      if (marks.target) words.push("possible target");
      button.setAttribute("aria-label", words.join(", "));
      button.classList.toggle("movable", isMovable);
      button.tabIndex = square === this.focused ? 0 : -1;
      for (const [mark, isOn] of Object.entries(marks)) button.parentElement.classList.toggle(mark, isOn);
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
      // A click that does nothing else clears the drawings.
      if (!from && !isOther) this.rules.draw(null);
      this.select(isOther ? square : null);
    }
  }

  onClick(event) {
    const square = event.target.closest("button")?.dataset.square;
    if (!square || this.dragged) return;
    this.focused = square;
    this.choose(square);
  }

  /** Lists what a term has measured on a square, in the place of what it says of all; it stays until another square. */
  tell(square) {
    const lines = this.measured?.get(square)?.split("\n") ?? [];
    element("measured").replaceChildren(...lines.map((line) => make("li", {}, line)));
  }

  /** An arrow or a circle by keyboard: C marks a square, A begins an arrow and ends it. */
  drawByKey(key) {
    if (key === "c") this.rules.draw(`G${this.focused}`);
    else if (!this.arrowFrom) this.arrowFrom = this.focused;
    else {
      if (this.arrowFrom !== this.focused) this.rules.draw(`G${this.arrowFrom}${this.focused}`);
      this.arrowFrom = null;
    }
  }

  /** An arrow or a circle with the right button; Shift draws in red, Alt in blue. */
  onDraw(event, from) {
    const colour = event.shiftKey ? "R" : event.altKey ? "B" : "G";
    const end = (at) => {
      const to = document.elementFromPoint(at.clientX, at.clientY)?.closest("#board button")?.dataset.square;
      if (to) this.rules.draw(colour + from + (to === from ? "" : to));
    };
    window.addEventListener("pointerup", end, { once: true });
  }

  onKey(event) {
    const turn = this.flipped ? -1 : 1;
    const steps = { ArrowLeft: [-turn, 0], ArrowRight: [turn, 0], ArrowUp: [0, turn], ArrowDown: [0, -turn] };
    if (event.key === "Escape") { this.arrowFrom = null; return this.select(null); }
    if ((event.key === "c" || event.key === "a") && !event.ctrlKey && !event.metaKey) return this.drawByKey(event.key);
    // After a click with the mouse the arrows go through the game, after Tab or Enter from square to square.
    if (event.key === "Enter" || event.key === " ") this.isPointed = false;
    if (this.isPointed) return;
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
    this.isPointed = true;
    if (from && event.button === 2) this.onDraw(event, from);
    if (!from || event.button !== 0 || !this.pieces[from]) return;
    if (!this.rules.targets(from)) return this.rules.blocked(from);
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
      else if (to !== from && this.rules.targets(from)?.includes(to)) {
        this.isDropped = true;
        this.rules.move(from, to);
        this.isDropped = false;
      }
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
    for (const button of Object.values(this.buttons)) button.classList.remove("numbered");
    for (const text of element("over").querySelectorAll("text")) {
      const [left, top, width] = text.ownerSVGElement.getAttribute("viewBox").split(" ").map(Number);
      const [column, row] = [text.getAttribute("x") - left, text.getAttribute("y") - top - 1].map((at) => Math.floor((8 * at) / width));
      this.table.rows[row]?.cells[column]?.firstChild.classList.add("numbered");
    }
    const titles = [...element("over").querySelectorAll("title")].map(({ textContent }) => textContent);
    this.measured = new Map(titles.map((text) => [text.slice(0, 2), text]));
    element("drawing").hidden = !layers;
    element("legend").textContent = layers ? LEGEND : "";
    this.tell(this.table.contains(document.activeElement) ? this.focused : null);
    element("notes").replaceChildren(...(layers?.notes ?? []).map((note) => make("li", {}, note)));
  }
}
