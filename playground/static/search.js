// The search beside the board: its best lines while it runs.

import { listen } from "./api.js";
import { drawArrows, showBar } from "./board.js";
import { fillRow } from "./moves.js";
import { element, isVeiled, make, request, state } from "./state.js";
import { numberOf } from "./tree.js";

/** The time until a busy server is asked again, in milliseconds. */
const AGAIN = 2000;

let running = null;
let timer = 0;
/** What is searched, or why nothing is: a search whose position and engine have not changed goes on. */
let subject = "";

/** Stops the search, if one runs. The server notices that nobody listens. */
export function stopSearch() {
  running?.abort();
  running = null;
  subject = "";
  clearTimeout(timer);
}

/** Searches the position on the board, unless that is done already. */
export async function startSearch() {
  const body = { ...request(), lines: state.lines };
  const off = !state.searching || isVeiled() ? "The best lines appear here."
    : state.settingUp || state.game.outcome ? "There is nothing to search." : "";
  const next = off ? [off, body.start, ...body.moves].join() : JSON.stringify(body);
  if (next === subject) return;
  stopSearch();
  subject = next;
  drawArrows("best", []);
  for (const id of ["score", "depth", "nodes", "nps"]) element(id).textContent = "–";
  element("lines").replaceChildren();
  const say = (text) => { element("search-says").textContent = text; };
  say(off || "Searching …");
  if (off) return;
  const again = () => { stopSearch(); startSearch(); };
  const own = new AbortController();
  running = own;
  try {
    let isDone = false;
    await listen("/api/search", body, own.signal, (events) => {
      if (own !== running) return;
      isDone ||= events.some(({ name }) => name === "end");
      const lines = events.filter(({ name }) => name === "line").map(({ data }) => [data.number, data]);
      // The first depths arrive together; the last of each line is shown.
      new Map(lines).forEach(show);
    });
    // A server that has gone ends its answer without a word: the next request waits for it.
    if (own === running && !isDone) again();
  } catch (error) {
    if (own !== running) return;
    say(error.message);
    if (error.name === "TypeError") again();
    else if (error.isBusy) timer = setTimeout(again, AGAIN);
  }
}

function show({ number, score, expected, depth, nodes, nps, moves }) {
  const list = element("lines");
  while (list.children.length < number) list.append(make("li", {}, make("span", { class: "value" }), make("span", { class: "row-of-moves" })));
  const [value, row] = list.children[number - 1].children;
  value.textContent = score;
  const names = moves.map(({ san }, index) => numberOf(state.node.ply + 1 + index, state.start, !index) + san);
  fillRow(row, names, moves.map(({ uci }) => uci));
  if (number > 1) return;
  element("search-says").textContent = "";
  drawArrows("best", moves.slice(0, 1).map(({ uci }) => `G${uci.slice(0, 4)}`));
  showBar(expected, score);
  element("score").textContent = score;
  element("depth").textContent = depth;
  element("nodes").textContent = nodes.toLocaleString("en");
  element("nps").textContent = nps.toLocaleString("en");
}
