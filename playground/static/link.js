// Links: the state in the fragment of the address, compressed. No web host ever sees a fragment.

import { ask } from "tropism/engine";
import { PANELS } from "tropism/panels";
import { setupFen } from "tropism/setup";
import { START, isText, resetPercents, state } from "tropism/state";
import { isPlain, lineOf, newTree, resultOf } from "tropism/tree";

const MARK = "#p=";

/** The state as a fragment, or only the position without the game. A shipped engine file is only named. */
export function fragment(examples, isPosition = false) {
  const example = examples.find(({ text }) => text === state.text)?.name;
  const kept = {
    s: isPosition ? state.game.fen : state.start === START ? undefined : state.start,
    m: state.moves.length && !isPosition ? state.moves.join(" ") : undefined,
    t: isPosition || isPlain(state.tree, state.node) ? undefined : { line: lineOf(state.tree), tags: state.tree.tags, result: resultOf(state.tree) },
    q: state.task || undefined,
    c: state.lines > 1 ? state.lines : undefined,
    x: example,
    e: example ? undefined : state.text,
    d: state.goodText === state.text ? undefined : state.goodText,
    p: Object.fromEntries(state.percents),
    o: [...state.off],
    k: state.picked ?? undefined,
    f: state.flipped || undefined,
    w: state.players,
    a: state.searching || undefined,
    l: state.lesson ?? undefined,
    g: isPosition ? undefined : state.guide ?? undefined,
    b: isPosition ? undefined : state.before ?? undefined,
    v: state.panel,
    u: state.settingUp && !isPosition ? setupFen() : undefined,
  };
  return MARK + ask("pack", kept).packed;
}

/** The strengths of the engine. */
export const LEVELS = [0, 3, 6, 9, 12, 15, 18, 20];

/** Takes percentages as they are kept. */
export function takePercents(percents, off) {
  resetPercents();
  for (const [term, percent] of Object.entries(percents ?? {})) {
    if (Number.isInteger(percent) && percent >= 0 && percent <= 400) state.percents.set(term, percent);
  }
  for (const term of Array.isArray(off) ? off : []) if (isText(term)) state.off.add(term);
}

/** Reads the fragment of the address into the state, and returns its game; null without a fragment. */
export function readFragment(examples) {
  if (!location.hash.startsWith(MARK)) return null;
  const { state: kept } = ask("unpack", location.hash.slice(MARK.length).replace(/[^\w-]+$/, ""));
  const example = examples.find(({ name }) => name === kept.x);
  state.text = isText(kept.e) ? kept.e : (example ?? examples[0]).text;
  state.goodText = isText(kept.d) ? kept.d : state.text;
  takePercents(kept.p, kept.o);
  state.picked = isText(kept.k) ? kept.k : null;
  state.flipped = kept.f === true;
  for (const side of ["white", "black"]) {
    const level = kept.w?.[side];
    state.players[side] = LEVELS.some((known) => String(known) === level) ? level : "you";
  }
  state.panel = PANELS.includes(kept.v) ? kept.v : PANELS[0];
  state.searching = kept.a === true;
  state.lines = [2, 3, 4, 5].includes(kept.c) ? kept.c : 1;
  state.task = isText(kept.q) ? kept.q : "";
  state.revealed = false;
  const { ending, best, defend } = kept.l ?? {};
  state.lesson = isText(ending)
    ? { ending, defend: defend === true, best: Number.isInteger(best) && best >= 0 ? best : null } : null;
  state.guide = Number.isInteger(kept.g) ? kept.g : null;
  state.before = isText(kept.b?.text) && isText(kept.b.goodText) ? kept.b : null;
  const start = isText(kept.s) ? kept.s : START;
  const setup = /^[1-8KQRBNPkqrbnp/]+ [wb] [KQkq-]+ /.test(kept.u) ? kept.u : null;
  return { start, moves: isText(kept.m) ? kept.m.split(" ") : [], tree: newTree(start, kept.t), setup };
}
