// What the browser keeps: games of this tab and texts of the editor that something else has replaced, and lessons.

import { isText } from "tropism/state";

const GAMES = { store: "sessionStorage", key: "tropism.games", most: 50, isOne: (game) => isText(game?.start) && Array.isArray(game.moves) };
const TEXTS = { store: "localStorage", key: "tropism.texts", most: 30, isOne: (kept) => isText(kept?.text) };

function read({ store, key, isOne }) {
  try {
    const list = JSON.parse(window[store].getItem(key));
    return Array.isArray(list) ? list.filter(isOne) : [];
  } catch {
    return [];
  }
}

function write({ store, key, most }, list) {
  for (let count = most; count; count >>= 1) {
    try {
      return window[store].setItem(key, JSON.stringify(list.slice(0, count)));
    } catch {
      // A store that is full keeps fewer, one that is forbidden nothing; the page works without it.
    }
  }
  return undefined;
}

const LESSONS = { store: "localStorage", key: "tropism.lessons", most: 100, isOne: isText };

const keyOf = ({ start, line, tags, result }) => JSON.stringify([start, line, tags, result]);
const isSame = (one, other) => keyOf(one) === keyOf(other);

/** The games that were kept; no other tab changes them. */
let games = read(GAMES);

/** Keeps a game, `{ start, moves, line, tags, result }`, before another one replaces it; as the last one of all if `isLast`. */
export function keepGame(kept, isLast) {
  const others = games.filter((game) => !isSame(game, kept)).slice(0, GAMES.most - 1);
  games = isLast ? [...others, kept] : [kept, ...others];
  write(GAMES, games);
}

/** The latest game that is not `current`. */
export const earlierGame = (current) => games.find((game) => !isSame(game, current));

/** Keeps a text of the editor. */
export function keepText(text) {
  if (!text.trim()) return;
  write(TEXTS, [{ text, time: Date.now() }, ...read(TEXTS).filter((kept) => kept.text !== text)]);
}

/** The texts that were kept, `{ text, time }`, the latest first. */
export const earlierTexts = () => read(TEXTS);

/** Keeps that a lesson is done. */
export const keepDone = (name) => write(LESSONS, [...new Set([name, ...doneLessons()])]);

/** The names of the lessons that are done. */
export const doneLessons = () => read(LESSONS);
