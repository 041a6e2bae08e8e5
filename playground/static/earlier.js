// What the browser keeps: texts of the editor that something else has replaced, the lessons that are done, and the address of the last visit.

import { isText } from "tropism/state";

const TEXTS = { key: "tropism.texts", most: 30, isOne: (kept) => isText(kept?.text) };
const LAST = { key: "tropism.last", most: 1, isOne: isText };
const DONE = { key: "tropism.lessons", most: 100, isOne: isText };

function readList({ key, isOne }) {
  try {
    const list = JSON.parse(localStorage.getItem(key));
    return Array.isArray(list) ? list.filter(isOne) : [];
  } catch {
    return [];
  }
}

function writeList({ key, most }, list) {
  for (let count = most; count; count >>= 1) {
    try {
      return localStorage.setItem(key, JSON.stringify(list.slice(0, count)));
    } catch {
      // A store that is full keeps fewer, one that is forbidden nothing; the page works without it.
    }
  }
  return undefined;
}

/** Keeps a text of the editor. */
export function keepText(text) {
  if (!text.trim()) return;
  writeList(TEXTS, [{ text, time: Date.now() }, ...readList(TEXTS).filter((kept) => kept.text !== text)]);
}

/** The texts that were kept, `{ text, time }`, the latest first. */
export const earlierTexts = () => readList(TEXTS);

/** Keeps the address of what the user has done last. */
export const keepLastAddress = (address) => writeList(LAST, [address]);

/** The address that the last visit has left. */
export const lastAddress = () => readList(LAST)[0];

/** Keeps that a lesson is done. */
export const keepDone = (name) => writeList(DONE, [...new Set([name, ...doneLessons()])]);

/** The names of the lessons that are done. */
export const doneLessons = () => readList(DONE);
