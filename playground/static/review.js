// The review of the game: a graph of the evaluation, and the mistakes.

import { svgNode } from "tropism/board";
import { threads } from "tropism/engine";
import { element, make, percents, say, state } from "tropism/state";
import { endOf, pathOf } from "tropism/tree";

const NAGS = { "!": 1, "?": 2, "!!": 3, "??": 4, "?!": 6 };
const MARK_NAMES = { "!": "good", "!!": "brilliant", "?!": "inaccuracy", "?": "mistake", "??": "blunder" };

/** The last review: the moves that it is about, and what the coach said. */
let review = null;
let visit = () => {};
let marked = () => {};

const mainLine = () => pathOf(endOf(state.tree));
const keyOf = (line) => [state.start, ...line.map(({ uci }) => uci)].join(" ");

/** `goTo(node)` goes to a position, `onChange()` shows new marks. */
export function initReview(goTo, onChange) {
  visit = goTo;
  marked = onChange;
  element("review").addEventListener("click", study);
  element("graph").addEventListener("click", (event) => {
    const { left, width } = element("graph").getBoundingClientRect();
    const line = mainLine();
    const index = Math.round(((event.clientX - left) / width) * line.length);
    visit(line[index - 1] ?? state.tree);
  });
}

async function study() {
  const line = mainLine();
  const key = keyOf(line);
  element("review-says").textContent = line.length ? "The coach reads the game …" : "There are no moves yet.";
  if (!line.length) return;
  try {
    const body = { start: state.start, moves: line.map(({ uci }) => uci), engine: state.goodText, percents: percents() };
    const { values, moves, summary } = await threads.work.ask("review", body);
    review = { key, values, moves, summary };
    line.forEach((node, index) => {
      const { mark } = moves[index];
      if (mark && !node.nags.length) node.nags = [NAGS[mark]];
    });
    marked();
  } catch (error) {
    element("review-says").textContent = error.message;
  }
}

/** Shows the graph, if the game is still the one that was reviewed. */
export function showReview() {
  const line = mainLine();
  const isCurrent = review?.key === keyOf(line);
  element("graph-box").hidden = !isCurrent;
  say("review-says", isCurrent ? review.summary.join(" ") : "A graph of the evaluation, and the mistakes of the main line.");
  if (!isCurrent) return;
  const height = (index) => 100 * (1 - review.values[index].expected);
  const points = review.values.map((_, index) => `${index},${height(index).toFixed(1)}`);
  const svg = svgNode("svg", { viewBox: `0 0 ${line.length} 100`, preserveAspectRatio: "none", "aria-hidden": "true" });
  svg.append(svgNode("polygon", { points: `0,100 ${points.join(" ")} ${line.length},100` }),
    svgNode("line", { class: "middle", x1: 0, y1: 50, x2: line.length, y2: 50 }));
  review.moves.forEach(({ mark }, index) => {
    if (mark) svg.append(svgNode("line", { class: MARK_NAMES[mark], x1: index + 1, y1: 0, x2: index + 1, y2: 100 }));
  });
  const here = line.indexOf(state.node) + 1;
  svg.append(svgNode("line", { class: "here", x1: here, y1: 0, x2: here, y2: 100 }));
  element("graph").replaceChildren(svg);
  const moments = review.moves.flatMap(({ move, mark, says }, index) => {
    if (!mark) return [];
    const button = make("button", { type: "button" }, `${move}${mark}`);
    button.addEventListener("click", () => visit(line[index]));
    return [make("li", {}, button, ` ${says.join(" ")}`)];
  });
  element("mistakes").replaceChildren(...(moments.length ? moments : [make("li", {}, "No mistakes were found.")]));
}
