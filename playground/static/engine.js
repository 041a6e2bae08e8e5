// The engine in the page: it answers at once in this thread, and searches in threads of its own.

const partOf = (id) => document.getElementById(id).textContent;

/** The compiled engine, and the engine of this thread. */
let module = null;
let engine = null;

function startEngine() {
  const { initSync, Engine } = new Function(`${partOf("bindings")}; return wasm_bindgen;`)();
  initSync({ module });
  engine = new Engine();
}

/** Waits until the engine is compiled. */
export async function initEngine() {
  module = await compiled;
  startEngine();
}

/** An answer, or the problem that it names as an error with a sentence. */
function readAnswer(text) {
  const answer = JSON.parse(text);
  if (!answer.problem) return answer;
  const { problem } = answer;
  throw new Error(problem[0].toUpperCase() + problem.slice(1) + (/[.!?]$/.test(problem) ? "" : "."));
}

const FAILED = "The engine has failed at this; please report how it came about.";

/** The answer to a request. What takes longer than a frame is asked of a thread. */
export function ask(name, request = null) {
  try {
    return readAnswer(engine.answer(name, JSON.stringify(request)));
  } catch (error) {
    if (!(error instanceof WebAssembly.RuntimeError)) throw error;
    startEngine();
    throw new Error(FAILED);
  }
}

/** A thread that answers one request after the other. */
class Thread {
  #worker = null;
  #asked = [];

  /** The answer to a request, null if it is stopped before. `onLine` gets each line of a search. */
  ask(name, request, onLine) {
    this.#worker ??= this.#start();
    this.#worker.postMessage([name, JSON.stringify(request)]);
    return new Promise((resolve, reject) => { this.#asked.push({ resolve, reject, onLine }); });
  }

  /** Stops what is asked. A search hears nothing, so its thread ends with it. */
  stop() {
    if (!this.#asked.length) return;
    this.#worker.terminate();
    this.#worker = null;
    for (const { resolve } of this.#asked.splice(0)) resolve(null);
  }

  #start() {
    const address = URL.createObjectURL(new Blob([partOf("bindings"), partOf("worker")], { type: "text/javascript" }));
    const worker = new Worker(address);
    URL.revokeObjectURL(address);
    worker.postMessage(module);
    worker.addEventListener("message", ({ data: { line, answer } }) => {
      if (line) return this.#asked[0].onLine(JSON.parse(line));
      const { resolve, reject } = this.#asked.shift();
      try {
        return resolve(readAnswer(answer));
      } catch (error) {
        return reject(error);
      }
    });
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      worker.terminate();
      this.#worker = null;
      for (const { reject } of this.#asked.splice(0)) reject(new Error(FAILED));
    });
    return worker;
  }
}

/** What runs beside the page: the search, the verdict of the coach, the moves of the engine, and other work. */
export const threads = { search: new Thread(), coach: new Thread(), play: new Thread(), work: new Thread() };
