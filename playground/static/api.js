// Requests to the server of this page.

import { lost } from "./state.js";

/** The time to the next try when the server does not answer, in milliseconds. */
const RETRY = 1000;
/** How often a server that is busy is asked. */
const TRIES = 10;

/** Sends a request until the server answers: it may be away for a while. */
async function send(path, options) {
  for (;;) {
    try {
      const response = await fetch(path, options);
      lost(false);
      return response;
    } catch (error) {
      // A lost connection is a TypeError; an abort is none.
      if (error.name !== "TypeError") throw error;
      lost(true);
      await new Promise((resolve) => { setTimeout(resolve, RETRY); });
    }
  }
}

const json = (body, signal, accept = "application/json") => ({
  method: "POST",
  headers: { "Content-Type": "application/json", Accept: accept },
  body: JSON.stringify(body),
  signal,
});

/** Sends JSON and returns the answer; throws an Error with a sentence. A server that is busy is asked again a few times. */
export async function post(path, body, signal) {
  for (let tries = 1; ; tries++) {
    const response = await send(path, json(body, signal));
    if (response.status !== 503 || tries === TRIES) return answerOf(response);
    await new Promise((resolve) => { setTimeout(resolve, RETRY); });
  }
}

/** A problem as an error with a sentence. */
const errorOf = (text) => new Error(text[0].toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? "" : "."));

/** The answer, or the problem that it names. */
async function answerOf(response) {
  const answer = await response.json().catch(() => ({}));
  if (answer.problem || !response.ok) {
    const error = errorOf(answer.problem ?? `The server answered ${response.status}`);
    throw Object.assign(error, { isBusy: response.status === 503, isRefusal: response.ok });
  }
  return answer;
}

export async function get(path) {
  const response = await send(path);
  if (!response.ok) throw new Error(`The server answered ${response.status}.`);
  return response;
}

/** Reads server-sent events until the stream ends. `take` gets those that arrive together, each `{ name, data }`. */
export async function listen(path, body, signal, take) {
  const response = await send(path, json(body, signal, "text/event-stream"));
  if (!response.headers.get("Content-Type")?.startsWith("text/event-stream")) await answerOf(response);
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const parts = (rest + decoder.decode(value, { stream: true })).split("\n\n");
    rest = parts.pop();
    const field = (part, name) => part.split("\n").find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
    const events = parts.filter((part) => field(part, "data")).map((part) => ({ name: field(part, "event"), data: JSON.parse(field(part, "data")) }));
    take(events);
    const wrong = events.find(({ name }) => name === "problem");
    if (wrong) throw errorOf(wrong.data.problem);
  }
}
