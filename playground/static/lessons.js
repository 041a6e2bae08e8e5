// Lessons against the perfect defender, and guided positions.

import { drawArrows } from "tropism/board";
import { doneLessons, keepDone } from "tropism/earlier";
import { threads } from "tropism/engine";
import { setUp } from "tropism/setup";
import { announce, complain, element, focusBoard, guarded, make, resetPercents, state } from "tropism/state";
import { newTree } from "tropism/tree";

/** The lessons, the easiest first: the ending, the name, and whether the user defends. */
const LESSONS = [
  ["KQK", "Queen", false],
  ["KRK", "Rook", false],
  ["KPK", "King and pawn", false],
  ["KBBK", "Two bishops", false],
  ["KBNK", "Bishop and knight", false],
  ["KPK", "Defend against a pawn", true],
];

let guides = [];
let callbacks = {};
/** The moves of the game that the lesson's panel speaks of. */
let answered = null;

/**
 * `show(game)` shows a game, or the present one; `use(engine)` takes an engine file, by the name of an example or
 * as text.
 */
export function initLessons(given) {
  callbacks = given;
  element("lesson-list").append(...LESSONS.map(([ending, name, defend]) => {
    const button = make("button", { type: "button", "data-ending": defend ? `${ending}-draw` : ending }, name);
    button.addEventListener("click", () => startLesson(ending, defend));
    return make("li", {}, button);
  }));
  ({ guides } = JSON.parse(element("guides").textContent));
  element("guide-list").append(...guides.map((guide, index) => {
    const button = make("button", { type: "button", "data-guide": String(index) }, guide.title);
    button.addEventListener("click", () => openGuide(index));
    return button;
  }));
  element("hint").addEventListener("click", () => hint(({ lines }) => {
    element("hints").replaceChildren(...lines.map((line) => make("li", {}, line)));
  }));
  element("hint-arrow").addEventListener("click", () => hint(({ best }) => {
    if (!best) return;
    drawArrows("best", [`G${best.uci.slice(0, 4)}`]);
    announce(`The arrow shows ${best.san}.`);
  }));
  element("again").addEventListener("click", () => startLesson(state.lesson.ending, state.lesson.defend));
  element("close-guide").addEventListener("click", () => element("new-game").click());
  element("next-guide").addEventListener("click", () => openGuide((state.guide + 1) % guides.length));
  element("next-lesson").addEventListener("click", () => {
    const at = LESSONS.findIndex(([ending, , defend]) => ending === state.lesson.ending && defend === state.lesson.defend);
    const [ending, , defend] = LESSONS[(at + 1) % LESSONS.length];
    startLesson(ending, defend);
  });
  element("leave").addEventListener("click", () => {
    state.lesson = null;
    drawArrows("best", []);
    focusBoard();
    showLesson();
    callbacks.show();
  });
}

async function startLesson(ending, defend) {
  element("status").textContent = "The lesson is being prepared.";
  announce("The lesson is being prepared.");
  const { tree } = state;
  try {
    const answer = await threads.work.ask("lesson", { ending, defend, seed: Math.floor(Math.random() * 2 ** 32) });
    // The user has opened something else meanwhile.
    if (tree !== state.tree) return;
    leaveGuide();
    const moves = [];
    const taken = () => {
      answered = moves.join();
      enter({ lesson: { ending, defend, best: answer.best }, flipped: defend });
      focusBoard();
      showLesson(answer);
    };
    callbacks.show({ start: answer.start, moves, tree: newTree(answer.start), taken });
    element("lesson").scrollIntoView({ block: "nearest" });
  } catch (error) {
    element("status").textContent = "";
    complain(error.message);
  }
}

/** Takes the place of what was on the board before. */
function enter(changes) {
  Object.assign(state, { players: { white: "you", black: "you" }, task: "" }, changes);
  setUp(false);
}

/** After a move of the user, or after a reload: shows what the move cost, and returns the defender's reply, if there is one. */
export async function continueLesson() {
  const { lesson, moves } = state;
  if (!lesson || answered === moves.join()) return null;
  const answer = await threads.work.ask("lesson", {
    ending: lesson.ending, defend: lesson.defend, best: lesson.best, game: { start: state.start, moves: state.moves },
  });
  // The user may have left or undone meanwhile.
  if (state.lesson !== lesson || state.moves !== moves) return null;
  answered = moves.join();
  lesson.best = answer.best;
  if (answer.reply) {
    answered = [...moves, answer.reply.uci].join();
    announce(`${answer.cost ?? ""} ${lesson.defend ? "White" : "Black"} answers ${answer.reply.san}.`);
  }
  showLesson(answer);
  return answer.reply;
}

/** Shows the lesson; without one, hides it. */
export function showLesson(answer) {
  const { lesson } = state;
  if (!answer) answered = null;
  element("lesson").hidden = !lesson;
  const known = LESSONS.find(([ending, , defend]) => ending === lesson?.ending && defend === lesson.defend);
  if (answer?.won) keepDone(known[1]);
  for (const [index, button] of [...element("lesson-list").querySelectorAll("button")].entries()) {
    const [, name] = LESSONS[index];
    button.textContent = doneLessons().includes(name) ? `${name} ✓` : name;
    button.setAttribute("aria-pressed", String(name === known?.[1]));
  }
  if (!lesson || !answer || !known) return;
  const { defend } = lesson;
  element("lesson-name").textContent = `${known[1]}: ${defend ? "hold the draw with Black" : "mate Black"}`;
  element("way").value = answer.share;
  element("way").textContent = `${Math.round(answer.share * 100)} %`;
  element("way-name").textContent = defend ? "Moves to hold" : "Moves to mate";
  const left = answer.left === null ? `none, the ${defend ? "draw" : "win"} is gone` : answer.left;
  element("way-number").textContent = answer.won ? "0, done" : `${left}${defend ? "" : `; best so far ${answer.best}`}`;
  const moves = answer.used === 1 ? "1 move" : `${answer.used} moves`;
  const least = defend ? `${answer.minimum} are enough` : `the least ${answer.won ? "was" : "from the start is"} ${answer.minimum}`;
  element("lesson-value").textContent = answer.won
    ? `${defend ? "Held for" : "Checkmate in"} ${moves}; ${least}.`
    : `${answer.value}. You have played ${moves}; ${least}.`;
  element("lesson-cost").textContent = [answer.cost, answer.won || answer.cost?.includes(" is gone") ? "" : answer.result].filter(Boolean).join(" ");
  element("hints").replaceChildren();
}

/** Asks for the best move and the reasons, and gives them to `show`. */
async function hint(show) {
  const { lesson: { ending, defend }, start, moves } = state;
  await guarded(async () => {
    const answer = await threads.work.ask("hint", { ending, defend, game: { start, moves } });
    if (state.moves === moves) show(answer);
  });
}

/** Opens a guided position; at the start it is no page of its own for the back button. */
export function openGuide(index, isFromAddress = false) {
  const guide = guides[index];
  if (state.guide === null) {
    const { text, goodText, percents, off, picked } = state;
    state.before = { text, goodText, percents: Object.fromEntries(percents), off: [...off], picked };
  }
  state.guide = index;
  resetPercents();
  state.picked = guide.picked;
  callbacks.use(guide.engine);
  const taken = () => {
    enter({ lesson: null, flipped: false });
    showLesson();
    showGuide();
  };
  callbacks.show({ start: guide.start, moves: [], tree: newTree(guide.start), isFromAddress, taken });
  if (!isFromAddress) element("guide").scrollIntoView({ block: "nearest" });
}

/** Closes the guide, if one is open. The user's engine comes back, unless the text of the guide has been changed. */
export function leaveGuide() {
  const guide = guides[state.guide];
  const { before } = state;
  Object.assign(state, { guide: null, before: null });
  showGuide();
  if (guide && before) callbacks.restore(guide.engine, before);
}

/** Shows the text of the guided position that is open. */
export function showGuide() {
  const guide = guides[state.guide];
  element("guide").hidden = !guide;
  element("first-steps").hidden = state.guide !== 0;
  for (const button of element("guide-list").children) {
    button.setAttribute("aria-pressed", String(Number(button.dataset.guide) === state.guide));
  }
  if (!guide) return;
  element("guide-name").textContent = guide.title;
  element("guide-text").replaceChildren(...guide.text.map((text) => make("p", {}, text)));
  element("guide-try").textContent = guide.try;
  element("guide-positions").replaceChildren(...guide.positions.map(([name, start]) => {
    const button = make("button", { type: "button", "aria-pressed": String(state.start === start) }, name);
    button.addEventListener("click", () => {
      callbacks.show({ start, moves: [] });
      for (const other of button.parentElement.children) other.setAttribute("aria-pressed", String(other === button));
    });
    return button;
  }));
}
