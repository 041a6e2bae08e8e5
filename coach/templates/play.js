// Shows the position after a move on the board beside it. The page stays well-formed XML: no ampersand and no
// less-than sign.
const SVG = "http://www.w3.org/2000/svg", MARGIN = 16, SIDE = 48;

function part(name, attributes) {
  const node = document.createElementNS(SVG, name);
  for (const key in attributes) node.setAttribute(key, attributes[key]);
  return node;
}

const corner = square => [MARGIN + SIDE * "abcdefgh".indexOf(square[0]), SIDE * (8 - square[1])];

function drawn(board, { pieces, squares }) {
  board.querySelectorAll(".arrow, .ring, use:not([href='#board'])").forEach(old => old.remove());
  for (const square of squares.match(/../g) ?? []) {
    const [x, y] = corner(square);
    board.append(part("rect", { x, y, width: SIDE, height: SIDE, class: "last" }));
  }
  pieces.split("/").forEach((rank, row) => {
    let file = 0;
    for (const letter of rank) {
      if (+letter) { file += +letter; continue; }
      const colour = letter === letter.toLowerCase() ? "b" : "w";
      const [x, y] = [MARGIN + SIDE * file++ + 2, SIDE * row + 1];
      board.append(part("use", { href: `#${colour}${letter.toLowerCase()}`, x, y, width: SIDE - 4, height: SIDE - 4 }));
    }
  });
}

// No move is the position that the board had at first.
function show(player, move) {
  const board = player.querySelector("svg.board");
  board.first ??= board.innerHTML;
  board.innerHTML = board.first;
  player.querySelectorAll("[aria-current]").forEach(old => old.removeAttribute("aria-current"));
  player.shown = move;
  player.querySelector("[aria-live]").textContent = move ? `${move.textContent} ${move.dataset.note}` : "";
  if (!move) return;
  move.setAttribute("aria-current", "true");
  drawn(board, move.dataset);
}

function step(player, by) {
  const shown = player.shown;
  if (!shown) { if (by > 0) show(player, player.querySelector("[data-pieces]")); return; }
  const next = by > 0 ? shown.nextElementSibling : shown.previousElementSibling;
  if (next || 0 > by) show(player, next);
}

document.addEventListener("click", event => {
  const button = event.target.closest(".player button");
  if (!button) return;
  const player = button.closest(".player");
  if ("turn" in button.dataset) document.body.classList.toggle("turned");
  else if (button.dataset.step) step(player, +button.dataset.step);
  else show(player, button);
});

document.addEventListener("keydown", event => {
  const isInView = ({ top, bottom }) => bottom > 0 ? innerHeight > top : false;
  const players = [...document.querySelectorAll(".player")];
  const player = event.target.closest(".player") ?? players.find(one => isInView(one.getBoundingClientRect()));
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!by || !player || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  step(player, by);
});
