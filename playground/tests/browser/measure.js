// The times that a test measures, in milliseconds. The test puts `what` before it.
const until = async (isTrue) => { while (!isTrue()) await new Promise((r) => setTimeout(r, 1)); };
const painted = () => new Promise((r) => requestAnimationFrame(() => setTimeout(r)));
const times = [];
if (what === "keystroke") {
  // Changes a term in the editor a hundred times, and waits for each new picture.
  const begin = $("text").value;
  for (let number = 1; number <= 100; number++) {
    const { firstChild } = $("over");
    const start = performance.now();
    $("text").value = begin.replace("worth = [1, 5]", `worth = [${10 + number}, 5]`);
    $("text").dispatchEvent(new Event("input"));
    await until(() => ![null, firstChild].includes($("over").firstChild));
    times.push(performance.now() - start);
  }
} else {
  // Plays moves, which shows the board, and waits for what is measured after each.
  const moves = "a2a3 h7h6 b2b3 g7g6 c2c3 f7f6 d2d3 e7e6 e2e3 d7d6 f2f3 c7c6 g2g3 b7b6 h2h3 a7a6".split(" ");
  for (const move of [...moves, "", ...moves]) {
    const start = performance.now();
    if (!move) $("new-game").click();
    for (const [at] of move.matchAll(/../g)) one(`#board [data-square=${at}]`).click();
    await painted();
    const board = performance.now() - start;
    if (what === "line") await until(() => Number($("depth").textContent) > 0);
    if (what === "coach") await until(() => $("coach").ariaBusy === "false");
    times.push(what === "board" ? board : performance.now() - start);
  }
}
return times;
