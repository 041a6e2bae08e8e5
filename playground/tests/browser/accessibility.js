// Rules of accessibility, written out. Returns the faults as sentences.
const faults = [];
const isShown = (node) => node.checkVisibility() && !node.closest("[aria-hidden=true]");
const all = (selector) => [...document.querySelectorAll(selector)].filter(isShown);

// Every control has a name.
function nameOf(node) {
  const labelled = (node.getAttribute("aria-labelledby") ?? "").split(" ").map((id) => document.getElementById(id)?.textContent ?? "");
  const labels = [...(node.labels ?? [])].map((label) => label.textContent);
  return [node.getAttribute("aria-label"), ...labelled, ...labels, node.matches("button, a, summary") ? node.textContent : ""]
    .map((text) => (text ?? "").trim()).find(Boolean);
}
const named = all("button, input, select, textarea, a, summary, progress, [role=grid], section, dialog");
for (const node of named) if (!nameOf(node)) faults.push(`no name: ${node.outerHTML.slice(0, 120)}`);

// The board is a table of 64 squares, each with its own name, and one stop of the tab key.
const squares = all("#board button");
if (new Set(squares.map(nameOf)).size !== 64) faults.push("there are not 64 names of squares");
if (!squares.every((square) => nameOf(square)?.startsWith(square.dataset.square))) faults.push("a square has a wrong name");
if (squares.filter(({ tabIndex }) => tabIndex === 0).length !== 1) faults.push("the board needs one tab stop");
if (all("#board tr").length !== 8 || all("#board td").length !== 64) faults.push("the board is no table of 8 rows");

// Ids are unique, the page has a language, a title and one main heading; headings skip no level.
const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
if (new Set(ids).size !== ids.length) faults.push("an id stands twice");
if (!document.documentElement.lang || !document.title) faults.push("no language or title");
const levels = all("h1, h2, h3, h4").map((node) => Number(node.tagName[1]));
if (levels.filter((level) => level === 1).length !== 1) faults.push("not one main heading");
levels.forEach((level, index) => { if (index && level > levels[index - 1] + 1) faults.push("a heading skips a level"); });
if (!document.querySelector("[aria-live]")) faults.push("nothing announces moves");

// Text has a contrast of 4.5 to its background (WCAG AA).
const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
const known = new Map();
function rgb(colour) {
  if (!known.has(colour)) {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    known.set(colour, [...canvas.getImageData(0, 0, 1, 1).data]);
  }
  return known.get(colour);
}
function background(node) {
  for (let at = node; at; at = at.parentElement) {
    const colour = rgb(getComputedStyle(at).backgroundColor);
    if (colour[3] === 255) return colour;
  }
  return [255, 255, 255];
}
function luminance(colour) {
  const [red, green, blue] = colour.map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
for (const node of all("body *")) {
  const hasText = [...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim());
  // A disabled control is exempt; a picture of the board has halos.
  if (!hasText || node.closest("svg, .hidden, :disabled, [aria-disabled=true], option")) continue;
  const [one, other] = [rgb(getComputedStyle(node).color), background(node)].map(luminance);
  const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
  if (contrast < 4.5) faults.push(`contrast ${contrast.toFixed(2)}: ${node.outerHTML.slice(0, 100)}`);
}

// What can be clicked is large enough to be hit (24 pixels, or a label that is).
const isSmall = ({ width, height }) => Math.min(width, height) < 24;
for (const node of all("button, select")) if (isSmall(node.getBoundingClientRect())) faults.push(`too small: ${node.outerHTML.slice(0, 80)}`);
return faults;
