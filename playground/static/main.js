// The page: joins board, evaluation, editor, search, lessons and link.

import { Board, choosePromotion, drawArrows, piecesOf, showBar, turnArrows } from "tropism/board";
import { startCoach } from "tropism/coach";
import { keepLastAddress, lastAddress } from "tropism/earlier";
import { chosenText, initEditor, keepOwnText, setText, showMistake } from "tropism/editor";
import { ask, initEngine, threads } from "tropism/engine";
import { continueLesson, initLessons, leaveGuide, openGuide, showGuide, showLesson } from "tropism/lessons";
import { LEVELS, fragment, readFragment, takePercents } from "tropism/link";
import { initRows, showMoves } from "tropism/moves";
import { initPanels, openPanel } from "tropism/panels";
import { initReview, showReview } from "tropism/review";
import { startSearch } from "tropism/search";
import { commitSetup, initSetup, setupClick, setupFen, setupMove, setupPieces, setupRemove, setUp } from "tropism/setup";
import { START, announce, complain, element, focusBoard, guarded, isText, isVeiled, make, percents, request, resetPercents, say, signed, state } from "tropism/state";
import { priceTerms, showReasons, showTerms } from "tropism/terms";
import { clockOf, commentOf, endOf, marksOf, newTree, pathOf, pgnOf, promote, remove, resultOf, setComment, touch, walk } from "tropism/tree";

/** The least time between two moves of the engine, in milliseconds: a person wants to see them. */
const MOVE_PAUSE = 300;
/** The least time between two writings of the address, and until a refused one is tried again, in milliseconds. */
const WRITE_PAUSE = 150;
const AGAIN = 1000;
/** The longest engine file, in bytes. */
const MAX_TEXT = 128 << 10;
const WORDS = { K: "king ", Q: "queen ", R: "rook ", B: "bishop ", N: "knight ", x: " takes ", "+": ", check", "#": ", checkmate", "=": " promotes to " };

let examples = [];
/** Whether the engine moves although moves follow: after a move or the choice of a player, not while the user goes through a game. */
let isReplyWanted = false;
/** Whether a change of the text is shown. */
let isWriting = false;
/** Whether what is set up is no position. */
let isUnfinished = false;
/** The number of the game that was read last of a text in PGN. */
let numberRead = 1;
/** Whether the PGN field holds a text of the user that the page must not replace. */
let isPgnOfUser = false;
/** The position that the comment in its field belongs to: who writes one goes on while the engine moves. */
let noted = null;
/** The address of the page, that of the state, the writing of it, and whether it is another page for the back button. */
let address = "";
let next = "";
let writing = 0;
let writtenAt = 0;
let isOtherPage = false;

const board = new Board({
  targets(from) {
    if (state.settingUp) return Object.keys(board.buttons);
    if (!isUsersTurn()) return null;
    const targets = legal(from).map(({ uci }) => uci.slice(2, 4));
    return targets.length ? targets : null;
  },
  move(from, to) {
    if (state.settingUp) setupMove(from, to);
    else chooseMove(legal(from).filter(({ uci }) => uci.slice(2, 4) === to));
  },
  illegal(from, to) {
    if (state.settingUp) return;
    element("status").textContent = `${from} to ${to} is no legal move.`;
    announce(element("status").textContent);
  },
  blocked(square) {
    if (board.selected) return;
    const { turn, outcome } = state.game;
    const isOther = piecesNow()[square][0] !== turn[0];
    say("status", outcome ? `The game is over: ${outcome}` : isOther ? `${turn === "white" ? "White" : "Black"} is to move. Set up moves any piece.` : `The piece on ${square} cannot move.`);
    announce(element("status").textContent);
  },
  click: (square) => state.settingUp && setupClick(square),
  draw(shape) {
    const { shapes } = state.node;
    if (state.settingUp || (!shape && !shapes.length)) return;
    const others = shapes.filter((known) => known.slice(1) !== shape?.slice(1));
    state.node.shapes = !shape ? [] : others.length < shapes.length ? others : [...shapes, shape];
    noteChanged();
  },
  remove(square) {
    if (state.settingUp) setupRemove(square);
    return state.settingUp;
  },
});

const legal = (from) => state.game.legal.filter(({ uci }) => uci.startsWith(from));

/** The pieces as the board shows them: what is set up need not be a position. */
const piecesNow = () => (state.settingUp ? { ...setupPieces() } : piecesOf(state.game.fen));

/** The position on the board with the moves that led to it. */
const current = () => ({ start: state.start, moves: state.moves });

/** Whether the engine moves if it is its turn: it does not go on with a game that has ended. */
const isReplyDue = () => isReplyWanted || (!state.node.children.length && resultOf(state.tree) === "*");

function isUsersTurn() {
  const { turn } = state.game;
  if (state.lesson) return turn === (state.lesson.defend ? "black" : "white");
  return state.players[turn] === "you" || !isReplyDue();
}

/** A promotion asks which piece. */
async function chooseMove(moves) {
  if (moves.length < 2) return play(moves[0]);
  const to = moves[0].uci.slice(2, 4);
  const letter = await choosePromotion(to, state.game.turn[0], board.buttons[to]);
  const chosen = moves.find(({ uci }) => letter && uci.endsWith(letter));
  if (chosen) play(chosen);
}

const spoken = (san) =>
  san.startsWith("O-O-O") ? "castles long" : san.startsWith("O-O") ? "castles short"
    : san.replace(/[KQRBNx+#=]/g, (letter) => WORDS[letter]);

/** Plays a legal move. */
function play(move) {
  announce(`${state.game.turn === "white" ? "White" : "Black"}: ${spoken(move.san)}.`);
  isReplyWanted = true;
  stand(walk(state.tree, [...pathOf(state.node), move]));
}

/** Brings the board to a position of the game. */
const stand = (node) => show({ start: state.start, moves: pathOf(node).map(({ uci }) => uci) });

/** Plays the moves of a line from the position on the board. */
function playLine(moves) {
  if (state.settingUp) return;
  isReplyWanted = false;
  show({ start: state.start, moves: [...state.moves, ...moves] });
}

/** Goes to a position of the game. */
function go(node) {
  if (state.settingUp) return complain("Press Done to end the set-up first.");
  announce(node.san ? `After ${spoken(node.san)}.` : "The start of the game.");
  isReplyWanted = false;
  return stand(node);
}

/**
 * Evaluates a game, which replaces the one on the board, or that one anew. An error says why a game cannot be
 * shown, and changes nothing.
 */
function evaluate(game) {
  const { start, moves } = game;
  const { text } = state;
  const evaluated = (engine) => ask("evaluate", { start, moves, engine, percents: percents(), picked: state.picked, flipped: state.flipped });
  let answer = evaluated(text);
  const { error } = answer;
  // With a mistake in the editor, the last good file evaluates.
  if (error && state.goodText !== text && state.goodText) answer = evaluated(state.goodText);
  const { history, ...position } = answer.game;
  const isOther = game.tree || position.start !== state.tree?.start;
  if (isOther && !game.isFromAddress && (game.tree || (state.tree.children.length && !state.settingUp))) turnPage();
  const { start: begin, chess960 } = position;
  if (isOther) state.tree = Object.assign(game.tree ?? newTree(begin), { start: begin, chess960 });
  Object.assign(state, { start: position.start, moves, game: position, node: walk(state.tree, history) });
  const isEnd = state.node === endOf(state.tree) && resultOf(state.tree) === "*";
  if (isEnd) Object.assign(state.tree, { result: position.result, ended: state.node });
  game.taken?.();
  if (!error && state.goodText !== text) {
    // What is opened says itself what is drawn.
    if (isWriting && pickNewTerm(answer.evaluation)) answer = evaluated(text);
    state.goodText = text;
  }
  showMistake(error);
  if (answer.evaluation) state.evaluation = answer.evaluation;
}

/** A term that the user has just written is drawn at once; returns whether there is one. */
function pickNewTerm(evaluation) {
  if (!state.evaluation) return false;
  const known = new Set(state.evaluation.terms.map(({ name }) => name));
  const isNew = evaluation.terms.find(({ name, is_formula: isFormula }) => isFormula && !known.has(name));
  if (isNew) state.picked = isNew.name;
  return Boolean(isNew);
}

/**
 * Shows a game, or the one on the board; searches, lets the engine or the defender of a lesson move, and keeps the
 * address. Returns whether the game can be shown.
 */
function show(game = state.settingUp && isUnfinished ? { start: setupFen(), moves: [] } : current()) {
  element("promotion").close();
  complain();
  try {
    evaluate(game);
    isUnfinished = false;
  } catch (error) {
    complain(error.message);
    if (!state.tree) return false;
    isUnfinished = state.settingUp;
    render();
    keepAddress();
    return false;
  }
  render();
  keepAddress();
  threads.play.stop();
  if (state.lesson) replyInLesson();
  else engineMove();
  return true;
}

const replyInLesson = () => guarded(async () => {
  const reply = await continueLesson();
  if (reply) stand(walk(state.tree, [...pathOf(state.node), reply]));
});

/** Something about the evaluation has changed, but not the position. */
const changed = () => show();

/** The user has changed the text of the engine file. */
function written() {
  isWriting = true;
  show();
  isWriting = false;
}

async function engineMove() {
  const { game, node } = state;
  const level = state.players[game.turn];
  if (!isReplyDue() || game.outcome || state.settingUp || level === "you") return;
  const pause = new Promise((resolve) => { setTimeout(resolve, MOVE_PAUSE); });
  await guarded(async () => {
    const seed = Math.floor(Math.random() * 2 ** 32);
    const answer = await threads.play.ask("move", { ...request(), level: Number(level), seed });
    await pause;
    if (answer && node === state.node && state.players[game.turn] === level) play(answer.move);
  });
}

/** Writes the game into its fields, but not over what the user is writing. */
function fillFields() {
  const fill = (id, value) => { if (document.activeElement !== element(id)) element(id).value = value; };
  fill("fen", state.game.fen);
  if (!isPgnOfUser) fill("pgn", pgnOf(state.tree, START));
  if (document.activeElement === element("comment") && (pathOf(noted)[0]?.parent ?? noted) === state.tree) return;
  noted = state.node;
  element("comment").value = commentOf(noted);
}

/** A comment, a mark or a drawing has changed. */
function noteChanged() {
  touch();
  showGame();
  keepAddress();
}

/** The players above and below the board, as a PGN names them, with their clocks. */
function showPlayers() {
  const { tags } = state.tree;
  const tag = (name) => tags.find(([known]) => known === name)?.[1].replace(/^\?+$/, "") ?? "";
  for (const [side, letter] of [["White", "w"], ["Black", "b"]]) {
    const words = [[tag(side), tag(`${side}Elo`) && `(${tag(`${side}Elo`)})`].filter(Boolean).join(" "), clockOf(state.node, letter, state.start)];
    element(`name-${(letter === "w") === state.flipped ? "top" : "bottom"}`).replaceChildren(...words.filter(Boolean).map((text) => make("span", {}, text)));
  }
  const result = resultOf(state.tree);
  element("game-name").textContent = [tag("ChapterName") || tag("Event"), tag("Date").replaceAll(".??", ""), result === "*" ? "" : result].filter(Boolean).join(", ");
}

/** The position, the moves of the game, the review, and what may be done with them. */
function showGame() {
  const { game, node, tree } = state;
  const last = state.settingUp ? null : state.moves.at(-1);
  if (board.flipped !== state.flipped) board.draw(null);
  turnArrows();
  board.show(piecesNow(), state.flipped, last ? [last.slice(0, 2), last.slice(2, 4)] : [], last ? marksOf(node) : "");
  drawArrows("drawn", node.shapes);
  const turn = game.turn === "white" ? "White" : "Black";
  const status = isUnfinished ? "" : game.outcome ? `The game is over: ${game.outcome}` : `${turn} to move${game.check ? ", in check" : ""}.`;
  say("status", status);
  fillFields();
  showPlayers();
  showMoves(tree, node, go);
  showReview();
  // A button that is disabled would lose the focus.
  const able = (id, isAble) => element(id).setAttribute("aria-disabled", String(!isAble));
  for (const id of ["first", "back"]) able(id, node.parent && !state.settingUp);
  for (const id of ["forward", "last"]) able(id, node.children.length && !state.settingUp);
  element("delete").disabled = element("promote").disabled = !node.parent || state.settingUp;
  // What is set up has no comment yet.
  element("comment").disabled = state.settingUp;
}

/** Shows everything. */
function render() {
  const { game, evaluation } = state;
  showGame();
  startSearch();
  startCoach();
  element("bar").classList.toggle("flipped", state.flipped);
  document.body.classList.toggle("veiled", isVeiled());
  document.body.classList.toggle("unfinished", isUnfinished);
  element("task").hidden = !state.task;
  element("task-shown").textContent = state.task;
  element("reveal").hidden = !isVeiled();
  if (element("task-text").value !== state.task) element("task-text").value = state.task;
  element("line-count").value = state.lines;
  for (const side of ["white", "black"]) element(`player-${side}`).value = state.players[side];
  element("search-on").checked = state.searching;
  if (!evaluation) return;
  // A search that has a line knows better.
  if (!element("lines").childElementCount) showBar(evaluation.expected, game.outcome ? game.result.replace("1/2-1/2", "½") : signed(evaluation.value));
  board.draw(isVeiled() || isUnfinished ? null : evaluation.layers);
  showTerms(evaluation.terms, changed);
  priceTerms();
  showReasons(evaluation, state.goodText !== state.text);
}

/** Keeps the state in the address, another page now, others soon: browsers refuse to write it too often. */
function keepAddress() {
  // The first picture does not wait for it.
  if (document.body.inert) return requestAnimationFrame(() => setTimeout(keepAddress));
  next = fragment(examples);
  const wait = writtenAt + WRITE_PAUSE - performance.now();
  if (isOtherPage || wait <= 0) writeAddress();
  else writing ||= setTimeout(writeAddress, wait);
}

function writeAddress() {
  clearTimeout(writing);
  writing = 0;
  writtenAt = performance.now();
  if (next === address) return;
  if (address) {
    keepLastAddress(next);
    element("go-on").hidden = true;
  }
  try {
    if (isOtherPage) history.pushState(null, "", next);
    else history.replaceState(null, "", next);
    isOtherPage = false;
  } catch {
    // It is tried again below.
  }
  address = location.hash;
  if (address !== next) writing = setTimeout(writeAddress, AGAIN);
}

/** What follows is another page: the back button leads to the state that is kept last. */
function turnPage() {
  if (writing) writeAddress();
  isOtherPage = true;
}

/** Begins another game; the back button leads to the one before. `taken()` is called when it can be shown. */
function newGame(start, tree = newTree(start), taken = null) {
  isReplyWanted = false;
  leaveGuide();
  return show({
    start, tree,
    moves: pathOf(endOf(tree)).map(({ uci }) => uci),
    taken() {
      state.lesson = null;
      // A task that came with a link belongs to its position.
      if (!state.revealed) Object.assign(state, { task: "", revealed: true });
      // What the user has written since the last game was read stays in its field.
      if (element("pgn").value === state.pastedText) isPgnOfUser = false;
      setUp(false);
      showLesson();
      taken?.();
    },
  });
}

function back() {
  let { parent } = state.node;
  if (!parent || state.settingUp) return;
  // What the other side has answered is taken back as well.
  if (state.lesson && pathOf(parent).length % 2) ({ parent } = parent);
  while (parent.parent && !state.lesson && playerAt(parent) !== "you" && hasUser()) ({ parent } = parent);
  if (!hasUser()) state.players = { white: "you", black: "you" };
  go(parent);
}

/** Goes through the game by the name of a button. */
function step(id) {
  const { node } = state;
  if (id === "back") return back();
  if (state.settingUp) return;
  if (id === "first") go(state.tree);
  else if (node.children.length) go(id === "last" ? endOf(node) : node.children[0]);
}

const hasUser = () => Object.values(state.players).includes("you");

/** Who moves in a position of the game. */
function playerAt(node) {
  const first = state.start.split(" ")[1] === "b" ? 1 : 0;
  return state.players[(first + node.ply) % 2 ? "black" : "white"];
}

/** An engine file by the name of an example, or as text. */
const textOf = (engine) => examples.find(({ name }) => name === engine)?.text ?? engine;

/** Replaces the text of the editor, with all terms at 100 percent; without a text it does nothing. */
function takeText(text) {
  if (!text) return;
  // The back button brings the percentages back, too.
  turnPage();
  setText(text);
  resetPercents();
  show();
}

/** Gives the user's engine back after a guide, unless the text of the guide was changed. */
function restore(guided, { text, goodText, percents: kept, off, picked }) {
  state.picked = isText(picked) ? picked : null;
  if (state.text !== textOf(guided)) return;
  setText(text);
  state.goodText = goodText;
  takePercents(kept, off);
}

/** Lets the browser save a text as a file. */
function download(name, text) {
  const link = make("a", { download: name, href: URL.createObjectURL(new Blob([text], { type: "text/plain" })) });
  link.click();
  URL.revokeObjectURL(link.href);
}

const save = () => guarded(() => {
  download("engine.toml", ask("save", { engine: state.text, percents: percents() }).text);
  element("status").textContent = `The file is saved${element("mistake").textContent ? ", with its mistake" : ""}.`;
});

async function copy(text, said) {
  await guarded(async () => {
    await navigator.clipboard.writeText(text);
    element("status").textContent = said;
  });
}

async function load(event) {
  const [file] = event.target.files;
  if (!file) return;
  event.target.value = "";
  if (!file.size || file.size > MAX_TEXT) return complain("An engine file has 1 byte to 128 KiB here.");
  await guarded(async () => takeText(await file.text()));
}

/** Begins a game from the FEN in its field. One that is no position stays there, to be corrected. */
function readFen() {
  const fen = element("fen").value.trim();
  // A position that is none changes nothing: a guide stays open, and what is set up stays what it is.
  guarded(() => {
    ask("evaluate", { start: fen, engine: "" });
    newGame(fen);
  });
}

// Reads one game of a text in PGN, and offers the others.
async function readPgn(text, number) {
  await guarded(async () => {
    const { tree } = state;
    const read = await threads.work.ask("pgn", { text, game: number });
    if (tree !== state.tree) return;
    const { start, fault, games } = read;
    const taken = () => {
      state.players = { white: "you", black: "you" };
      if (element("pgn").value === text) isPgnOfUser = Boolean(fault) || games.length > 1;
      state.pastedText = text;
      element("games-label").hidden = games.length < 2;
      element("games").replaceChildren(...games.map((heading, index) => new Option(heading, index + 1)));
      element("games").value = numberRead = number;
    };
    newGame(start, newTree(start, read), taken);
    if (fault) complain(`The text has a mistake: ${fault}`);
  });
  element("games").value = numberRead;
}

/** Ends the set-up, if it is a position: its problem stands on the page. */
function finishSetup() {
  if (!isUnfinished) toggleSetup();
}

function toggleSetup() {
  const hadNone = state.settingUp && isUnfinished;
  if (!state.settingUp) turnPage();
  setUp(!state.settingUp);
  if (state.settingUp) {
    element("setup-panel").scrollIntoView({ block: "nearest" });
    state.lesson = null;
    showLesson();
  }
  show(current());
  if (hadNone) complain("What was set up is no position; the board shows the last one that was.");
}

/** The three next steps of the first guide: change the position, weigh its term, write one. */
function connectFirstSteps() {
  element("step-position").addEventListener("click", () => element("guide-positions").querySelector("button").click());
  element("step-weigh").addEventListener("click", () => {
    openPanel("terms-panel");
    document.querySelector(`[data-term="${state.picked}"] input[type=range]`)?.focus();
  });
  element("step-write").addEventListener("click", () => {
    openPanel("writing");
    element("add-term").click();
  });
}

function connect() {
  const on = (id, event, action) => element(id).addEventListener(event, action);
  for (const id of ["first", "back", "forward", "last"]) on(id, "click", () => step(id));
  const keys = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" };
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target.matches("textarea, select, input:not([type=checkbox]), [role=tab]") || event.target.closest("dialog, #word-box");
    if (!keys[event.key] || isTyping || event.defaultPrevented || state.settingUp || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    step(keys[event.key]);
  });
  on("delete", "click", () => {
    turnPage();
    focusBoard();
    // The defender would play its move again.
    const isReply = state.lesson && state.moves.length % 2 === 0;
    go(remove(isReply ? state.node.parent : state.node));
  });
  on("promote", "click", () => { promote(state.node); noteChanged(); });
  on("comment", "input", ({ target }) => { setComment(noted, target.value); noteChanged(); });
  on("comment", "blur", fillFields);
  on("task-text", "input", (event) => {
    Object.assign(state, { task: event.target.value, revealed: true });
    element("task").hidden = !state.task;
    element("task-shown").textContent = state.task;
    keepAddress();
  });
  on("reveal", "click", () => { state.revealed = true; focusBoard(); show(); });
  on("line-count", "change", (event) => { state.lines = Number(event.target.value); startSearch(); keepAddress(); });
  on("flip", "click", () => { state.flipped = !state.flipped; show(); });
  on("new-game", "click", () => { state.task = ""; newGame(START); });
  on("set-up", "click", toggleSetup);
  on("setup-done", "click", finishSetup);
  on("read-fen", "click", readFen);
  on("fen", "keydown", ({ key }) => { if (key === "Enter") readFen(); });
  on("pgn", "input", (event) => { isPgnOfUser = Boolean(event.target.value.trim()); });
  on("read-pgn", "click", () => readPgn(element("pgn").value, 1));
  on("copy-pgn", "click", () => copy(pgnOf(state.tree, START), "The game is copied."));
  on("save-pgn", "click", () => download("game.pgn", pgnOf(state.tree, START)));
  on("games", "change", (event) => readPgn(state.pastedText, Number(event.target.value)));
  on("search-on", "change", (event) => { state.searching = event.target.checked; show(); });
  on("reset-weights", "click", () => { resetPercents(); show(); });
  on("save", "click", save);
  on("load", "change", load);
  on("examples", "change", ({ target }) => { takeText(target.value && textOf(target.value)); target.value = ""; });
  on("earlier", "change", () => takeText(chosenText()));
  // A task shows the position, not the moves that follow.
  const reach = location.protocol === "file:" ? " It leads to this file: send the file, too." : "";
  on("copy-link", "click", () => copy(new URL(fragment(examples, Boolean(state.task)), location.href).href, `The link is copied.${reach}`));
  on("go-on", "click", () => { location.hash = lastAddress(); });
  for (const side of ["white", "black"]) {
    const options = [make("option", { value: "you" }, "you"), ...LEVELS.map((level) =>
      make("option", { value: String(level) }, level === 20 ? "engine, full strength" : `engine, level ${level}`))];
    element(`player-${side}`).append(...options);
    on(`player-${side}`, "change", (event) => { state.players[side] = event.target.value; isReplyWanted = true; show(); });
  }
  window.addEventListener("popstate", openAddress);
  window.addEventListener("pagehide", () => {
    keepOwnText();
    if (writing) writeAddress();
  });
  // A page that nobody sees computes nothing.
  document.addEventListener("visibilitychange", () => { startSearch(); startCoach(); });
}

/** Reads the address; without a state in it, the page starts with the first guide. */
function openAddress() {
  let problem = "";
  let game = null;
  clearTimeout(writing);
  writing = 0;
  address = location.hash;
  // Who comes back may go on where the last visit ended.
  element("go-on").hidden = Boolean(address) || !lastAddress();
  try {
    game = readFragment(examples);
  } catch (error) {
    problem = error.message;
  }
  if (!game) {
    Object.assign(state, { text: examples[0].text, goodText: examples[0].text, lesson: null, guide: null, before: null, picked: null });
    resetPercents();
  }
  setText(state.text);
  setUp(false);
  if (!game && !problem) openGuide(0, true);
  else if (!game || !show({ ...game, isFromAddress: true })) {
    problem ||= element("problem").textContent;
    show({ start: START, moves: [], tree: newTree(START), isFromAddress: true });
  }
  showLesson();
  showGuide();
  if (game?.setup) {
    setUp(true, game.setup);
    commitSetup();
  }
  openPanel(state.panel);
  if (problem) complain(problem);
}

async function start() {
  // What needs no engine is done while it is compiled.
  initSetup(show);
  initPanels(() => { startCoach(); keepAddress(); });
  connectFirstSteps();
  initRows(playLine);
  initReview(go, noteChanged);
  initLessons({ show, use: (engine) => setText(textOf(engine)), restore });
  await initEngine();
  connect();
  const known = ask("examples");
  ({ examples } = known);
  element("examples").append(...examples.map(({ name }) => make("option", { value: name }, name)));
  initEditor(written, known);
  openAddress();
  document.body.inert = false;
  // The tests measure when the first picture is there.
  requestAnimationFrame(() => setTimeout(() => performance.mark("shown")));
}

guarded(start);
