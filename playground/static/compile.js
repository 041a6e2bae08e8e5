// Compiles the engine while the rest of the page is read: it stands in the page, or beside it on a web host.
const compiled = (async () => {
  const packed = document.getElementById("module").textContent.trim();
  const { body } = await fetch(packed ? `data:application/gzip;base64,${packed}` : "tropism.wasm");
  const bytes = packed ? body.pipeThrough(new DecompressionStream("gzip")) : body;
  // Some hosts do not know the type.
  return WebAssembly.compileStreaming(new Response(bytes, { headers: { "Content-Type": "application/wasm" } }));
})();
