// The tree of a game: a main line and its variations, with comments, marks and drawings; in PGN and for links.

import { isText } from "tropism/state";

const MARKS = { 1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!" };
const WIDTH = 80;

/** Counts the changes of all trees, so that a list of moves knows when it is old. */
export let changes = 0;
export const touch = () => changes++;

const listOf = (value, isOne) => (Array.isArray(value) ? value.filter(isOne) : []);

/**
 * A node is the position after a move; `after` is its FEN, where that is known. The drawings of a comment,
 * `[%cal Ge2e4]` and `[%csl Ge4]`, are kept apart.
 */
function node(parent, { uci = "", san = "", after, nags, comments } = {}) {
  const made = { parent, ply: parent ? parent.ply + 1 : 0, uci, san, after: isText(after) ? after : "", nags: listOf(nags, Number.isInteger), comments: [], shapes: [], children: [] };
  addComments(made, comments);
  return made;
}

function addComments(to, comments) {
  for (const comment of listOf(comments, isText)) {
    const rest = comment.replace(/\[%c[as]l ([\w,]*)\]/g, (_, shapes) => {
      to.shapes.push(...shapes.split(",").filter((shape) => /^[GRYB]([a-h][1-8])(?!\1)([a-h][1-8])?$/.test(shape)));
      return "";
    }).trim();
    if (rest) to.comments.push(rest);
  }
}

/** A tree without moves. `tags` are those of a PGN. */
export function newTree(start, { tags, result, line } = {}) {
  const pairs = listOf(tags, (tag) => Array.isArray(tag) && tag.length === 2 && tag.every(isText));
  const root = { ...node(null, { after: start }), start, tags: pairs, result: isText(result) ? result : "*" };
  if (line) grow(root, line);
  root.ended = endOf(root);
  touch();
  return root;
}

/** The result of a game, which belongs to one end of the main line. */
export const resultOf = (root) => (endOf(root) === root.ended ? root.result : "*");

function child(parent, move) {
  const known = parent.children.find(({ uci }) => uci === move.uci);
  if (known) {
    addComments(known, move.comments);
    // A link may name a move wrongly; the engine does not.
    if (isText(move.after)) Object.assign(known, { after: move.after, san: move.san });
    return known;
  }
  parent.children.push(node(parent, move));
  touch();
  return parent.children.at(-1);
}

/** Adds a line as the engine reads it from PGN. */
function grow(parent, line) {
  const isMove = ({ uci, san } = {}) => isText(uci) && isText(san);
  const [first] = listOf(line.moves, isMove);
  addComments(parent.parent && first ? walk(parent, [first]) : parent, line.comments);
  let at = parent;
  for (const move of listOf(line.moves, isMove)) {
    const next = child(at, move);
    if (!next.nags.length) next.nags = [...new Set(listOf(move.nags, Number.isInteger))];
    for (const variation of listOf(move.variations, (one) => typeof one === "object")) grow(at, variation);
    at = next;
  }
}

/** The nodes from the first move to this one. */
export function pathOf(at) {
  const path = [];
  for (; at?.parent; at = at.parent) path.push(at);
  return path.reverse();
}

/** The node after these moves, `{ uci, san, after }`. A move that is new starts a variation. */
export const walk = (root, moves) => moves.reduce((at, { uci, san, after }) => child(at, { uci, san, after }), root);

/** The last node of the line that goes on from here. */
export function endOf(at) {
  while (at.children.length) [at] = at.children;
  return at;
}

/** Takes a node and all that follows out of the tree; returns the one before. */
export function remove({ parent, uci }) {
  parent.children = parent.children.filter((other) => other.uci !== uci);
  touch();
  return parent;
}

/** Makes the line to this node the main line. */
export function promote(at) {
  for (const one of pathOf(at)) one.parent.children.sort((a, b) => Number(b === one) - Number(a === one));
  touch();
}

/** The comments of a node with its drawings in the form of PGN. */
function textsOf({ comments, shapes }) {
  const drawn = (name, length) => {
    const some = shapes.filter((shape) => shape.length === length);
    return some.length ? [`[%${name} ${some.join()}]`] : [];
  };
  return [...comments, ...drawn("csl", 3), ...drawn("cal", 5)];
}

/** The line of a tree, to be kept; what `newTree` reads. */
export function lineOf(root) {
  const some = (list) => (list.length ? list : undefined);
  const movesFrom = (first, isMain) => {
    const moves = [];
    for (let at = first; at; [at] = at.children) {
      const others = at === first && !isMain ? [] : at.parent.children.slice(1);
      const variations = others.map((other) => ({ moves: movesFrom(other, false) }));
      moves.push({ uci: at.uci, san: at.san, nags: some(at.nags), comments: some(textsOf(at)), variations: some(variations) });
    }
    return moves;
  };
  return { comments: textsOf(root), moves: movesFrom(root.children[0], true) };
}

/** Whether the tree is one line without notes that ends at this node. */
export function isPlain(root, at) {
  const path = [root, ...pathOf(at)];
  return !at.children.length && !root.tags.length && resultOf(root) === "*"
    && path.every(({ children, nags, comments, shapes }) => children.length < 2 && !nags.length && !comments.length && !shapes.length);
}

/** What stands before a move: `3.`, `3...` if it is Black's and comes first, or nothing. */
export function numberOf(ply, start, isFirst) {
  const [, turn, , , , full] = start.split(" ");
  const half = ply - (turn === "b" ? 0 : 1);
  const number = (Number(full) || 1) + Math.floor(half / 2);
  return half % 2 === 0 ? `${number}.` : isFirst ? `${number}...` : "";
}

const COMMANDS = /\[%[^\]]*\]/g;

/** The comments of a node as a person reads them: without commands such as clocks. */
export const commentOf = ({ comments }) => comments.join(" ").replace(COMMANDS, "").trim();

/** Replaces what a person reads of the comments; the commands stay. */
export function setComment(to, text) {
  const commands = to.comments.join(" ").match(COMMANDS) ?? [];
  to.comments = [...commands, text].some(Boolean) ? [[...commands, text].filter(Boolean).join(" ")] : [];
}

/** The clock of a side after a node, as its comments have it; empty without one. */
export function clockOf(at, side, start) {
  const first = start.split(" ")[1];
  for (let node = at; node?.parent; node = node.parent) {
    const mover = (node.ply % 2 === 1) === (first === "w") ? "w" : "b";
    const [, clock] = mover === side ? /\[%clk ([\d:.]+)\]/.exec(node.comments.join(" ")) ?? [] : [];
    if (clock) return clock;
  }
  return "";
}

export const marksOf = ({ nags }) => nags.map((nag) => MARKS[nag] ?? "").join("");

/** The game in PGN. */
export function pgnOf(root, initial) {
  const own = ["Result", "SetUp", "FEN", "Variant"];
  const tags = root.tags.filter(([name]) => !own.includes(name));
  if (!tags.length) tags.push(["Event", "tropism playground"]);
  tags.push(["Result", resultOf(root)]);
  if (root.start !== initial) tags.push(["SetUp", "1"], ["FEN", root.start]);
  if (root.chess960) tags.push(["Variant", "Chess960"]);
  const words = [];
  const note = (at) => textsOf(at).forEach((text) => words.push(...`{${text.replaceAll("}", ")")}}`.split(/\s+/)));
  const write = (first, isMain) => {
    let isFirst = true;
    for (let at = first; at; [at] = at.children) {
      words.push(`${numberOf(at.ply, root.start, isFirst)}${at.san}`, ...at.nags.map((nag) => `$${nag}`));
      note(at);
      const others = at === first && !isMain ? [] : at.parent.children.slice(1);
      for (const other of others) {
        const begin = words.length;
        write(other, false);
        words[begin] = `(${words[begin]}`;
        words[words.length - 1] += ")";
      }
      isFirst = Boolean(others.length || at.comments.length || at.shapes.length);
    }
  };
  note(root);
  if (root.children.length) write(root.children[0], true);
  words.push(resultOf(root));
  let text = "";
  let width = WIDTH;
  for (const word of words) {
    const fits = width + 1 + word.length < WIDTH;
    text += `${fits ? " " : "\n"}${word}`;
    width = fits ? width + 1 + word.length : word.length;
  }
  const escaped = (value) => value.replace(/[\\"]/g, "\\$&");
  return `${tags.map(([name, value]) => `[${name} "${escaped(value)}"]\n`).join("")}${text}\n`;
}
