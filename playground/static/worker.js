
// A thread of the page: gets the compiled engine, then requests.
let engine = null;
addEventListener("message", ({ data }) => {
  if (data instanceof WebAssembly.Module) {
    wasm_bindgen.initSync({ module: data });
    engine = new wasm_bindgen.Engine();
    return;
  }
  const [name, request] = data;
  const answer = name === "search" ? engine.search(request, (line) => postMessage({ line })) : engine.answer(name, request);
  postMessage({ answer });
});
