// Lessons against the perfect defender, and guided positions.

import { get, post } from "./api.js";
import { setUp } from "./setup.js";
import { announce, complain, element, make, resetPercents, state } from "./state.js";

const ENDINGS = [
  ["KQK", "Queen"],
  ["KRK", "Rook"],
  ["KBBK", "Two bishops"],
  ["KBNK", "Bishop and knight"],
  ["KPK", "King and pawn"],
];

let guides = [];
let callbacks = {};
/** Counts what the user has opened: an answer that comes after the next click is dropped. */
let opened = 0;
/** The moves of the game that the lesson's panel speaks of. */
let answered = null;
/** The user's engine before the first guide replaced it. */
let before = null;

/**
 * `show(game)` shows a game, or the present one; `use(engine)` takes an engine file, by the name of an example or
 * as text.
 */
export async function initLessons(given) {
  callbacks = given;
  element("lesson-list").append(...ENDINGS.map(([ending, name]) => {
    const button = make("button", { type: "button", "data-ending": ending }, name);
    button.addEventListener("click", () => startLesson(ending));
    return button;
  }));
  guides = (await (await get("/guides.json")).json()).guides;
  element("guide-list").append(...guides.map((guide, index) => {
    const button = make("button", { type: "button", "data-guide": String(index) }, guide.title);
    button.addEventListener("click", () => openGuide(index));
    return button;
  }));
  element("hint").addEventListener("click", hint);
  element("again").addEventListener("click", () => startLesson(state.lesson.ending));
  element("leave").addEventListener("click", () => {
    state.lesson = null;
    showLesson();
    callbacks.show();
  });
}

async function startLesson(ending) {
  announce("The defender is thinking.");
  element("status").textContent = "The defender is thinking.";
  const own = ++opened;
  try {
    const answer = await post("/api/lesson", { ending, seed: Math.floor(Math.random() * 2 ** 32) });
    if (own !== opened) return;
    leaveGuide();
    const moves = [];
    const taken = () => {
      state.lesson = { ending, best: null };
      answered = moves.join();
      state.players = { white: "you", black: "you" };
      state.flipped = false;
      setUp(false);
      showLesson(answer);
    };
    await callbacks.show({ start: answer.start, moves, taken });
    element("board-box").scrollIntoView({ block: "nearest" });
  } catch (error) {
    complain(error.message);
  }
}

/**
 * After a move of the user, or after a reload: plays the defender's reply and shows what the move cost. Returns
 * whether there was a reply.
 */
export async function continueLesson() {
  const { lesson, moves } = state;
  if (!lesson || answered === moves.join()) return false;
  answered = moves.join();
  const answer = await post("/api/lesson", {
    ending: lesson.ending, best: lesson.best, game: { start: state.start, moves: state.moves },
  });
  // The user may have left or undone meanwhile.
  if (state.lesson !== lesson || state.moves !== moves) return false;
  lesson.best = answer.best;
  if (answer.reply) {
    state.moves = [...moves, answer.reply.uci];
    answered = state.moves.join();
    announce(`${answer.cost ?? ""} Black answers ${answer.reply.san}.`);
  }
  showLesson(answer);
  return Boolean(answer.reply);
}

/** Shows the lesson; without one, hides it. */
export function showLesson(answer) {
  const { lesson } = state;
  if (!answer) answered = null;
  element("lesson").hidden = !lesson;
  for (const button of element("lesson-list").children) {
    button.setAttribute("aria-pressed", String(button.dataset.ending === lesson?.ending));
  }
  if (!lesson || !answer) return;
  element("lesson-name").textContent = `${ENDINGS.find(([ending]) => ending === lesson.ending)?.[1]}: mate Black`;
  element("way").value = answer.share;
  element("way").textContent = `${Math.round(answer.share * 100)} %`;
  element("way-number").textContent = answer.won ? "mate" : `${answer.to_mate ?? "none, the win is gone"}; best so far ${answer.best}`;
  const moves = answer.used === 1 ? "1 move" : `${answer.used} moves`;
  element("lesson-value").textContent = answer.won
    ? `Checkmate in ${moves}; the least was ${answer.minimum}.`
    : `${answer.value}. You have played ${moves}; the least from the start is ${answer.minimum}.`;
  element("lesson-cost").textContent = [answer.cost, answer.won ? "" : answer.result].filter(Boolean).join(" ");
  element("hints").replaceChildren();
}

async function hint() {
  const { lesson } = state;
  const game = { start: state.start, moves: state.moves };
  try {
    const { lines } = await post("/api/hint", { ending: lesson.ending, game });
    element("hints").replaceChildren(...lines.map((line) => make("li", {}, line)));
  } catch (error) {
    complain(error.message);
  }
}

/** Opens a guided position. */
async function openGuide(index) {
  const guide = guides[index];
  opened++;
  if (state.guide === null) {
    before = { text: state.text, percents: [...state.percents], off: [...state.off], picked: state.picked };
  }
  state.guide = index;
  resetPercents();
  state.picked = guide.picked;
  callbacks.use(guide.engine);
  const taken = () => {
    state.lesson = null;
    state.flipped = false;
    state.players = { white: "you", black: "you" };
    setUp(false);
    showLesson();
    showGuide();
  };
  await callbacks.show({ start: guide.start, moves: [], taken });
  element("board-box").scrollIntoView({ block: "nearest" });
}

/** Closes the guide, if one is open. The user's engine comes back, unless the text of the guide has been changed. */
export function leaveGuide() {
  const guide = guides[state.guide];
  state.guide = null;
  showGuide();
  if (!guide || !before) return false;
  callbacks.restore(guide.engine, before);
  before = null;
  return true;
}

/** Shows the text of the guided position that is open. */
export function showGuide() {
  const guide = guides[state.guide];
  element("guide").hidden = !guide;
  for (const button of element("guide-list").children) {
    button.setAttribute("aria-pressed", String(Number(button.dataset.guide) === state.guide));
  }
  if (!guide) return;
  element("guide-name").textContent = guide.title;
  element("guide-text").replaceChildren(...guide.text.map((text) => make("p", {}, text)));
  element("guide-try").replaceChildren(make("strong", {}, "Try: "), guide.try);
}
