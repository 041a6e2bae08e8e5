// The coach's verdict on the position: the reasons by theme, what is threatened, the best move and a tempting mistake.

import { showBar } from "tropism/board";
import { threads } from "tropism/engine";
import { fillRow } from "tropism/moves";
import { element, isVeiled, make, request, sideOf, signed, state } from "tropism/state";

/** Who moves through a game needs no verdict on each position: the coach waits, in milliseconds. */
const PAUSE = 150;

/** The value of a move: pawns, or moves to mate. */
const figureOf = ({ pawns, mate }) => (pawns === undefined ? `#${mate}` : signed(pawns));

let coachTimer = 0;
/** What the coach was asked last, or why it waits. */
let judged = "";

/** Asks for the verdict on the position that is shown, unless it is there. The board does not wait for it. */
export function startCoach() {
  const waits = state.settingUp ? "The coach waits for the position."
    : isVeiled() ? "The coach waits until you ask."
      : state.lesson ? "In a lesson the coach speaks when you ask for a hint."
        : state.panel !== "coach-panel" || document.hidden ? "The coach is not looking." : "";
  const next = waits || JSON.stringify(request());
  if (next === judged) return;
  judged = next;
  threads.coach.stop();
  clearTimeout(coachTimer);
  element("coach").setAttribute("aria-busy", String(!waits));
  if (waits) return showVerdict({ verdict: waits, reasons: [] });
  element("verdict").textContent = "The coach is looking …";
  coachTimer = setTimeout(async () => {
    const answer = await threads.coach.ask("assess", request()).catch(({ message }) => ({ verdict: message, reasons: [] }));
    if (!answer || next !== judged) return;
    showVerdict(answer);
    element("coach").setAttribute("aria-busy", "false");
  }, PAUSE);
}

function showVerdict({ verdict, reasons, threat, best, mistake, expected }) {
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
