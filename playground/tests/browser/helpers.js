// What the expressions of the tests use.
const $ = (id) => document.getElementById(id);
const one = (css) => document.querySelector(css);
const all = (css) => [...document.querySelectorAll(css)];
const count = (css) => all(css).length;
const rect = (css) => one(css).getBoundingClientRect();
const see = (id) => $(id).checkVisibility();
const has = (id, text) => $(id).textContent.includes(text);
const [text, fen, problem] = ["text", "fen", "problem"].map((id) => () => $(id).value ?? $(id).textContent);
const list = () => $("moves").textContent.replace(/\s+/g, " ").trim();
const place = (css) => (({ x, y }) => [x, y].map(Math.round).join())(rect(css));
/** What lies wider than a phone. */
const wide = () => all("main *, header *")
  .filter((e) => !e.closest("#page, #mistake pre, svg") && e.getBoundingClientRect().right > 390.5)
  .map((e) => e.id || e.className);
/** The current move, if it is in sight. */
const current = () => {
  const { x, y } = rect("#moves [aria-current]");
  const at = document.elementFromPoint(x + 5, y + 10);
  return at.ariaCurrent && at.textContent;
};
/** What a reload must not change. */
const shown = () => [
  text(), fen(), played(), $("headline").textContent, $("over").innerHTML,
  $("terms").textContent.replace(/\d+ ns.*?time/g, ""), one("#board button").dataset.square, one("[aria-selected=true]").id,
];
/** Looks so often, every 10 milliseconds, whether a value is the wanted one. Returns that and the last value. */
const until = async (value, wanted, looks) => {
  let found;
  for (let look = 0; look < looks; look += 1) {
    try { found = await value(); } catch (error) { found = String(error); }
    if (JSON.stringify(found) === JSON.stringify(wanted)) return [true, found];
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return [false, found];
};
/** Opens what an element is folded into, and scrolls it into view. */
const unfold = (node) => {
  const panel = node.closest("[role=tabpanel][hidden]");
  if (panel) $(`tab-${panel.id}`).click();
  for (let at = node.closest("details"); at; at = at.parentElement.closest("details")) at.open = true;
  node.scrollIntoView({ block: "nearest" });
};
/** The moves on the board. */
const played = () => all("#moves .path").map((e) => e.textContent).join(" ");
/** Clicks squares without a pause. */
const click = (squares) => squares.split(" ").forEach((at) => one(`#board [data-square=${at}]`).click());
/** The squares of the arrow that shows the best move. */
const arrow = () => {
  const [line, tip] = ["#best line", "#best polygon"].map(one);
  const at = [[line.getAttribute("x1"), line.getAttribute("y1")], tip.getAttribute("points").split(/[ ,]/)];
  const sides = one("#board button").dataset.square === "h1" ? [8, 0] : [0, 8];
  return at.map(([x, y]) => "abcdefgh"[Math.floor(Math.abs(sides[0] - x))] + Math.ceil(Math.abs(sides[1] - y))).join(" ");
};
/** Presses a key where nothing has the focus. */
const press = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
/** Pastes into a field, or chooses an option of a list. */
const fill = (id, value) => {
  $(id).value = value;
  for (const name of ["input", "change"]) $(id).dispatchEvent(new Event(name, { bubbles: true }));
};
const hide = (value) => {
  Object.defineProperty(document, "hidden", { value, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
};
/** From now on the browser takes no address; `refused` is the last one that it had, once it has refused another. */
const refuseAddress = () => { history.replaceState = () => { window.refused = location.hash; }; };
/** From now on `copied` and `saved` are the texts that the browser would copy or save. */
const catchTexts = () => {
  navigator.clipboard.writeText = async (text) => { window.copied = text; };
  const real = URL.createObjectURL.bind(URL);
  // A thread may begin meanwhile.
  URL.createObjectURL = (blob) => {
    if (blob.type === "text/plain") blob.text().then((text) => { window.saved = text; });
    return real(blob);
  };
  HTMLAnchorElement.prototype.click = () => {};
};
/** From now on `asked` are the requests to threads, and `ended` counts the threads that are stopped. */
const listen = () => {
  const { postMessage, terminate } = Worker.prototype;
  Object.assign(window, { asked: [], ended: 0 });
  Worker.prototype.postMessage = function (data) { asked.push(data[0]); postMessage.call(this, data); };
  Worker.prototype.terminate = function () { ended++; terminate.call(this); };
};
