// What the page shows: everything here survives a reload and fits into a link, except the last answers.

export const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

export const state = {
  start: START,
  moves: [],
  /** The tree of the game, and the node that the board shows. */
  tree: null,
  node: null,
  /** The text in the editor. */
  text: "",
  /** The last text without an error: it evaluates while the editor has one. */
  goodText: "",
  /** Percent of 100 of the terms that are not at 100, by name. */
  percents: new Map(),
  /** The names of the terms that are switched off. */
  off: new Set(),
  picked: null,
  flipped: false,
  players: { white: "you", black: "you" },
  searching: false,
  /** How many lines the search shows. */
  lines: 1,
  /** What a teacher asks about the position; the evaluation is hidden until it is asked for. */
  task: "",
  revealed: true,
  /** A lesson: { ending, best }. */
  lesson: null,
  /** The number of the guided position that is shown, or null. */
  guide: null,
  /** The user's engine before a guide replaced it: { text, goodText, percents, off, picked }. */
  before: null,
  settingUp: false,
  /** The panel that is open. */
  panel: "guides-panel",
  /** The text in PGN that was read last. */
  pastedText: null,
  /** What the engine says of the position. */
  game: null,
  evaluation: null,
};

export const isText = (value) => typeof value === "string";

/** The percentages in force. */
export function percents() {
  const off = [...state.off].map((term) => [term, 0]);
  return Object.fromEntries([...state.percents, ...off]);
}

/** The part of a request that names the position and the engine. */
export function request() {
  return { start: state.start, moves: state.moves, engine: state.goodText, percents: percents() };
}

/** Whether the evaluation would give a task away. */
export const isVeiled = () => Boolean(state.task) && !state.revealed;

export const element = (id) => document.getElementById(id);

/** Makes an element with attributes and children. */
export function make(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    node.setAttribute(key, value);
  }
  node.append(...children);
  return node;
}

/** Writes a text, but not again: what is read aloud would be read twice. */
export function say(id, text) {
  if (element(id).textContent !== text) element(id).textContent = text;
}

/** Says something to screen readers. */
export function announce(text) {
  element("announce").textContent = text;
}

/** All terms at 100 percent. */
export function resetPercents() {
  state.percents.clear();
  state.off.clear();
}

/** Shows why something did not work; no text hides it. */
export function complain(text = "") {
  element("problem").textContent = text;
}

/** Where the focus goes when the button that had it has gone. */
export const focusBoard = () => document.querySelector("#board [tabindex='0']").focus({ preventScroll: true });

/** Does something, and says what went wrong. */
export async function guarded(action) {
  try {
    await action();
  } catch (error) {
    complain(error.message);
  }
}

/** A value in pawns with its sign. */
export const signed = (value) => (value === 0 ? "0.00" : (value > 0 ? "+" : "") + value.toFixed(2));

/** The side that a value is good for, as a class. */
export const sideOf = (value) => (value > 0 ? "white" : value < 0 ? "black" : "level");
