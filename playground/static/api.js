// Requests to the server of this page.

/** Sends JSON and returns the answer; throws an Error with a sentence. */
export async function post(path, body, signal) {
  const response = await fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
    signal,
  });
  return answerOf(response);
}

/** The answer, or the problem that it names. */
async function answerOf(response) {
  const answer = await response.json().catch(() => ({}));
  if (answer.problem || !response.ok) throw new Error(answer.problem ?? `The server answered ${response.status}.`);
  return answer;
}

export async function get(path) {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`The server answered ${response.status}.`);
  return response;
}

/** Reads server-sent events until the stream ends. `event` gets the name and the data of each. */
export async function listen(path, body, signal, event) {
  const response = await fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "text/event-stream" },
    body: JSON.stringify(body),
    signal,
  });
  if (!response.headers.get("Content-Type")?.startsWith("text/event-stream")) await answerOf(response);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    rest += value;
    const parts = rest.split("\n\n");
    rest = parts.pop();
    for (const part of parts) {
      const field = (name) => part.split("\n").find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
      if (field("data")) event(field("event"), JSON.parse(field("data")));
    }
  }
}
