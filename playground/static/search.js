// The search beside the board: its lines while it runs.

import { listen } from "./api.js";
import { element, request, state } from "./state.js";
import { markBest } from "./board.js";

let running = null;

/** Stops the search, if one runs. The server notices that nobody listens. */
export function stopSearch() {
  running?.abort();
  running = null;
}

/** Searches the position on the board. */
export async function startSearch() {
  stopSearch();
  markBest(null);
  for (const id of ["score", "depth", "nodes", "nps"]) element(id).textContent = "–";
  if (!state.searching || state.settingUp || !state.game || state.game.outcome) {
    element("line").textContent = state.searching ? "There is nothing to search." : "The best line appears here.";
    return;
  }
  const own = new AbortController();
  running = own;
  element("line").textContent = "Searching …";
  try {
    await listen("/api/search", request(), own.signal, (name, data) => {
      if (own === running && name === "line") show(data);
    });
  } catch (error) {
    if (own !== running) return;
    element("line").textContent = error.message;
    // The server has gone while it searched: the next request waits for it.
    if (error.name === "TypeError") startSearch();
  }
}

function show({ score, depth, nodes, nps, line, first }) {
  markBest(first?.uci, state.flipped);
  element("score").textContent = score;
  element("depth").textContent = depth;
  element("nodes").textContent = nodes.toLocaleString("en");
  element("nps").textContent = nps.toLocaleString("en");
  element("line").textContent = line;
}
