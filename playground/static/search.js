// The search beside the board: its best lines while it runs.

import { drawArrows, showBar } from "tropism/board";
import { threads } from "tropism/engine";
import { fillRow } from "tropism/moves";
import { element, isVeiled, make, request, state } from "tropism/state";
import { numberOf } from "tropism/tree";

/** What is searched, or why nothing is: a search whose position and engine have not changed goes on. */
let searched = "";
/** The lines that are not shown yet, by their numbers: many arrive within a frame. */
const lines = new Map();

/** Searches the position on the board, unless that is done already. */
export function startSearch() {
  const body = { ...request(), lines: state.lines };
  const off = !state.searching || isVeiled() ? "The best lines appear here."
    : state.settingUp || state.game.outcome ? "There is nothing to search."
      : document.hidden ? "The search goes on when the page is in sight." : "";
  const next = off ? [off, body.start, ...body.moves].join() : JSON.stringify(body);
  if (next === searched) return;
  searched = next;
  threads.search.stop();
  lines.clear();
  drawArrows("best", []);
  for (const id of ["score", "depth", "nodes", "nps"]) element(id).textContent = "–";
  element("lines").replaceChildren();
  const say = (text) => { element("search-says").textContent = text; };
  say(off || "Searching …");
  if (off) return;
  const take = (line) => {
    if (next !== searched) return;
    if (!lines.size) requestAnimationFrame(showLines);
    lines.set(line.number, line);
  };
  // The board is painted first: a search takes a core.
  requestAnimationFrame(() => setTimeout(() => {
    if (next !== searched) return;
    threads.search.ask("search", body, take).catch(({ message }) => { if (next === searched) say(message); });
  }));
}

function showLines() {
  lines.forEach(showLine);
  lines.clear();
}

function showLine({ number, score, expected, depth, nodes, nps, moves }) {
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
