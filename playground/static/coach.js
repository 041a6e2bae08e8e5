// The coach's verdict on the position: the reasons by theme, what is threatened, the best move and a tempting mistake.

import { post } from "./api.js";
import { showBar } from "./board.js";
import { fillRow } from "./moves.js";
import { element, isVeiled, make, request, sideOf, signed, state } from "./state.js";

/** Who moves through a game needs no verdict on each position: the coach waits, in milliseconds. */
const PAUSE = 250;

/** The value of a move: pawns, or moves to mate. */
const figureOf = ({ pawns, mate }) => (pawns === undefined ? `#${mate}` : signed(pawns));

let running = null;
let timer = 0;

/** Drops the question about the position before. What was said of it is hidden and keeps its place: the page does not jump. */
export function stopCoach() {
  running?.abort();
  running = null;
  clearTimeout(timer);
  element("coach").setAttribute("aria-busy", "true");
  element("verdict").textContent = "The coach is looking …";
}

/** Asks for the verdict on the position that is shown. The board does not wait for it. */
export function startCoach() {
  stopCoach();
  const own = new AbortController();
  running = own;
  const waits = state.settingUp ? "The coach waits for the position."
    : isVeiled() ? "The coach waits until you ask."
      : state.lesson ? "In a lesson the coach speaks when you ask for a hint." : "";
  element("coach").setAttribute("aria-busy", String(!waits));
  if (waits) return show({ verdict: waits, reasons: [] });
  timer = setTimeout(async () => {
    try {
      const answer = await post("/api/assess", request(), own.signal);
      if (own === running) show(answer);
    } catch (error) {
      if (own === running && error.name !== "AbortError") show({ verdict: error.message, reasons: [] });
    }
    if (own === running) element("coach").setAttribute("aria-busy", "false");
  }, PAUSE);
}

function show({ verdict, reasons, threat, best, mistake, expected }) {
  element("verdict").textContent = verdict;
  element("reasons").replaceChildren(...reasons.map(({ theme, pawns, sentence }) => make("li", {},
    make("span", { class: `value ${sideOf(pawns)}` }, signed(pawns)),
    make("span", {}, make("span", { class: "theme" }, theme), " ", sentence))));
  const advice = [];
  if (threat) advice.push(make("p", {}, make("strong", {}, "Threat: "), threat));
  for (const [name, move] of [["Best", best], ["A tempting mistake", mistake]]) {
    if (!move) continue;
    const row = make("span", { class: "row-of-moves" });
    fillRow(row, move.san.split(" "), move.moves);
    const head = make("strong", {}, `${name}: ${move.move} (${figureOf(move)}). `);
    advice.push(make("div", { class: "advice" }, make("p", {}, head, move.sentences.join(" ")), row));
  }
  element("advice").replaceChildren(...advice);
  // A search that runs knows better.
  if (best && !state.searching) showBar(expected, figureOf(best));
}
